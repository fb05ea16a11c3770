/** Compares the groups of equal changes and their costs in random plans with a second count. */
import { groupLine } from "../../cli/commands/review/group-blocks";
import { phraseText } from "../../common/phrase";
import type { EngineStep } from "../../engine/preview-output";
import { groupsOf } from "../../plan/groups";
import type { JudgedStep } from "../../plan/judge/model";
import { Random } from "../chaos/row";
import { offline, step } from "../cli/review-support";
import { amount } from "../support/amount";
import { randomPlan } from "./random-plan";

/** Returns names of other resources between the first and the last member, with numbers in numeric order. */
function namesBetween(changes: readonly JudgedStep[], members: readonly JudgedStep[]): string[] {
  const keyOf = (name: string): string => name.replace(/\d+/, (digits) => digits.padStart(3, "0"));
  const memberKeys = new Set(members.map(({ name }) => keyOf(name)));
  const keys = changes.filter(({ kindName }) => kindName === members[0]?.kindName).map(({ name }) => keyOf(name));
  const [first = "", last = ""] = [[...memberKeys].toSorted()[0], [...memberKeys].toSorted().at(-1)];
  const between = [...new Set(keys)].filter((key) => key > first && key < last && !memberKeys.has(key)).toSorted();
  return between.map((key) => key.replace(/-0+(?=\d)/, "-"));
}

const isProtected = ({ declared, state }: JudgedStep): boolean => (declared ?? state)?.protect === true;
const valuesOf = ({ changes }: JudgedStep): string =>
  JSON.stringify(changes.map(({ property, before, after }) => [property, before, after]));

function randomReview(seed: number) {
  const steps = randomPlan(new Random(seed));
  return { steps, judgement: offline(steps) };
}

/** Random plans with their reviews, which the tests share. */
const reviews = Array.from({ length: amount(60, 100) }, (_, seed) => randomReview(seed));
const groupedPlans = amount(60, 2_000);

test("all resources in a group of changes have the same type, outcome and findings", () => {
  let members = 0;
  for (let seed = 0; seed < groupedPlans; seed += 1) {
    const { changes, findings, names } = (reviews[seed] ?? randomReview(seed)).judgement;
    const groups = groupsOf(changes, findings);
    const rulesOf = ({ urn }: JudgedStep): string[] =>
      [...new Set(findings.filter(({ subject }) => subject?.urn === urn).map(({ rule }) => rule))].toSorted();
    expect(groups.flatMap((group) => group.members).length).toBe(changes.length);
    for (const group of groups) {
      const [first, ...others] = group.members;
      members += others.length;
      const isEqual = group.hasEqualValues && first.outcome === "update";
      expect(new Set(isEqual ? group.members.map(valuesOf) : []).size).toBe(isEqual ? 1 : 0);
      const line = phraseText(groupLine(group, names).text);
      for (const other of others) {
        expect([other.kind, other.outcome, isProtected(other), rulesOf(other)]).toEqual([
          first.kind,
          first.outcome,
          isProtected(first),
          rulesOf(first),
        ]);
      }
      if (others.length === 0) continue;
      const between = namesBetween(changes, group.members);
      const except = between.length === 0 ? "" : ` except ${between.join(", ")}`;
      const range = between.length > 3 ? "" : `${first.name} … ${others.at(-1)?.name}${except})`;
      expect(line).toContain(`${group.members.length} ${first.kind.noun}s (${range}`);
      const wrong = between.filter((name) => line.includes(`${name},`) || line.includes(`${name})`));
      expect(between.length > 3 ? wrong : []).toEqual([]);
      expect([...group.rules].toSorted()).toEqual(rulesOf(first));
      for (const rule of group.rules) expect(line).toContain(rule);
    }
  }
  expect(members).toBeGreaterThan(10 * groupedPlans);
});

test("the review of a random plan counts lost result histories and replacements correctly", () => {
  for (const {
    steps,
    judgement: { review },
  } of reviews) {
    const isTest = ({ urn }: EngineStep): boolean => /Test::[^:]*$/.test(urn);
    const replaced = steps.filter(({ op }) => op === "replace");
    const deleted = steps.filter(({ op, oldState }) => op === "delete" && !oldState?.retainOnDelete);
    expect([review.costs.histories.count, review.costs.replacements.count]).toEqual([
      [...replaced, ...deleted].filter(isTest).length,
      replaced.length,
    ]);
  }
});

test("resources that move to different parents are in different groups of changes", () => {
  const moved = (parent: string, at: number): EngineStep[] => {
    const record = { testName: `Test ${at}`, url: `https://host-${at}.example.com` };
    const created = step("create", "httpServerTest", `t-${at}`, { after: record });
    const urn = created.urn.replace("test::", `test::${parent}$`);
    return [
      step("delete", "httpServerTest", `t-${at}`, { id: String(at), before: record }),
      { ...created, urn, ...(created.newState && { newState: { ...created.newState, urn } }) },
    ];
  };
  const { groups } = offline([0, 1, 2, 3, 4, 5].flatMap((at) => moved(at < 3 ? "my:app:A" : "my:app:B", at)));
  expect(groups.map(({ members }) => members.map(({ name }) => name))).toEqual([
    ["t-0", "t-1", "t-2"],
    ["t-3", "t-4", "t-5"],
  ]);
});
