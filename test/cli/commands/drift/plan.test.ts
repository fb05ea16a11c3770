import { replacedBetween } from "../../../../cli/commands/drift/fix";
import { planOf } from "../../../../cli/commands/drift/plan";
import type { StackDrift } from "../../../../cli/commands/drift/data";
import type { EngineResource } from "../../../../engine/state";
import { drifted, inState, reference, urnOf } from "../../drift-support";
import { inRuns } from "../../../../engine/run";
import type { ComparedStack } from "../../../../cli/commands/drift/model";

const label = (name: string): string => urnOf("label", name);
const scheduled = (name: string): string => urnOf("agentToServerTest", name);
const renews = [{ property: "maxMachines", replaces: true as const }];

function plan(
  resources: EngineResource[],
  differences: Partial<StackDrift>,
  waiting: Record<string, string | undefined> = {},
): { groups: string[][]; skipped: Record<string, string> } {
  const drift = { stack: "dev", resources: resources.length, changed: [], missing: [], notes: [], ...differences };
  const same = resources.flatMap(({ urn }): [string, string][] => (urn in waiting ? [] : [[urn, "same"]]));
  const pending = Object.entries(waiting).flatMap(([urn, op]): [string, string][] => (op === undefined ? [] : [[urn, op]]));
  const { groups, left } = planOf(drift, resources, new Map([...same, ...pending]));
  const short = (urn: string): string => urn.split("::").at(-1) ?? "";
  return {
    groups: groups.map((group) => group.map(short).toSorted()).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    skipped: Object.fromEntries([...left].map(([urn, why]) => [short(urn), why])),
  };
}

const gone = (kind: "label" | "agentToServerTest", name: string) => ({ ...reference(kind, name), referredToBy: [] });

test("`drift --fix` recognizes replaced records by their changed ids", () => {
  const comparedStack = (ids: Record<string, string>, missing: string[] = []): ComparedStack => {
    const resources = Object.entries(ids).map(([name, id]) => inState("label", name, {}, { id }));
    const drift = { stack: "dev", resources: 3, changed: [], missing: missing.map((name) => gone("label", name)), notes: [] };
    // Only the stack's name is read.
    return { stack: { name: "dev" } as ComparedStack["stack"], managed: [], resources, drift };
  };
  const before = comparedStack({ same: "1", replaced: "2", missing: "3" }, ["missing"]);
  const after = comparedStack({ same: "1", replaced: "4", missing: "5", created: "6" });
  expect(replacedBetween(before, after).map(({ name }) => name)).toEqual(["replaced"]);
});

