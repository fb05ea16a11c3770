import type * as pulumi from "@pulumi/pulumi";
import type { agentTransfer } from "../provider/resources/agent-transfer";
import { classes } from "./generated/classes";
import type { CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** One transfer of an {@link AgentTransfer}. */
export interface TransferArgs {
  /** Identifier (UUID) of the agent. */
  agentId: pulumi.Input<string>;
  /** Account group (`aid`) that the agent leaves. */
  fromAid: pulumi.Input<string>;
  /** Account group (`aid`) to which the agent moves. */
  toAid: pulumi.Input<string>;
}

/** Arguments of an {@link AgentTransfer}. */
export interface AgentTransferArgs {
  /** Agents to move, at least one, each at most once. Their order does not matter. An agent that has already arrived is not changed. */
  transfers: pulumi.Input<pulumi.Input<TransferArgs>[]>;
  /** Seconds that all transfers together may take. Default: 300. */
  transferTimeout?: pulumi.Input<number> | undefined;
}

/** Outcome of the transfer of one agent. */
export interface TransferOutcome {
  /** Identifier (UUID) of the agent. */
  agentId: string;
  /** Account group (`aid`) to which the agent should move. */
  toAid: string;
  /** HTTP-style status code of the transfer; 200 if the agent had already arrived. */
  status: number;
  /** Description that the service returned. */
  detail?: string;
}

/** Outputs of an {@link AgentTransfer}, in addition to its arguments. */
export interface AgentTransferOutputs {
  /** Outcome of each agent, in the order of `transfers`. */
  outcomes: TransferOutcome[];
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentTransfer
  extends ArgumentOutputs<Omit<AgentTransferArgs, "transferTimeout">>, Outputs<AgentTransferOutputs>, Outputs<CommonOutputs> {}

/**
 * A bulk transfer of agents to other account groups. If some agents fail, the update fails with the reason for each, and the
 * next update transfers only those. A refresh shows agents that have moved away since. Destroying the resource does not move
 * any agent.
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
