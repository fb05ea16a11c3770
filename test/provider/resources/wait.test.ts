import type { Measurement } from "../../../provider/measurement";
import { waitForAgents } from "../../../provider/resources/wait";
import { skipIdleTime } from "../../support/idle-time";

skipIdleTime();

const agents = (count: number): Measurement[] =>
  Array.from({ length: count }, (_, n) => ({ agentId: `a${n}`, roundId: 1, available: true }));

test("each new result restarts the waiting time for the remaining agents", async () => {
  let looks = 0;
  // At least one read happens in a settling time. With only one such time, the wait would end with at most three agents.
  const { measured } = await waitForAgents(
    { testId: "1", http: false, network: true },
    { timeout: 60, minAgents: 1, settle: 0.3 },
    () => {
      looks += 1;
      return Promise.resolve(agents(Math.min(looks, 6)));
    },
  );
  expect(measured.map(({ agentId }) => agentId)).toEqual(["a0", "a1", "a2", "a3", "a4", "a5"]);
});

describe("network and HTTP results that arrive at different times", () => {
  const http = { testId: "1", http: true, network: true };
  const answered: Measurement = { agentId: "a", roundId: 1, available: true, responseCode: 200, responseTime: 5 };
  /** The network results arrive at the third read. */
  const looks = () => {
    let count = 0;
    return () => {
      count += 1;
      return Promise.resolve([count < 3 ? answered : { ...answered, loss: 0, avgLatency: 1 }]);
    };
  };

  it("the test run waits for network and HTTP results if a limit needs both results", async () => {
    expect(await waitForAgents(http, { timeout: 60, minAgents: 1 }, looks(), { maxLoss: 5 })).toMatchObject({
      measured: [{ loss: 0 }],
    });
    expect(await waitForAgents(http, { timeout: 60, minAgents: 1 }, looks(), { maxResponseTime: 5 })).toEqual({
      measured: [answered],
      silent: [],
    });
  });

  it("the test run uses the results that are available when the timeout ends", async () => {
    const alone = () => Promise.resolve([answered]);
    expect(await waitForAgents(http, { timeout: 0.1, minAgents: 1 }, alone, { maxLatency: 5 })).toEqual({
      measured: [answered],
      silent: [],
    });
    const refused: Measurement = { agentId: "a", roundId: 1, available: false, errorType: "connect" };
    const failed = () => Promise.resolve([refused]);
    expect(await waitForAgents(http, { timeout: 60, minAgents: 1 }, failed, { maxLatency: 5 })).toEqual({
      measured: [refused],
      silent: [],
    });
  });

  it("a test run does not wait for network results that the test does not measure", async () => {
    const alone = () => Promise.resolve([answered]);
    const test = { ...http, network: false };
    expect(await waitForAgents(test, { timeout: 60, minAgents: 1 }, alone, { maxResponseTime: 5 })).toEqual({
      measured: [answered],
      silent: [],
    });
  });
});
