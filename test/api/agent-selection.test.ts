import { type AgentSelector, membershipOf } from "../../api/agent-selection";
import type { Membership } from "../../api/tag-match";

/** Returns whether a test selects an agent, from the agent's membership in each label or tag of the test. */
function selects(agentSelectorType: string, memberships: Readonly<Record<string, Membership>>, ids: string[]): Membership {
  const selection: AgentSelector = { agentSelectorType, endpointAgentLabels: ids, tagIds: ids };
  const membersOf = (id: string) => (id in memberships ? () => memberships[id] : undefined);
  return membershipOf(selection, membersOf)("agent");
}

test.each([
  ["agent-labels", [true, false], true],
  ["agent-labels", [undefined, true], true],
  ["agent-labels", [false, undefined], undefined],
  ["agent-labels", [false, false], false],
  ["agent-tags", [true, true], true],
  ["agent-tags", [false, false], false],
  ["agent-tags", [true, false], undefined],
  ["agent-tags", [undefined, false], undefined],
] as const)("the selector %s selects an agent with the label or tag memberships %j: %s", (type, [a, b], expected) => {
  expect(selects(type, { a, b }, ["a", "b"])).toBe(expected);
});

test("a missing label selects no agents, but a missing tag may select any agent", () => {
  expect(selects("agent-labels", { a: true }, ["missing"])).toBe(false);
  expect(selects("agent-labels", { a: true }, ["missing", "a"])).toBe(true);
  expect(selects("agent-tags", {}, ["missing"])).toBeUndefined();
});

test("a test with an unknown selector type may select any agent", () => {
  expect(selects("agent-groups", { a: false }, ["a"])).toBeUndefined();
});
