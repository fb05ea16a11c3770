import { type AgentSelector, membershipOf } from "../../api/agent-selection";
import type { Membership } from "../../api/tag-match";

/** Returns whether a test selects an agent, from the agent's membership in each label or tag of the test. */
function selects(agentSelectorType: string, memberships: Readonly<Record<string, Membership>>, ids: string[]): Membership {
  const selection: AgentSelector = { agentSelectorType, endpointAgentLabels: ids, tagIds: ids };
  const membersOf = (id: string) => (id in memberships ? () => memberships[id] : undefined);
  return membershipOf(selection, membersOf)("agent");
}

test.each([
  [[true, false], true],
  [[undefined, true], true],
  [[false, undefined], undefined],
  [[false, false], false],
] as const)("with memberships %j in two labels, a test selects the agent: %s", ([a, b], expected) => {
  expect(selects("agent-labels", { a, b }, ["a", "b"])).toBe(expected);
});

test.each([
  [[true, true], true],
  [[false, false], false],
  [[true, false], undefined],
  [[undefined, false], undefined],
] as const)("with memberships %j in two tags, a test selects the agent: %s", ([a, b], expected) => {
  expect(selects("agent-tags", { a, b }, ["a", "b"])).toBe(expected);
});

test("a label that does not exist selects no agent, and a tag that does not exist may select any agent", () => {
  expect(selects("agent-labels", { a: true }, ["missing"])).toBe(false);
  expect(selects("agent-labels", { a: true }, ["missing", "a"])).toBe(true);
  expect(selects("agent-tags", {}, ["missing"])).toBeUndefined();
});

test("a test with an unknown type of selector may select any agent", () => {
  expect(selects("agent-groups", { a: false }, ["a"])).toBeUndefined();
});
