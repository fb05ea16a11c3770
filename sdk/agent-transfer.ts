import type * as pulumi from "@pulumi/pulumi";
import type { agentTransfer } from "../provider/resources/agent-transfer";
import { classes } from "./classes";
import type { CommonOutputs } from "./common";
import { agreed, Resource, type ResourceClass } from "./resource";
import type { Agrees, Held, Outputs } from "./types";

/** One move of an {@link AgentTransfer}. */
export interface TransferArgs {
  /** Identifier (UUID) of the agent. */
  agentId: pulumi.Input<string>;
  /** Account group (`aid`) that the agent is in. */
  fromAid: pulumi.Input<string>;
  /** Account group (`aid`) to move the agent to. */
  toAid: pulumi.Input<string>;
}

/** Arguments of an {@link AgentTransfer}. */
export interface AgentTransferArgs {
  /** The agents to move, at least one, each at most once. Their order does not matter. An agent that has arrived is left alone. */
  transfers: pulumi.Input<pulumi.Input<TransferArgs>[]>;
  /** Seconds that all transfers together may take. Default: 300. */
  transferTimeout?: pulumi.Input<number>;
}

/** What became of one agent. */
export interface TransferOutcome {
  /** Identifier (UUID) of the agent. */
  agentId: string;
  /** Account group (`aid`) that it was to move to. */
  toAid: string;
  /** Status of the item, like that of an HTTP answer; 200 for an agent that had arrived before. */
  status: number;
  /** What the service reported of it. */
  detail?: string;
}

/** Outputs of an {@link AgentTransfer}, beside its arguments. */
export interface AgentTransferOutputs {
  /** What became of each agent, in the order of `transfers`. */
  outcomes: TransferOutcome[];
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentTransfer
  extends Held<Omit<AgentTransferArgs, "transferTimeout">>, Outputs<AgentTransferOutputs>, Outputs<CommonOutputs> {}

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
  static override readonly of: ResourceClass = agreed<
    Agrees<typeof agentTransfer, typeof classes.AgentTransfer, AgentTransferArgs, AgentTransfer>
  >(classes.AgentTransfer);
}
