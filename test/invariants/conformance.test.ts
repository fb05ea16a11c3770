/**
 * Runs the conformance matrix on the engine model: each resource option that changes the engine's requests, with each command,
 * each way to declare resources, each resource type and both provider types. The expected results follow from Pulumi's
 * documentation of options and commands (`outcomeOf`). After each operation, the service's records and the state must match
 * exactly. test/real/conformance.test.ts runs a part of the matrix on the real engine.
 */
import { records, type RecordKindName } from "../../provider/registry";
import { isObject, type Properties, sameValue } from "../../provider/values";
import { isLong } from "../support/amount";
import { engineCommands, resourceOptions } from "../support/conformance";
import { changeInPlace, kindCases, operationsOf, recordKinds, type Toggle } from "../support/kinds";
import { type Declared, EngineModel, type Operation, type Program, urnOf } from "../provider/engine-model";
import type { Front } from "../provider/engine-processes";
import { keyOf, ServiceView } from "../provider/service-view";

const fronts: readonly Front[] = ["dynamic", "native"];
const other = (front: Front): Front => (front === "dynamic" ? "native" : "dynamic");

/** A cell's declaration in the program, and its entry in the state. */
interface Declaration {
  value: unknown;
  group: string;
  trigger: string | undefined;
  isThere: boolean;
}

interface Cell {
  readonly kind: RecordKindName;
  readonly option: OptionName;
  readonly way: Semantics;
  readonly toggle: Toggle;
  /** Name of the record at the service. */
  readonly title: string;
  /** The cell of the same resource type and the same way without an option. */
  readonly anchor: Cell | undefined;
  name: string;
  /** The name in the state, if the program uses another name. */
  alias?: string;
  managed: Declaration;
  /** The id of the record in the state, and ids of retained records. */
  id: string;
  retained: string[];
}

/** How a program sets the option, and whether it sets the option only after the change. */
const options = {
  none: () => ({}),
  aliases: ({ alias }) => ({ alias }),
  deleteBeforeReplace: () => ({ deleteBeforeReplace: false }),
  deletedWith: ({ anchor }) => ({ deletedWith: anchor?.name }),
  dependsOn: ({ anchor }) => ({ dependsOn: anchor ? [anchor.name] : [] }),
  ignoreChanges: ({ toggle }) => ({ ignoreChanges: [toggle.property] }),
  provider: () => ({ provider: "own" }),
  replaceOnChanges: ({ toggle }) => ({ replaceOnChanges: [toggle.property] }),
  replaceWith: ({ anchor }) => ({ replaceWith: anchor ? [anchor.name] : [] }),
  replacementTrigger: (_, { trigger }) => ({ trigger }),
  retainOnDelete: () => ({ retainOnDelete: true }),
} as const satisfies Record<string, (cell: Cell, wanted: Declaration) => Partial<Declared>>;
type OptionName = keyof typeof options;
const optionNames = Object.keys(options) as OptionName[];

/** Options that no provider sees. test/real/conformance.test.ts covers them. */
const ofEngine = [
  "additionalSecretOutputs",
  "customTimeouts",
  "hideDiffs",
  "hooks",
  "import",
  "parent",
  "pluginDownloadURL",
  "protect",
  "stateMigrations",
  "transformations",
  "transforms",
  "version",
];

/** Values of a cell that a life contains, next to its anchor. */
interface Sample {
  readonly way: string;
  readonly kind: RecordKindName;
  readonly option: OptionName;
}

interface Command {
  run: (life: Life, program: Program) => Promise<void>;
  /** The effect on the cells, if it differs from `up`. */
  effect?: "nothing" | "replaces" | "deletes";
  /** Whether the command changes only the resources that it names. */
  spares?: true;
}

const up =
  (operation: (life: Life) => Operation) =>
  (life: Life, program: Program): Promise<void> =>
    life.engine.up(program, { ...life.operation, ...operation(life) });

const plainUp: Command = { run: up(() => ({})) };