describe("plan of `drift --fix`", () => {
  it("`drift --fix` updates each changed resource separately", () => {
    const resources = [inState("label", "a"), inState("agentToServerTest", "t"), inState("label", "other")];
    const differences = { changed: [drifted("label", "a"), drifted("agentToServerTest", "t")] };
    expect(plan(resources, differences)).toEqual({ groups: [["a"], ["t"]], skipped: {} });
  });

  it("`drift --fix` updates each resource that refers to a resource with a new id", () => {
    const resources = [
      inState("label", "a"),
      inState("agentToServerTest", "t", { endpointAgentLabels: [label("a")] }),
      inState("testRun", "run", { testId: [scheduled("t")] }),
      // A new name is an update in place, so the resources that refer to the name stay.
      inState("label", "named", { name: [label("a")] }),
      inState("agentToServerTest", "far", { endpointAgentLabels: [label("named")] }),
      // A resource of another provider: its dependencies are known only as a whole.
      { urn: "urn:pulumi:dev::test::other:Thing::thing", type: "other:Thing", dependencies: [label("a")] },
      inState("agentToServerTest", "apart"),
    ];
    expect(plan(resources, { missing: [gone("label", "a")] }).groups).toEqual([["a", "named", "run", "t", "thing"]]);
    expect(plan(resources, { changed: [drifted("label", "a")] }).groups).toEqual([["a"]]);
  });

  it("`drift --fix` follows references through resources of other providers", () => {
    const thing = "urn:pulumi:dev::test::other:Thing::thing";
    const resources = [
      inState("label", "a"),
      { urn: thing, type: "other:Thing", dependencies: [label("a")] },
      inState("testRun", "run", { testId: [thing] }),
    ];
    expect(plan(resources, { missing: [gone("label", "a")] }).groups).toEqual([["a", "run", "thing"]]);
  });

  it("`drift --fix` counts a resource as replaced if a create-only property contains a changed reference", () => {
    const resources = [
      inState("label", "a"),
      inState("agentToServerTest", "t", { endpointAgentLabels: [label("a")] }),
      // Refers to the label by a property that updates in place, and to the test by one that replaces.
      inState("agentToServerTest", "both", { testName: [label("a")], maxMachines: [scheduled("t")] }),
      inState("testRun", "run", { testId: [scheduled("both")] }),
    ];
    expect(plan(resources, { missing: [gone("label", "a")] }).groups).toEqual([["a", "both", "run", "t"]]);
  });

  it("`drift --fix` groups two resources that a third resource refers to", () => {
    const resources = [
      inState("label", "a"),
      inState("label", "b"),
      inState("agentToServerTest", "t", { endpointAgentLabels: [label("a"), label("b")] }),
      inState("label", "c"),
    ];
    const differences = { missing: [gone("label", "a"), gone("label", "b"), gone("label", "c")] };
    expect(plan(resources, differences).groups).toEqual([["a", "b", "t"], ["c"]]);
  });

  it("`drift --fix` skips the whole group of a drifted resource that the program also changes", () => {
    const resources = [
      inState("label", "a"),
      inState("agentToServerTest", "t", { endpointAgentLabels: [label("a")] }),
      inState("agentToServerTest", "gone"),
      inState("agentToServerTest", "renamed"),
    ];
    const differences = {
      missing: [gone("label", "a")],
      changed: [drifted("agentToServerTest", "gone"), drifted("agentToServerTest", "renamed")],
    };
    const waiting = { [scheduled("t")]: "update", [scheduled("gone")]: "delete", [scheduled("renamed")]: undefined };
    expect(plan(resources, differences, waiting)).toEqual({
      groups: [],
      skipped: {
        a: "t refers to it: the program also changes it (update): `pulumi up --refresh` does both",
        gone: "the program no longer declares it: `pulumi up` deletes it",
        renamed: "the program declares it under another name: `pulumi up --refresh` does both",
      },
    });
  });

  it("`drift --fix` updates a protected resource unless the fix would replace it", () => {
    const resources = [
      inState("agentToServerTest", "replaced", {}, { protect: true }),
      inState("agentToServerTest", "updated", {}, { protect: true }),
      inState("label", "created", {}, { protect: true }),
    ];
    const differences = {
      changed: [drifted("agentToServerTest", "replaced", renews), drifted("agentToServerTest", "updated")],
      missing: [gone("label", "created")],
    };
    const { groups, skipped } = plan(resources, differences);
    expect(groups).toEqual([["created"], ["updated"]]);
    expect(Object.keys(skipped)).toEqual(["replaced"]);
  });

  it("`drift --fix` skips resources that refer to a record that the fix does not recreate", () => {
    const resources = [
      inState("label", "a"),
      inState("agentToServerTest", "waits", { endpointAgentLabels: [label("a")] }),
      inState("agentToServerTest", "replaced", { endpointAgentLabels: [label("a")] }),
      inState("agentToServerTest", "updated", { endpointAgentLabels: [label("a")] }),
      inState("agentToServerTest", "apart"),
      inState("testRun", "run", { testId: [scheduled("replaced")] }),
    ];
    const differences = {
      missing: [gone("label", "a")],
      changed: ["updated", "apart"].map((name) => drifted("agentToServerTest", name)),
    };
    differences.changed.push(drifted("agentToServerTest", "replaced", renews));
    const { groups, skipped } = plan(resources, differences, { [scheduled("waits")]: "update" });
    expect(groups).toEqual([["apart"]]);
    const pending = "the program also changes it (update): `pulumi up --refresh` does both";
    const together = `it can only be fixed together with waits, which is not fixed: ${pending}`;
    expect(skipped).toEqual({ a: `waits refers to it: ${pending}`, replaced: together, updated: together });
  });

  it("`drift --fix` also skips resources that refer indirectly to a record that the fix does not recreate", () => {
    const resources = [
      inState("label", "a"),
      inState("agentToServerTest", "waits", { endpointAgentLabels: [label("a")] }),
      inState("agentToServerTest", "t", { endpointAgentLabels: [label("a")] }),
      inState("testRun", "run", { testId: [scheduled("t")] }),
      inState("testRun", "last", { triggers: [urnOf("testRun", "run")] }),
    ];
    const run = (name: string) => ({ ...reference("testRun", name), referredToBy: [] });
    const missing = [gone("label", "a"), gone("agentToServerTest", "t"), run("run"), run("last")];
    for (const differences of [missing, missing.toReversed()]) {
      const { groups, skipped } = plan(resources, { missing: differences }, { [scheduled("waits")]: "update" });
      expect(groups).toEqual([]);
      const together = expect.stringMatching(/^it can only be fixed together with waits, which is not fixed: /);
      expect(skipped).toMatchObject({ t: together, run: together, last: together });
    }
  });

  it("`drift --fix` puts two resources that refer to each other into one group", () => {
    const resources = [
      inState("testRun", "a", { testId: [urnOf("testRun", "b")] }),
      inState("testRun", "b", { testId: [urnOf("testRun", "a")] }),
    ];
    expect(plan(resources, { changed: [drifted("testRun", "a", renews)] }).groups).toEqual([["a", "b"]]);
  });
});

describe("batches of targets in `drift --fix`", () => {
  it("`drift --fix` never splits a group of resources between batches", () => {
    expect(inRuns([])).toEqual([]);
    expect(inRuns([["a"], ["b", "c"]])).toEqual([["a", "b", "c"]]);
    const long = (name: string): string => name.repeat(50);
    expect(inRuns([[long("a")], [long("b"), long("c")], [long("d")]], 180)).toEqual([
      [long("a")],
      [long("b"), long("c")],
      [long("d")],
    ]);
    // A group above the length is a batch of its own.
    expect(inRuns([[long("a"), long("b"), long("c"), long("d")], [long("e")]], 200)).toHaveLength(2);
    expect(inRuns([["a"], ["a", "b"]])).toEqual([["a", "b"]]);
  });

  it("`drift --fix` splits an update of 10,000 targets into several commands of permitted length", () => {
    const groups = Array.from({ length: 10_000 }, (_, i) => [scheduled(`portal-${i}`)]);
    const runs = inRuns(groups);
    expect(runs.flat()).toHaveLength(10_000);
    for (const run of runs) expect(run.join(" --target ").length).toBeLessThan(500_000);
    expect(inRuns(groups.slice(0, 1_000))).toHaveLength(1);
  });
});
