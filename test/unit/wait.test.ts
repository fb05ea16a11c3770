import type { Measurement } from "../../provider/measurement";
import { waited } from "../../provider/resources/wait";

const agents = (count: number): Map<string, Measurement> =>
  new Map(Array.from({ length: count }, (_, n) => [`a${n}`, { agentId: `a${n}`, roundId: 1, available: true }]));

test("each agent that answers gives the others their time anew", async () => {
  let looks = 0;
  // A look comes at least once in a settling time: were there only one such time, it would end with three agents at most.
  const results = await waited({ testId: "1", http: false, network: true }, { timeout: 60, minAgents: 1, settle: 0.3 }, () => {
    looks += 1;
    return Promise.resolve(agents(Math.min(looks, 6)));
  });
  expect(results.map(({ agentId }) => agentId)).toEqual(["a0", "a1", "a2", "a3", "a4", "a5"]);
});
