import { ForbiddenError } from "../../../api";
import { OwnershipError, PartialFailure } from "../../../provider/failures";
import { Bench } from "../bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start({}, { transferDelayMs: 10 });
});
afterEach(() => bench.end());

async function anAgent(): Promise<string> {
  const { agents } = await bench.session.client.agents.list({ query: { aid: "1001" } });
  return agents[1]?.id ?? "";
}

/** An account group that the token cannot see, so a transfer to it fails. */
const accountGroupId = "9999";

describe("an agent resource after a failed create", () => {
  it("a create that changed nothing releases its agent for other resources", async () => {
    const agentId = await anAgent();
    await expect(bench.create("endpointAgent", { agentId, accountGroupId })).rejects.toBeInstanceOf(ForbiddenError);
    expect(await bench.create("endpointAgent", { agentId })).toMatchObject({ id: agentId });
  });

  it("a partly successful create does not release its agent for other resources", async () => {
    const agentId = await anAgent();
    const partial = bench.create("endpointAgent", { agentId, agentName: "Kiosk", accountGroupId });
    await expect(partial).rejects.toBeInstanceOf(PartialFailure);
    await expect(bench.create("endpointAgent", { agentId })).rejects.toBeInstanceOf(OwnershipError);
  });
});
