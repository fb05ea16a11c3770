/**
 * Runs the conformance matrix on the engine: each resource option with each resource type, through a resource's lifecycle,
 * with both provider types. After each step, the service's records, the state and the engine's event log must agree with
 * Pulumi's documentation of the option.
 */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { records, type RecordKindName } from "../../provider/registry";
import { amount, isLong } from "../support/amount";
import { resourceOptions, type Verdict } from "../support/conformance";
import { changeInPlace, kindCases, recordKinds, type Toggle } from "../support/kinds";
import { fronts, type Run, Stack } from "./support/stack";

type Values = Record<string, unknown>;

/** The differences of an option's cells from cells without one. Omitted members are the same as without the option. */
interface Trial {
  /** The option's value in each step. */
  readonly value: (cell: Cell, step: Step) => unknown;
  /** The resource's name in each step. */
  readonly name?: (cell: Cell, step: Step) => string;
  /** The outcome of each step, if it differs from a cell without the option. */
  readonly outcomes?: Partial<Record<Step, Outcome>>;
  /** Steps that leave the record in the service. */
  readonly leavesIn?: readonly Step[];
  /** Whether the service keeps the previous value when the property changes. A replacement uses the program's value. */
  readonly keepsValue?: boolean;
  /** Whether the outputs contain the encrypted property. */
  readonly encrypts?: boolean;
}

type Outcome = "created" | "same" | "updated" | "replaced" | "deleted";
const steps = ["create", "unchanged", "change", "replace", "remove"] as const;
type Step = (typeof steps)[number];

/** The outcome of each step for a cell without an option. */
const plain: Record<Step, Outcome> = {
  create: "created",
  unchanged: "same",
  change: "updated",
  replace: "replaced",
  remove: "deleted",
};

const always = (value: unknown): Trial => ({ value: () => value });

/** The option `import` is rejected before the engine knows the resource: see below. */
const trials: Readonly<Record<string, Trial>> = {
  additionalSecretOutputs: { value: ({ toggle }) => [toggle.property], encrypts: true },
  aliases: {
    value: ({ name }, step) => (isBefore(step, "change") ? [] : [{ name }]),
    name: ({ name }, step) => (isBefore(step, "change") ? name : `${name}-renamed`),
  },
  customTimeouts: always({ create: "5m", update: "5m", delete: "5m" }),
  deleteBeforeReplace: always(false),
  deletedWith: { value: ({ anchor }) => anchor, leavesIn: ["remove"] },
  dependsOn: { value: ({ anchor }) => anchor },
  hideDiffs: { value: ({ toggle }) => [toggle.property] },
  hooks: always("hook"),
  ignoreChanges: { value: ({ toggle }) => [toggle.property], outcomes: { change: "same" }, keepsValue: true },
  parent: always("group"),
  pluginDownloadURL: always("https://plugins.example.com"),
  protect: { value: (_cell, step) => step !== "remove" && step !== "replace" },
  provider: always("own"),
  replaceOnChanges: { value: ({ toggle }) => [toggle.property], outcomes: { change: "replaced" } },
  replaceWith: { value: ({ anchor }) => [anchor] },
  replacementTrigger: {
    value: (_cell, step) => (isBefore(step, "change") ? "first" : "second"),
    outcomes: { change: "replaced" },
  },
  retainOnDelete: { ...always(true), leavesIn: ["replace", "remove"] },
  stateMigrations: always("a copy"),
  transformations: { value: ({ nameProperty, title }) => ({ [nameProperty]: title }) },
  transforms: { value: ({ nameProperty, title }) => ({ [nameProperty]: title }) },
  version: always("9.9.9"),
};

function isBefore(step: Step, other: Step): boolean {
  return steps.indexOf(step) < steps.indexOf(other);
}

/** One option with one resource type. */
interface Cell {
  readonly name: string;
  readonly kind: RecordKindName;
  /** The option, or undefined for the cell to compare with. */
  readonly option: string | undefined;
  readonly trial: Trial;
  readonly toggle: Toggle;
  readonly nameProperty: string;
  readonly title: string;
  /** The cell of the same resource type without an option. */
  readonly anchor: string;
}

/** Ids of the expected records by cell: its own, and retained ones. */
type Expected = Map<string, { id: string; retained: string[] }>;

interface EngineEvent {
  resOutputsEvent?: { metadata: { op: string; urn: string } };
}

