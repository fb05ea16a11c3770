import type * as pulumi from "@pulumi/pulumi";
import type { agentTransfer } from "../provider/resources/agent-transfer";
import { classes } from "./generated/classes";
import type { CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** One agent's transfer in an {@link AgentTransfer}. */
export interface TransferArgs {
  /** Identifier (UUID) of the agent. */
  agentId: pulumi.Input<string>;
  /** Account group (`aid`) that the agent leaves. */
  fromAid: pulumi.Input<string>;
  /** Account group (`aid`) that receives the agent. */
  toAid: pulumi.Input<string>;
}

/** Arguments of an {@link AgentTransfer}. */
export interface AgentTransferArgs {
  /**
   * Agents to transfer, at least one, in any order. Each agent may appear in only one transfer. An agent that is already in its
   * target account group stays unchanged.
   */
  transfers: pulumi.Input<pulumi.Input<TransferArgs>[]>;
  /** Total time limit for all transfers, in seconds. Default: 300. */
  transferTimeout?: pulumi.Input<number> | undefined;
}

/** Outcome of one agent's transfer. */
export interface TransferOutcome {
  /** Identifier (UUID) of the agent. */
  agentId: string;
  /** Account group (`aid`) that should receive the agent. */
  toAid: string;
  /** HTTP status of the transfer, such as 200 for an agent that was already in the target account group. */
  status: number;
  /** The service's description of the outcome. */
  detail?: string;
}

/** Outputs of an {@link AgentTransfer}, in addition to its arguments. */
export interface AgentTransferOutputs {
  /** Outcome of each agent, in the order of `transfers`. */
  outcomes: TransferOutcome[];
}

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentTransfer
  extends ArgumentOutputs<Omit<AgentTransferArgs, "transferTimeout">>, Outputs<AgentTransferOutputs>, Outputs<CommonOutputs> {}

/**
 * A bulk transfer of agents to other account groups. If some transfers fail, the update fails and reports the reason for each
 * agent. The next update repeats only the failed transfers. A refresh shows which agents have left their target account group
 * since the transfer. A destroy does not move agents back.
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
  static override readonly of: ResourceClass = checkedClass<
    Agrees<typeof agentTransfer, typeof classes.AgentTransfer, AgentTransferArgs, AgentTransfer>
  >(classes.AgentTransfer);
}
