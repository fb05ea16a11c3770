import type { agentTransfer } from "../provider/resources/agent-transfer";
import { commonOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of an {@link AgentTransfer}. */
export interface AgentTransferArgs extends Args<typeof agentTransfer> {}

const outputs: OutputNames<typeof agentTransfer> = { ...commonOutputs, transfers: true, outcomes: true };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentTransfer extends Outputs<typeof agentTransfer> {}

/**
 * A bulk transfer: agents that are to move to other account groups. Agents that fail are named with the reason, and the next
 * update asks for those alone; refresh shows agents that have wandered. Destroying the resource leaves every agent where it is.
 *
 * @example
 * ```ts
 * new AgentTransfer("to-branches", {
 *   transfers: agentIds.map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" })),
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class AgentTransfer extends Resource<AgentTransferArgs> {
  /** @internal */
  static override readonly of: ResourceClass = { name: "AgentTransfer", outputs, secrets: [] };
}
