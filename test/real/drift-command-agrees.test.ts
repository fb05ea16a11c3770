import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { check } from "../../provider/check";
import { records, type RecordKindName } from "../../provider/registry";
import { createBody, updateBody } from "../../provider/state";
import { validInputs } from "../provider/arbitrary";
import { amount, seed } from "../support/amount";
import { kindCases } from "../support/kinds";
import { door, report } from "./support/drift";
import { frontsWithinTime, Stack } from "./support/stack";

type Values = Record<string, unknown>;

/** A resource's first declaration, and its later content in the service. */
interface Case {
  name: string;
  kindName: RecordKindName;
  first: Values;
  second: Values;
  outcome: "stored" | "deleted";
}

const stacks = ["one", "two", "three", "four", "five"].slice(0, amount(1, 5));
const ofEachKind = amount(14, 12);
const kindNames = Object.keys(records) as RecordKindName[];

/** Properties that are valid only together. */
const together = [
  ["agentSelectorType", "agents", "endpointAgentLabels", "tagIds"],
  ["authType", "username", "password"],
];

/** Two versions of valid inputs. Each property or group of properties of the second version may equal the first. */
function versions(name: RecordKindName, labels: readonly string[]): fc.Arbitrary<Pick<Case, "first" | "second" | "outcome">> {
  const properties = Object.keys(records[name].schema.shape).filter(
    (property) => !["adopt", "accountGroupId"].includes(property),
  );
  const groups = [
    ...together.map((group) => group.filter((property) => properties.includes(property))),
    ...properties.filter((property) => !together.flat().includes(property)).map((property) => [property]),
  ];
  return fc
    .record({
      from: validInputs(name, labels),
      to: validInputs(name, labels),
      // Few properties, so that each is often the only one. No property means no drift.
      changed: fc.subarray(groups, { maxLength: 3 }),
      outcome: fc.oneof(
        { weight: 9, arbitrary: fc.constant("stored" as const) },
        { weight: 1, arbitrary: fc.constant("deleted" as const) },
      ),
    })
    .map(({ from, to, changed, outcome }) => {
      const taken = Object.fromEntries(changed.flat().map((property) => [property, to[property]]));
      return {
        first: { ...from, accountGroupId: undefined },
        second: { ...from, ...taken, accountGroupId: undefined },
        outcome,
      };
    });
}

describe.each(frontsWithinTime)("drift and the engine's own refresh with %s resources", (front) => {
  let stack: Stack;
  const from = seed(20_261);
  const cases = new Map<string, Case[]>();

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    const labels: string[] = [];
    for (const name of ["A", "B"]) {
      const made = await stack.api("POST", "/v7/endpoint/labels", { name, matchType: "and", filters: [] });
      labels.push(((await made.json()) as { id: string }).id);
    }
    for (const [at, stackName] of stacks.entries()) {
      await stack.add(stackName);
      stack.select(stackName);
      const made = kindNames.flatMap((kindName, kind) =>
        fc
          .sample(versions(kindName, labels), { numRuns: ofEachKind, seed: from + at * 10 + kind })
          .map((driftCase, i) => named({ ...driftCase, kindName, name: `${kindName}-${at}-${i}` })),
      );
      cases.set(stackName, made);
      stack.declare(
        Object.fromEntries(
          made.map(({ name, kindName, first }) => [name, { kind: kindCases[kindName].className, args: first }]),
        ),
      );
      await stack.up();
      const state = stack.state();
      for (const changedCase of made) await behindItsBack(stack, changedCase, state[changedCase.name]?.id ?? "");
    }
  });
  afterAll(() => stack.end());

  it("drift and pulumi refresh find the same changed and missing resources", async () => {
    const run = await stack.cli("drift", "--json", "--no-unmanaged");
    expect(run.code).toBe(2);
    const stackReports = report(run).stacks;
    let [count, changed, missing] = [0, 0, 0];
    for (const stackName of stacks) {
      const verdicts = await refreshVerdicts(stack, stackName);
      const drift = stackReports.find((stackReport) => stackReport.stack === stackName);
      const names = {
        update: drift?.changed.map(({ name }) => name).toSorted(),
        delete: drift?.missing.map(({ name }) => name).toSorted(),
      };
      const engine = (op: string): string[] =>
        [...verdicts]
          .filter(([, verdict]) => verdict === op)
          .map(([name]) => name)
          .toSorted();
      expect({ from, stackName, ...names }).toEqual({ from, stackName, update: engine("update"), delete: engine("delete") });
      expect([...verdicts.keys()].toSorted()).toEqual(
        cases
          .get(stackName)
          ?.map(({ name }) => name)
          .toSorted(),
      );
      count += verdicts.size;
      changed += engine("update").length;
      missing += engine("delete").length;
    }
    expect(count).toBe(stacks.length * kindNames.length * ofEachKind);
    expect(count).toBeGreaterThanOrEqual(amount(50, 200));
    // Each of the three results occurred often enough.
    const enough = amount(3, 8);
    for (const size of [changed, missing, count - changed - missing]) expect(size).toBeGreaterThanOrEqual(enough);
  });
});

/** Gives names that no other record has, because identical records are duplicates. */
function named(driftCase: Case): Case {
  const property = records[driftCase.kindName].nameProperty;
  const unique = (values: Values): Values => ({
    ...values,
    [property]: `${driftCase.name} ${String(values[property])}`.slice(0, 64),
  });
  return { ...driftCase, first: unique(driftCase.first), second: unique(driftCase.second) };
}

/** Creates the second version in the service, and replaces the first record's content with it. */
async function behindItsBack(stack: Stack, { kindName, second, outcome }: Case, id: string): Promise<void> {
  const kind = records[kindName];
  const { path, collection } = kindCases[kindName];
  if (outcome === "deleted") {
    await stack.api("DELETE", `${path}/${id}`);
    return;
  }
  const { inputs, failures } = check(kind, second);
  expect(failures).toEqual([]);
  if (kindCases[kindName].isUnique) {
    // The service rejects a second record with the same identity.
    await stack.change(kindName, id, updateBody(kind, inputs));
    return;
  }
  const twin = await stack.make(kindName, createBody(kind, inputs));
  if (kind.updateOnly.length > 0) await stack.change(kindName, twin, updateBody(kind, inputs));
  const [stored, former] = [await stack.stored(collection, twin), await stack.stored(collection, id)];
  const absent = Object.keys(former).filter((member) => !(member in stored));
  await door(stack, collection, id, { ...stored, ...Object.fromEntries(absent.map((member) => [member, null])) });
  await stack.api("DELETE", `${path}/${twin}`);
}

/** Returns the engine's result for each of our resources in a refresh, from its event log. */
async function refreshVerdicts(stack: Stack, stackName: string): Promise<Map<string, string>> {
  const log = join(stack.folder, `${stackName}.log`);
  await promisify(execFile)("pulumi", ["refresh", "--preview-only", "--json", "--event-log", log, "--stack", stackName], {
    cwd: stack.folder,
    env: { ...stack.env, PULUMI_DEBUG_COMMANDS: "1" },
    maxBuffer: 2 ** 28,
  });
  const verdicts = new Map<string, string>();
  for (const line of readFileSync(log, "utf8").trim().split("\n")) {
    const { resOutputsEvent: event } = JSON.parse(line) as { resOutputsEvent?: { metadata: { op: string; urn: string } } };
    if (event?.metadata.urn.includes("endpoint-monitoring:") && !event.metadata.urn.includes("::pulumi:providers:"))
      verdicts.set(event.metadata.urn.split("::").at(-1) ?? "", event.metadata.op);
  }
  return verdicts;
}