const commands: Readonly<Record<string, Command>> = {
  up: plainUp,
  "up --refresh": { run: up(() => ({ refresh: true })) },
  "up --target URN": { run: up((life) => ({ target: life.names })), spares: true },
  "up --exclude URN": { run: up(() => ({ target: ["bystander"] })), effect: "nothing" },
  "up --replace URN": { run: up((life) => ({ replace: life.forced })), effect: "replaces" },
  "up --target-replace URN": {
    run: up((life) => ({ replace: life.forced, target: life.names })),
    effect: "replaces",
    spares: true,
  },
  "up --continue-on-error": {
    run: async (life, program) => {
      const neighbor: Declared = { kind: "dynamicTest", args: { testName: "Bad", application: "webex", ...byLabel("4711") } };
      const failed = up(() => ({ continueOnError: true }))(life, { neighbor, ...program });
      await expect(failed).rejects.toThrow("label");
    },
  },
  "preview --diff": { run: (life, program) => life.engine.preview(program), effect: "nothing", spares: true },
  refresh: { run: (life) => life.engine.refresh(), effect: "nothing", spares: true },
  "refresh --preview-only": { run: (life) => life.engine.previewRefresh(), effect: "nothing", spares: true },
  "destroy --target URN": {
    run: (life) => life.engine.destroy({ target: life.cells.flatMap(({ name, alias = name }) => [name, alias]) }),
    effect: "deletes",
    spares: true,
  },
  "state rename": {
    run: (life, program) => {
      life.rename();
      return up(() => ({}))(life, life.renamed(program));
    },
  },
  "state taint": { run: up((life) => ({ replace: life.forced })), effect: "replaces" },
  "stack export, stack import": {
    run: (life, program) => {
      life.engine.exportAndImport();
      return up(() => ({}))(life, program);
    },
  },
};

/** Commands that no provider sees, or that need another program. test/real/conformance-commands.test.ts covers them. */
const elsewhere = [
  "import TYPE NAME ID",
  "refresh --run-program",
  "stack change-secrets-provider",
  "stack rename",
  "state delete",
  "state move",
  "up --exclude-dependents",
  "up --plan FILE",
];

/** A way to declare resources or to run programs. */
interface Semantics {
  kinds?: (kind: RecordKindName) => boolean;
  args?: Properties;
  operation?: Operation;
  settings?: Record<string, string>;
  front?: (front: Front, isChanged: boolean) => Front;
  provider?: (isChanged: boolean) => string | undefined;
  /**
   * Whether the resources adopt existing records, completely or partly. Adoption is partial if the service rejects the
   * update.
   */
  adopts?: "whole" | "in part";
}

const byLabel = (id: unknown): Properties => ({ agentSelectorType: "agent-labels", endpointAgentLabels: [id] });
const isTest = (kind: RecordKindName): boolean => Object.values(records[kind].refersTo).includes("label");
const password = "hush-hush-pa55";

const semantics: Readonly<Record<string, Semantics>> = {
  literal: {},
  "side by side": { operation: { parallel: true } },
  "by the id of a label": { kinds: isTest, args: byLabel({ $id: "fleet" }) },
  "with a password": {
    kinds: (kind) => records[kind].secrets.length > 0,
    args: { authType: "basic", username: "probe", password },
  },
  "moved to the other front": { front: (front, isChanged) => (isChanged ? other(front) : front) },
  "moved to another provider": { provider: (isChanged) => (isChanged ? "east" : undefined) },
  "replaced by creating first": { settings: { replaceOrder: "create-first" } },
  "adopt: true": { args: { adopt: true } },
  "adopting a record": { args: { adopt: true }, adopts: "whole" },
  "adopting a record in part": { args: { adopt: true }, adopts: "in part" },
};

/**
 * Whether the service allows a second record with the same identity, which a replacement in the same account group needs.
 */
function isPossible({ effect }: Command, { settings }: Semantics, kind: RecordKindName, option: OptionName): boolean {
  const keepsOld = option === "retainOnDelete" || option === "deleteBeforeReplace" || settings !== undefined;
  const isReplaced = effect === "replaces" || option === "replacementTrigger" || option === "replaceOnChanges";
  return !(kindCases[kind].isUnique && keepsOld && isReplaced);
}

/** Returns the values of all cells of a command with a way to declare resources. */
function samplesOf(command: Command, way: string): Sample[] {
  const semantic = semantics[way] ?? {};
  const kinds = recordKinds.filter((kind) => (semantic.kinds?.(kind) ?? true) && isPossible(command, semantic, kind, "none"));
  return kinds.flatMap((kind) =>
    optionNames
      .filter((option) => option !== "none" && isPossible(command, semantic, kind, option))
      .map((option) => ({ way, kind, option })),
  );
}