/** Some options in `npm test`, and all options of the front in the long form. */
const few = new Set([
  "hooks",
  "ignoreChanges",
  "retainOnDelete",
  "replaceOnChanges",
  "replacementTrigger",
  "stateMigrations",
  "transforms",
]);

describe.each(fronts)("resource options with %s resources", (front) => {
  const verdictOf = (name: string): Verdict => resourceOptions.find((row) => row.name === name)?.[front] ?? "works";
  // Options that select the engine's plugin are not tested on the native front, because the engine would load another plugin.
  const ofPlugin = front === "native" ? ["version", "pluginDownloadURL"] : [];
  const wanted = Object.keys(trials).filter((name) => !ofPlugin.includes(name) && (isLong || few.has(name)));
  const kinds = recordKinds.slice(0, amount(3, recordKinds.length));
  const cells = kinds.flatMap((kind) => [undefined, ...wanted].map((option) => cellOf(kind, option)));
  const expected: Expected = new Map();
  let stack: Stack;

  function cellOf(kind: RecordKindName, option: string | undefined): Cell {
    // An option without effect behaves like no option, whatever its value.
    const listedTrial = option === undefined ? undefined : trials[option];
    const trial: Trial = listedTrial ?? always(undefined);
    const name = `${kind}-${option ?? "plain"}`;
    const { nameProperty } = records[kind];
    const toggle = changeInPlace(kind);
    return { name, kind, option, toggle, nameProperty, title: `Cell ${name}`, anchor: `${kind}-plain`, trial };
  }

  function declared(cell: Cell, step: Step): object {
    const { kind, option, toggle, trial, nameProperty, title } = cell;
    const args: Values = {
      ...kindCases[kind].minimal,
      // If a transform sets the value, the program does not.
      [nameProperty]: option?.startsWith("transform") ? `Not ${title}` : title,
      [toggle.property]: isBefore(step, "change") ? toggle.from : toggle.to,
      accountGroupId: isBefore(step, "replace") ? "1001" : "1002",
    };
    const options = option === undefined ? {} : { [option]: trial.value(cell, step) };
    return { name: nameIn(cell, step), kind: kindCases[kind].className, args, options };
  }

  const nameIn = (cell: Cell, step: Step): string => cell.trial.name?.(cell, step) ?? cell.name;

  /** Returns the outcome of a step for a cell, from Pulumi's documentation, or from the table for options without effect. */
  function outcomeOf({ option, trial }: Cell, step: Step): Outcome {
    return option !== undefined && verdictOf(option) === "works" ? (trial.outcomes?.[step] ?? plain[step]) : plain[step];
  }

  /** Runs `pulumi up`. Returns the operations on each resource in its event log. */
  async function up(): Promise<{ run: Run; ops: Map<string, string[]> }> {
    const log = join(stack.folder, "events.json");
    rmSync(log, { force: true });
    const run = await stack.must("up", "--yes", "--skip-preview", "--suppress-progress", "--event-log", log);
    const ops = new Map<string, string[]>();
    for (const line of readFileSync(log, "utf8").split("\n")) {
      const { metadata } = line === "" ? {} : ((JSON.parse(line) as EngineEvent).resOutputsEvent ?? {});
      if (metadata === undefined) continue;
      const name = metadata.urn.slice(metadata.urn.lastIndexOf("::") + 2);
      ops.set(name, [...(ops.get(name) ?? []), metadata.op]);
    }
    return { run, ops };
  }

  /** The ids of all records of a type in the service, and one record with its account group. */
  const idsOf = (kind: RecordKindName): Promise<string[]> => stack.ids(kindCases[kind].collection);
  async function recordOf(kind: RecordKindName, id: string): Promise<{ aid: string; body: Values }> {
    const answer = await fetch(`${stack.emulator.url}/_emulator/records/${kindCases[kind].collection}/${id}`);
    if (!answer.ok) throw new Error(`${kind} ${id} is not in the service: ${answer.status}`);
    return (await answer.json()) as { aid: string; body: Values };
  }

  /** Returns the faults of a cell after a step, from the engine's events, the state and the service's records. */
  async function wrongOf(cell: Cell, step: Step, ops: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
    const { name, kind, option, toggle, trial, nameProperty, title } = cell;
    const wrong: string[] = [];
    const check = (what: string, got: unknown, want: unknown): void => {
      if (JSON.stringify(got) !== JSON.stringify(want))
        wrong.push(`${name}, ${step}: ${what} ${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
    };
    const isEffective = option !== undefined && verdictOf(option) === "works";
    const outcome = outcomeOf(cell, step);
    const before = expected.get(name);
    const leaves = isEffective && before !== undefined && trial.leavesIn?.includes(step) === true;
    const retained = [...(before?.retained ?? []), ...(leaves ? [before.id] : [])];
    const resource = stack.state()[nameIn(cell, step)];
    const seen = new Set(ops.get(nameIn(cell, step)) ?? []);
    if (outcome === "deleted") {
      check("in the state is", resource?.id, undefined);
      check("the engine's last operation is", [...seen].at(-1), "delete");
      expected.set(name, { id: "", retained: retained });
      return wrong;
    }
    if (resource === undefined) return [`${name}, ${step}: it is not in the state`];
    const op = { created: "create", same: "same", updated: "update", replaced: "create-replacement" }[outcome];
    check(`the engine's operations ${[...seen].join(", ")} have ${op}`, seen.has(op), true);
    const isNew = outcome === "created" || outcome === "replaced";
    check("a new id is", resource.id !== before?.id, isNew);
    expected.set(name, { id: resource.id, retained: retained });
    const { aid, body } = await recordOf(kind, resource.id);
    const keeps = isEffective && trial.keepsValue && step === "change";
    check("the account group is", aid, isBefore(step, "replace") ? "1001" : "1002");
    check("the service's name is", body[nameProperty], title);
    check(
      `the service's ${toggle.property} is`,
      valueIn(body, toggle),
      isBefore(step, "change") || keeps ? toggle.from : toggle.to,
    );
    const output = resource.outputs[toggle.property];
    const isSecret = typeof output === "object" && output !== null && "ciphertext" in output;
    check("the output is encrypted", isSecret, isEffective && trial.encrypts === true);
    if (!isSecret) check("the output is", output, valueIn(body, toggle));
    return wrong;
  }

  const valueIn = (body: Values, { property }: Toggle): unknown => body[property];

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    copyFileSync(join(__dirname, "support/conformance-program.cjs"), join(stack.folder, "index.js"));
    Object.assign(stack.environment, { PULUMI_DEBUG_COMMANDS: "1" });
    stack.writeStateOnce();
  });
  afterAll(() => stack.end());

  it.each(steps)("step %s: each resource option has the effect that Pulumi documents", async (step) => {
    const program = step === "remove" ? [] : cells.map((cell) => declared(cell, step));
    writeFileSync(join(stack.folder, "program.json"), JSON.stringify(program));
    const { run, ops } = await up();
    const wrong = (await Promise.all(cells.map((cell) => wrongOf(cell, step, ops)))).flat();
    for (const kind of kinds) {
      const entries = cells.filter((cell) => cell.kind === kind).map(({ name }) => expected.get(name));
      const wantedIds = entries.flatMap((entry) => [...(entry?.retained ?? []), ...(entry?.id ? [entry.id] : [])]);
      const ids = await idsOf(kind);
      for (const id of ids)
        if (!wantedIds.includes(id)) wrong.push(`${kind}, ${step}: the service has ${id}, which nothing is to have`);
      for (const id of wantedIds) if (!ids.includes(id)) wrong.push(`${kind}, ${step}: the service lacks ${id}`);
    }
    expect(wrong).toEqual([]);
    if (step === "remove") return;
    for (const option of wanted) {
      const warned = run.text.includes(`The resource option ${option} has no effect`);
      expect([option, warned]).toEqual([option, verdictOf(option) === "warning"]);
    }
  });
});

it("the table in docs/options.md contains each resource option of the Pulumi SDK", () => {
  const declarations = readFileSync(require.resolve("@pulumi/pulumi/resource").replace(/\.js$/, ".d.ts"), "utf8");
  const optionsIn = (name: string): string[] => {
    const [, body = ""] = new RegExp(`^export interface ${name}[^{]*\\{(.*?)^\\}`, "ms").exec(declarations) ?? [];
    return [...body.matchAll(/^ {4}(\w+)\?:/gm)].map(([, option = ""]) => option);
  };
  // `id` and `urn` belong to `get`, and envVarMappings is an option of providers.
  const other = new Set(["id", "urn", "envVarMappings"]);
  const options = [...optionsIn("ResourceOptions"), ...optionsIn("CustomResourceOptions")].filter((name) => !other.has(name));
  expect(resourceOptions.map(({ name }) => name)).toEqual(options.toSorted());
  expect([...Object.keys(trials), "import"].toSorted()).toEqual(options.toSorted());
});
