import { sameSet, stringOf } from "../../provider/values";
import type { ManagedResource } from "../engine/state";
import { shellWord } from "../report/text";
import { locate } from "../edit/locate";
import { Refusal } from "../edit/value";
import type { Instance } from "../edit/instances";
import { compareAgents, labelsOf, type TagOfLabel } from "./agents";
import type { Hindrance, LeftOver, MigratedTest } from "./report";
import { labelsIn, type Situation, tagOfLabel } from "./situation";
import { emptyPlan, type Excluded, type ExpectedChange, placeOf, type StepPlan } from "./step-plan";
import { testEdits } from "./write-tests";

/** Ids of tags by those of their labels; undefined for a label that has none. */
type TagIds = ReadonlyMap<string, string | undefined>;

const byHand = 'write agentSelectorType: "agent-tags" and tagIds, with the ids of the tags, by hand';

/** Plans that tests select by the tags of their labels. */
export function planTests(situation: Situation, excluded: Excluded): StepPlan {
  const { instances, declarations, stack } = situation;
  const tests = testsIn(situation.managed);
  const ids: TagIds = new Map(labelsIn(situation.managed).map((label) => [label.id, tagOfLabel(situation, label)?.id]));
  const kept = new Map<Instance, Refusal>();
  const hindered = new Map<ManagedResource, Hindrance>();
  const owners = new Map(tests.map((test) => [test, instancesOf(situation, test)]));
  for (const [test, found] of owners) {
    const mistake = excluded.get(test.urn);
    const why = mistake === undefined ? hindrance(test, ids, stack.name) : { reason: mistake, advice: byHand };
    if (!why) continue;
    hindered.set(test, why);
    for (const one of found) kept.set(one, new Refusal(why.reason, one.declaration.node));
  }
  const { edits, written, refused } = testEdits(instances, declarations, kept);
  const isWritten = new Set(written);
  const done = tests.filter((test) => owners.get(test)?.some((one) => isWritten.has(one)));
  return {
    ...emptyPlan,
    step: "tests",
    edits,
    tests: agentsOfTests(situation, done, (label) => tagOfLabel(situation, label)?.inputs),
    expected: new Map(done.map((test) => [test.urn, expectedOf(test, ids)])),
    left: leftOvers(tests, owners, refused, hindered),
  };
}

/** Tests that select by labels. */
export function testsIn(managed: readonly ManagedResource[]): ManagedResource[] {
  return managed.filter(({ kind, inputs }) => kind.reach?.means === "test" && labelsOf(inputs).length > 0);
}

/** Whom tests select by their labels, and by tags. @param tagOf what the tag of a label says, or is to say */
export function agentsOfTests(
  { managed, holdings }: Situation,
  tests: readonly ManagedResource[],
  tagOf: (label: ManagedResource) => TagOfLabel["tag"] | undefined,
): MigratedTest[] {
  const tags = new Map(
    labelsIn(managed).flatMap((label): [string, TagOfLabel][] => {
      const tag = tagOf(label);
      return tag ? [[label.id, { label: label.inputs, tag }]] : [];
    }),
  );
  const found = compareAgents(holdings, tags);
  return tests.map(({ kindName, name, id }) => {
    const why = "it is on no list of the service";
    const agents = found.get(id) ?? { verdict: "unknown" as const, gained: [], lost: [], unclear: 0, why };
    return { kind: kindName, name, id, ...agents };
  });
}

/** What keeps a test from being replaced. */
function hindrance({ inputs, protect, urn }: ManagedResource, ids: TagIds, stack: string): Hindrance | undefined {
  const foreign = labelsOf(inputs).filter((id) => !ids.has(id));
  if (foreign.length > 0) {
    return { reason: `selects by label ${foreign.join(", ")}, which this stack does not manage`, advice: byHand };
  }
  const bare = labelsOf(inputs).filter((id) => ids.get(id) === undefined);
  if (bare.length > 0) {
    return { reason: `selects by label ${bare.join(", ")}, which has no tag yet`, advice: "take the step tags for it first" };
  }
  if (!protect) return undefined;
  const command = `pulumi state unprotect --yes ${shellWord(urn)} --stack ${stack}`;
  return { reason: "is protected, and would be replaced", advice: `run \`${command}\`, then this again` };
}

function instancesOf({ instances }: Situation, test: ManagedResource): readonly Instance[] {
  const found = locate(instances, test);
  if (!("why" in found)) return found;
  const seen = test.position && instances.source.at(test.position);
  return seen?.className === test.kind.name ? instances.all.filter(({ declaration }) => declaration === seen) : [];
}

function expectedOf({ inputs }: ManagedResource, ids: TagIds): ExpectedChange {
  const wanted = labelsOf(inputs).flatMap((id) => ids.get(id) ?? []);
  return {
    op: "replace",
    mistake: (now) => {
      const tagIds = Array.isArray(now["tagIds"]) ? now["tagIds"].map(String) : [];
      if (sameSet(tagIds, wanted) && now["endpointAgentLabels"] === undefined) return undefined;
      return `it would select by ${stringOf(now["agentSelectorType"])} ${tagIds.join(", ")} instead of tag ${wanted.join(", ")}`;
    },
  };
}

function leftOvers(
  tests: readonly ManagedResource[],
  owners: ReadonlyMap<ManagedResource, readonly Instance[]>,
  refused: ReadonlyMap<Instance, Refusal>,
  hindered: ReadonlyMap<ManagedResource, Hindrance>,
): LeftOver[] {
  return tests.flatMap((test): LeftOver[] => {
    const found = owners.get(test) ?? [];
    const why = found.flatMap((one) => refused.get(one) ?? [])[0];
    const base = { kind: test.kindName, name: test.name, id: test.id };
    const position = why ? placeOf(why) : test.position;
    const left = { ...base, ...(position && { position }) };
    const known = hindered.get(test);
    if (known) return [{ ...left, ...known }];
    if (why) return [{ ...left, reason: why.why, advice: byHand }];
    if (found.length > 0) return [];
    return [{ ...left, reason: "is declared where the program does not show it", advice: byHand }];
  });
}
