import { ExpectationError } from "../../../provider/failures";
import type { Measurement } from "../../../provider/measurement";
import { checkExpectations } from "../../../provider/resources/expectations";
import type { Expectations } from "../../../provider/resources/measurements";

const measured = (agentId: string, members: Partial<Measurement> = {}): Measurement => ({
  agentId,
  roundId: 1,
  available: true,
  ...members,
});
const fast = measured("fast", { loss: 0, avgLatency: 3, responseTime: 20, responseCode: 200, errorType: "none" });
const slow = measured("slow", { ...fast, agentId: "slow", responseTime: 900 });
const down = measured("down", { available: false, loss: 100, errorType: "connect" });
const failing = measured("failing", { ...fast, agentId: "failing", available: false, responseCode: 500, errorType: "http" });

function failureOf(results: readonly Measurement[], expected: Expectations): ExpectationError | undefined {
  try {
    checkExpectations(results, expected);
    return undefined;
  } catch (error) {
    if (error instanceof ExpectationError) return error;
    throw error;
  }
}
const brokenBy = (results: readonly Measurement[], expected: Expectations): readonly string[] =>
  failureOf(results, expected)?.broken ?? [];

test("a measurement meets a limit if it equals the limit or is better", () => {
  expect(brokenBy([fast], { maxLoss: 0, maxLatency: 3, maxResponseTime: 20, minAvailability: 100 })).toEqual([]);
  expect(brokenBy([fast, slow], { maxResponseTime: 899 })).toEqual(["response time over 899 ms on 1 of 2 agents"]);
  checkExpectations([down], undefined);
});

test("each expectation fails if no agent has measured the target", () => {
  expect(brokenBy([], { minAvailability: 0 })).toEqual(["no agent measured anything"]);
  expect(brokenBy([], { maxLoss: 100 })).toEqual(["no agent measured anything"]);
});

test("the error of a failed expectation lists failing agents first", () => {
  const failure = failureOf([fast, down], { maxResponseTime: 800 });
  expect(failure?.message).toBe(
    "The measurements do not meet the expectations: maxResponseTime 800: no response time measured by 1 of 2 agents (no connection). " +
      "Agents: down (not reached, loss 100 %, failed in connect); " +
      "fast (reached, loss 0 %, latency 3 ms, response time 20 ms, status 200).",
  );
  expect(failure?.measured).toEqual([down, fast]);
  expect(failure?.hasVerdict).toBe(true);
});

test("the error of a failed expectation lists only ten agents, with failing agents first", () => {
  const many = Array.from({ length: 20 }, (_, n) => ({ ...fast, agentId: `agent ${n}` }));
  const failure = failureOf([...many, slow], { maxResponseTime: 800 });
  expect(failure?.message).toContain("Agents: slow (reached, ");
  expect(failure?.message).toMatch(/ and 11 more\.$/);
  expect(failureOf(many.slice(0, 10), { maxResponseTime: 10 })?.message).not.toContain(" more");
});

test.each([
  [10, "agent 9"],
  [11, "agent 9 and 1 more"],
])("a failed expectation names ten of %i selected agents without results", (count, last) => {
  const silent = Array.from({ length: count }, (_, n) => `agent ${n}`);
  const check = (): void => checkExpectations([fast], { minAvailability: 100 }, silent);
  expect(check).toThrow(`no results from ${count} of ${count + 1} agents: agent 0, `);
  expect(check).toThrow(new RegExp(`, ${last}\\)`));
});

test("the error of a failed expectation names each cause once", () => {
  const unresolved = { ...down, agentId: "unresolved", errorType: "dns" };
  const other = { ...down, agentId: "other", errorType: "proxy" };
  expect(brokenBy([down, { ...down, agentId: "too" }, unresolved, other, fast], { maxLatency: 5 })).toEqual([
    "maxLatency 5: no latency measured by 4 of 5 agents (no connection, the name was not resolved, failed in proxy)",
  ]);
});

test("an error response exceeds every limit, even if the response is fast", () => {
  expect(brokenBy([fast, failing], { maxResponseTime: 800 })).toEqual(["target not reached by 1 of 2 agents (status 500)"]);
  expect(brokenBy([failing], { maxLoss: 5, maxLatency: 5 })).toEqual(["target not reached by 1 of 1 agents (status 500)"]);
  expect(brokenBy([failing], {})).toEqual(["target not reached by 1 of 1 agents (status 500)"]);
});

describe("the expectation minAvailability", () => {
  it("minAvailability tolerates a share of agents that do not reach the target", () => {
    expect(brokenBy([fast, down], { maxResponseTime: 800, minAvailability: 50 })).toEqual([]);
    expect(brokenBy([fast, failing], { maxResponseTime: 800, minAvailability: 50 })).toEqual([]);
    expect(brokenBy([fast, down], { maxResponseTime: 800, minAvailability: 51 })).toEqual(["availability 50 %, under 51 %"]);
  });

  it("minAvailability does not permit missing measurements or measurements that exceed another limit", () => {
    expect(brokenBy([fast, down], { maxLoss: 5, minAvailability: 50 })).toEqual(["loss over 5 % on 1 of 2 agents"]);
    const untimed = measured("untimed");
    expect(brokenBy([fast, untimed], { maxResponseTime: 800, minAvailability: 50 })).toEqual([
      "maxResponseTime 800: no response time measured by 1 of 2 agents",
    ]);
  });

  it("minAvailability passes if exactly the required share of agents reached the target", () => {
    const share = (reached: number) =>
      Array.from({ length: 100 }, (_, n) => ({ ...(n < reached ? fast : down), agentId: `${n}` }));
    for (let least = 0; least <= 100; least += 1) expect(brokenBy(share(least), { minAvailability: least })).toEqual([]);
    expect(brokenBy(share(28), { minAvailability: 29 })).toEqual(["availability 28 %, under 29 %"]);
    // 99.5 % is less than 100 %.
    expect(brokenBy([...share(100), ...share(99)], { minAvailability: 100 })).toEqual(["availability 99 %, under 100 %"]);
  });

  it("limits other than minAvailability still require a measurement from each agent", () => {
    expect(brokenBy([down], { maxResponseTime: 800, minAvailability: 0 })).toEqual([
      "maxResponseTime 800: no response time measured by 1 of 1 agents (no connection)",
    ]);
    expect(brokenBy([down], { minAvailability: 0 })).toEqual([]);
  });
});