/** A stack with cells of one or several ways, through one command, from creation to destroy. */
class Life {
  readonly engine: EngineModel;
  readonly operation: Operation;
  readonly cells: Cell[];
  /** Differences from the expected results. */
  readonly wrong: string[] = [];
  readonly #settings: Readonly<Record<string, string>> | undefined;
  #wanted: Omit<Declaration, "value" | "trigger"> & { isChanged: boolean } = { isChanged: false, group: "1001", isThere: true };
  #steps = 0;
  #bystander = "";

  constructor(
    readonly service: ServiceView,
    readonly front: Front,
    private readonly command: Command,
    samples: readonly Sample[],
  ) {
    const cell = ({ way, kind, option }: Sample, anchor?: Cell): Cell => {
      const name = `${kind}-${option}-${Object.keys(semantics).indexOf(way)}`;
      const managed: Declaration = { value: undefined, group: "", trigger: undefined, isThere: false };
      const common = { kind, option, way: semantics[way] ?? {}, toggle: changeInPlace(kind) };
      return { ...common, title: `Cell ${name}`, anchor, name, managed: managed, id: "", retained: [] };
    };
    const groups = Map.groupBy(samples, ({ way, kind }) => `${way}, ${kind}`);
    this.cells = [...groups.values()].flatMap((group) => {
      const anchor = group[0] && cell({ ...group[0], option: "none" });
      return [...(anchor ? [anchor] : []), ...group.map((sample) => cell(sample, anchor))];
    });
    const ways = this.cells.map(({ way }) => way);
    this.operation = ways.find(({ operation }) => operation)?.operation ?? {};
    this.#settings = ways.find(({ settings }) => settings)?.settings;
    this.engine = new EngineModel(service, { createOutcomeTimeout: "0.04", timeout: "5", ...this.#settings });
  }

  /** The names that a command line contains, from the program or the state. */
  get names(): string[] {
    return [...this.cells.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])), "fleet"];
  }

  /** Names that the command replaces, including resources that `replaceWith` connects to them. */
  get forced(): string[] {
    return this.cells.filter(({ option }) => option !== "replaceWith").map(({ name }) => name);
  }

  async run(): Promise<void> {
    await this.#create();
    this.#wanted.isChanged = true;
    for (const cell of this.cells) if (cell.option === "aliases") this.#name(cell, `${cell.name}-renamed`);
    await this.#step("change");
    this.#wanted.group = "1002";
    await this.#step("replace");
    this.#wanted.isThere = false;
    await this.#step("remove");
    await this.engine.destroy();
    if (this.engine.entries.length > 0) this.wrong.push("the state is not empty after a destroy");
  }

  /** Gives a cell another name, and adds the previous name to `aliases`. */
  #name(cell: Cell, name: string): void {
    cell.alias = cell.name;
    cell.name = name;
  }

  /** Renames the resources in the state before the program changes. */
  rename(): void {
    for (const cell of this.cells) {
      const named = cell.alias ?? cell.name;
      this.engine.rename(named, `${named}-again`);
      this.engine.rename(cell.name, `${cell.name}-again`);
      if (cell.alias !== undefined) cell.alias += "-again";
      cell.name += "-again";
    }
  }

  /** Returns the program with the current names. */
  renamed(program: Program): Program {
    return program["bystander"] ? this.#program() : {};
  }

  async #create(): Promise<void> {
    const byHand = new Map<Cell, string>();
    for (const cell of this.cells.filter(({ way }) => way.adopts)) {
      const { kind, toggle, title } = cell;
      // The kind's own form has members that the program omits.
      const properties = { ...kindCases[kind].minimal, ...this.#named(kind, title), [toggle.property]: toggle.to };
      byHand.set(cell, await this.service.make(kind, properties));
    }
    if (this.cells.some(({ way }) => way.adopts === "in part")) {
      for (const kind of recordKinds) {
        this.service.fault({ operation: operationsOf(kind).update.id, kind: "status", status: 403, n: 1_000 });
      }
      const adoption = this.engine.up(this.#program(), { ...this.operation, continueOnError: true });
      const failed = await adoption.then(
        () => "nothing",
        ({ message }: Error) => message,
      );
      if (!failed.includes("adopted, but")) this.wrong.push(`an adoption in part failed with ${failed}`);
      this.service.well();
      await this.engine.refresh();
    }
    await this.engine.up(this.#program(), this.operation);
    this.#expect("applies");
    this.#check("create");
    for (const [cell, id] of byHand) {
      // A partly adopted record differs from the declared one, so the next update changes it.
      const isReplaced = cell.way.adopts === "in part" && cell.option === "replaceOnChanges" && this.front === "native";
      if ((cell.id === id) === isReplaced) this.wrong.push(`${cell.name}: it has ${cell.id} after it adopted ${id}`);
    }
  }

  /** Runs the command after a change of the program, then `up`. */
  async #step(step: string): Promise<void> {
    const { command } = this;
    // no-wedge and random-life cover a destroy with an unchanged program.
    const { effect, spares, run } = command.effect === "deletes" && step !== "remove" ? plainUp : command;
    this.#steps += 1;
    const before = this.service.records();
    await run(this, this.#program());
    this.#expect(effect ?? "applies");
    this.#check(`${step} by the command`);
    const bystander = this.service.records().get(keyOf("label", this.#bystander));
    const isSpared = sameValue(bystander?.body, before.get(keyOf("label", this.#bystander))?.body);
    if (isSpared !== (spares === true)) this.wrong.push(`${step}: the bystander was ${isSpared ? "spared" : "changed"}`);
    await this.engine.up(this.#program(), this.operation);
    this.#expect("applies");
    this.#check(`${step} by up after it`);
  }

  #named(kind: RecordKindName, title: string): Properties {
    return { [records[kind].nameProperty]: title };
  }

  #frontOf(way: Semantics): Front {
    return way.front?.(this.front, this.#wanted.isChanged) ?? this.front;
  }

  #declared({ option, toggle }: Cell): Declaration {
    const { isChanged, group, isThere } = this.#wanted;
    const trigger = option === "replacementTrigger" ? (isChanged ? "second" : "first") : undefined;
    return { value: isChanged ? toggle.to : toggle.from, group, trigger, isThere };
  }

  #program(): Program {
    const { group, isThere, isChanged } = this.#wanted;
    const label = (name: string, color: string, accountGroupId: string): Declared => ({
      kind: "label",
      front: this.front,
      args: { ...kindCases.label.minimal, name, color, accountGroupId },
      deleteBeforeReplace: true,
    });
    const cells = this.cells.map((cell): [string, Declared] => {
      const wanted = this.#declared(cell);
      const { kind, toggle, title, option, name, way } = cell;
      const front = this.#frontOf(way);
      const args = { ...kindCases[kind].minimal, ...way.args, [toggle.property]: wanted.value, accountGroupId: group };
      const provider = way.provider?.(isChanged);
      const common = {
        deleteBeforeReplace: this.#settings ? undefined : true,
        ...(provider !== undefined && { provider }),
      };
      const ownOptions = options[option](cell, wanted);
      return [name, { kind, front, args: { ...args, ...this.#named(kind, title) }, ...common, ...ownOptions }];
    });
    return {
      bystander: label("Bystander", `#00000${this.#steps}`, "1001"),
      fleet: label("Fleet", "#123456", group),
      ...(isThere ? Object.fromEntries(cells) : {}),
    };
  }

  /** Returns the outcome that Pulumi documents for an operation on this cell. */
  #outcomeOf({ option, managed, way }: Cell, wanted: Declaration, isForced: boolean): string {
    if (!wanted.isThere || !managed.isThere) return wanted.isThere ? "created" : managed.isThere ? "deleted" : "nothing";
    // A forced replacement has no diff. The provider cannot distinguish it from a new resource, and the old record still
    // exists.
    const keepsOld = option === "retainOnDelete" || option === "deleteBeforeReplace";
    if (isForced && keepsOld && way.args?.["adopt"] === true && wanted.group === managed.group) return "adopted again";
    if (isForced || wanted.group !== managed.group || wanted.trigger !== managed.trigger) return "replaced";
    if (sameValue(wanted.value, managed.value) || option === "ignoreChanges") return "nothing";
    // The host of dynamic providers does not pass on which properties changed.
    const replaces = option === "replaceOnChanges" && this.#frontOf(way) === "native";
    return replaces ? "replaced" : "updated";
  }

  /** Records the expected result of an operation for each cell. */
  #expect(effect: "applies" | "nothing" | "replaces" | "deletes"): void {
    if (effect === "nothing") return;
    for (const cell of this.cells) {
      const wanted = this.#declared(cell);
      const outcome = this.#outcomeOf(cell, wanted, effect === "replaces");
      const leaves = cell.option === "retainOnDelete" || (cell.option === "deletedWith" && outcome === "deleted");
      if (leaves && ["replaced", "deleted"].includes(outcome)) cell.retained.push(cell.id);
      // After a partial adoption, a refresh records the service's values as inputs, and `ignoreChanges` keeps them.
      const keepsFound = outcome === "created" && cell.way.adopts === "in part" && cell.option === "ignoreChanges";
      if (outcome !== "nothing") cell.managed = keepsFound ? { ...wanted, value: cell.toggle.to } : wanted;
      const isNew = outcome === "created" || outcome === "replaced";
      const former = cell.id;
      cell.id = cell.managed.isThere ? (this.#entry(cell)?.id ?? "") : "";
      if (isNew === (cell.id === former) && outcome !== "deleted" && cell.managed.isThere) {
        this.wrong.push(`${cell.name}, ${outcome}: the state had ${former}, and has ${cell.id}`);
      }
    }
  }

  #entry({ name, alias }: Cell): { id: string; inputs: Properties; outputs: Properties } | undefined {
    const { state } = this.engine;
    const urns = [name, alias ?? name].flatMap((resourceName) => fronts.map((front) => urnOf(front, resourceName)));
    return urns.map((urn) => state.get(urn)).find((entry) => entry !== undefined);
  }

  /** Compares the service's records and the state with the expected results. */
  #check(when: string): void {
    const seen = this.service.records();
    const say = (cell: Cell, what: string): void => void this.wrong.push(`${cell.name}, ${when}: ${what}`);
    const expected = new Set<string>();
    for (const cell of this.cells) {
      const { kind, id, retained, managed, toggle, title } = cell;
      for (const recordId of [...retained, ...(id === "" ? [] : [id])]) expected.add(keyOf(kind, recordId));
      const entry = this.#entry(cell);
      if ((entry?.id ?? "") !== id) say(cell, `the state has ${entry?.id}, not ${id || "nothing"}`);
      if (!managed.isThere || !entry) continue;
      const record = seen.get(keyOf(kind, id));
      const [value, output] = [record?.body[toggle.property], entry.outputs[toggle.property]];
      if (record?.aid !== managed.group) say(cell, `its account group is ${record?.aid}, not ${managed.group}`);
      if (record?.body[records[kind].nameProperty] !== title) say(cell, "its record has another name");
      if (!sameValue(value, managed.value)) say(cell, `${toggle.property} is ${JSON.stringify(value)}`);
      if (!sameValue(output, managed.value)) say(cell, `${toggle.property} in state is ${JSON.stringify(output)}`);
      if (JSON.stringify(withoutSecrets(entry.inputs)).includes(password))
        say(cell, "the state has the password as clear text");
    }
    this.#bystander = this.engine.state.get(urnOf(this.front, "bystander"))?.id ?? "";
    const fleet = this.engine.state.get(urnOf(this.front, "fleet"))?.id ?? "";
    for (const id of [this.#bystander, fleet]) expected.add(keyOf("label", id));
    for (const [key, { kind }] of seen) {
      if (kind !== "endpointAgent" && !expected.has(key))
        this.wrong.push(`${when}: the service has ${key}, which nothing is to have`);
    }
    for (const key of expected) if (!seen.has(key)) this.wrong.push(`${when}: the service lacks ${key}`);
    if (this.engine.pendingDeletes.length > 0) this.wrong.push(`${when}: deletions are pending`);
  }
}

/** Returns values without secret wrappers. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  if ("4dabf18193072939515e22adb298388d" in value) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}

/** A life. Its ways are names for the title. */
type Row = readonly [front: Front, command: string, ways: string, samples: readonly Sample[]];

const commandOf = (name: string): Command => commands[name] ?? plainUp;

/** Each command with each way, on both fronts and with all cells. */
const whole = fronts.flatMap((front) =>
  Object.keys(commands).flatMap((command) =>
    Object.keys(semantics).map((way): Row => [front, command, way, samplesOf(commandOf(command), way)]),
  ),
);

/**
 * Returns every two values that occur together in the cell of a sample or in its anchor. A forced replacement has no diff, so its
 * outcome depends on the way and the option together.
 */
function pairsOf(front: Front, command: string, { way, kind, option }: Sample): string[] {
  return ["none", option].flatMap((optionName) => {
    const values = [front, command, way, kind, optionName];
    const pairs = values.flatMap((value, at) => values.slice(at + 1).map((met) => `${value}, ${met}`));
    return commandOf(command).effect === "replaces" ? [...pairs, `replaced, ${way}, ${optionName}`] : pairs;
  });
}

const pairsIn = ([front, command, , samples]: Row): string[] => samples.flatMap((sample) => pairsOf(front, command, sample));

/** The ways that cells of one life can have. A way that concerns a whole operation has its own life. */
const together = Object.groupBy(Object.entries(semantics), ([name, { operation, settings, adopts }]) =>
  operation || settings || adopts === "in part" ? name : "of cells",
);
const waysOfLives = Object.values(together).map((group = []) => group.map(([name]) => name));

/**
 * Returns lives that together contain every pair. Each command meets each way in a cell of a life on one of the fronts, with the
 * sample that contains the most new pairs. Further samples contain the remaining pairs.
 */
function pairwise(): Row[] {
  const uncovered = new Set(whole.flatMap(pairsIn));
  const lives = Object.keys(commands).flatMap((command, c) =>
    waysOfLives.map((ways, w) => ({ front: fronts[(c + w) % 2] ?? "dynamic", command, ways, samples: [] as Sample[] })),
  );
  const candidates = lives.flatMap((life) =>
    life.ways.map((way) =>
      samplesOf(commandOf(life.command), way).map((sample) => ({
        life,
        sample,
        pairs: pairsOf(life.front, life.command, sample),
      })),
    ),
  );
  const choose = (samples: (typeof candidates)[number]): void => {
    const newPairs = samples.map(({ pairs }) => pairs.filter((pair) => uncovered.has(pair)).length);
    const best = samples[newPairs.indexOf(Math.max(...newPairs))];
    best?.life.samples.push(best.sample);
    for (const pair of best?.pairs ?? []) uncovered.delete(pair);
  };
  for (const ofWay of candidates) choose(ofWay);
  const all = candidates.flat();
  for (let before = 0; uncovered.size > 0 && uncovered.size !== before;) {
    before = uncovered.size;
    choose(all);
  }
  return lives.map(({ front, command, ways, samples }): Row => [front, command, ways.join(", "), samples]);
}

describe("the conformance matrix", () => {
  let service: ServiceView;
  let cells = 0;
  beforeAll(async () => {
    service = await ServiceView.start();
  });
  afterAll(async () => {
    process.stdout.write(`conformance on the engine model: ${cells} cells\n`);
    await service.emulator.close();
  });
  beforeEach(() => service.reset());

  const short = pairwise();
  const rows = isLong ? whole : short;

  it.each(rows)(
    "resources behave as the Pulumi documentation describes: %s provider type, %s, %s",
    async (front, command, _ways, samples) => {
      const life = new Life(service, front, commandOf(command), samples);
      await life.run().catch((error: unknown) => life.wrong.push(`it failed: ${(error as Error).message}`));
      cells += life.cells.length;
      expect(life.wrong).toEqual([]);
    },
  );

  it("the sampled rows of the matrix cover every pair of values", () => {
    const covered = new Set(short.flatMap(pairsIn));
    expect(whole.flatMap(pairsIn).filter((pair) => !covered.has(pair))).toEqual([]);
  });

  it("the matrix and its exceptions cover every documented resource option and engine command", () => {
    const ownOptions = optionNames.filter((name) => name !== "none");
    expect([...ownOptions, ...ofEngine].toSorted()).toEqual(resourceOptions.map(({ name }) => name).toSorted());
    const known = Object.keys(commands).filter((name) => name !== "up");
    expect([...known, ...elsewhere].toSorted()).toEqual(engineCommands.map(({ name }) => name).toSorted());
  });
});
