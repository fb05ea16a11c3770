import type * as pulumi from "@pulumi/pulumi";
import type { endpointAgent } from "../provider/resources/endpoint-agent";
import { classes } from "./generated/classes";
import type { CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** License tier of an agent. */
export type LicenseType = "essentials" | "advantage" | "embedded" | "embed-wireless-advantage" | "embed-wireless-essentials";

/** Attributes of the agent to find. All declared attributes must match. */
export interface AgentLookupArgs {
  /** Name of the agent, exact. */
  agentName?: pulumi.Input<string> | undefined;
  /** Host name of the device, exact. */
  computerName?: pulumi.Input<string> | undefined;
  /** Complete serial number of the device. Case does not matter. */
  serialNumber?: pulumi.Input<string> | undefined;
  /** Complete name of a user account on the device. Case does not matter. */
  user?: pulumi.Input<string> | undefined;
}

/** Properties of an {@link EndpointAgent}, except the choice of the agent. */
export interface EndpointAgentProperties {
  /** Name of the agent. If omitted, the name is not managed. */
  agentName?: pulumi.Input<string> | undefined;
  /** License of the agent. If omitted, the license is not managed. */
  licenseType?: pulumi.Input<LicenseType> | undefined;
  /** Whether the agent is enabled. If omitted, the status is not managed. */
  enabled?: pulumi.Input<boolean> | undefined;
  /**
   * Account group (`aid`) of the agent. Changing it transfers the agent and waits until it has arrived. If omitted, the account
   * group is not managed. Then the stack's `endpoint-monitoring:accountGroupId` only decides where the provider looks for the
   * agent first.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
  /** Seconds that a transfer may take. Default: 300. */
  transferTimeout?: pulumi.Input<number> | undefined;
  /**
   * The effect of a destroy, in the agent's present account group. `forget`: the resource is only removed from state. `disable`
   * and `delete`: the agent is disabled or deleted. A replacement never disables or deletes the agent: it only removes the
   * resource from state. Default: `forget`.
   */
  onDestroy?: pulumi.Input<"forget" | "disable" | "delete"> | undefined;
}

/** The choice of the agent to adopt. */
export interface AgentChoice {
  /**
   * Identifier (UUID) of the agent to adopt. Set this or `lookup`. Changing it replaces the resource. The previous agent is
   * only removed from state.
   */
  agentId?: pulumi.Input<string> | undefined;
  /**
   * Attributes of the agent to adopt, in any account group that the token can see. Exactly one agent must match. Used only when the resource is
   * created.
   */
  lookup?: pulumi.Input<AgentLookupArgs> | undefined;
}

/** The agent with this identifier. */
export interface AgentById extends AgentChoice {
  agentId: pulumi.Input<string>;
  lookup?: undefined;
}

/** The agent that matches the attributes. */
export interface AgentByLookup extends AgentChoice {
  lookup: pulumi.Input<AgentLookupArgs>;
  agentId?: undefined;
}

/** Arguments of an {@link EndpointAgent}: with either `agentId` or `lookup`. */
export type EndpointAgentArgs = EndpointAgentProperties & (AgentByLookup | AgentById);

/** Outputs of an {@link EndpointAgent}, in addition to its arguments. `getAgent` returns facts that change by themselves. */
export interface EndpointAgentOutputs {
  /** Identifier (UUID) of the agent. */
  agentId: string;
  /** Host name of the device. */
  computerName?: string;
  /** Operating system family of the device. */
  platform?: string;
  /** Serial number of the device. */
  serialNumber?: string;
}

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface EndpointAgent
  extends
    ArgumentOutputs<Pick<EndpointAgentProperties, "agentName" | "licenseType" | "enabled" | "onDestroy">, "onDestroy">,
    Outputs<EndpointAgentOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An agent: software on a user's device that registered itself. The resource adopts the agent, and then manages its name,
 * license, enabled state and account group, if the program declares them.
 *
 * A refresh shows an agent that no longer exists as deleted. The next update adopts an agent again only if the look-up matches
 * exactly one. Destroying the resource only removes it from state, unless `onDestroy` is `disable` or `delete`.
 *
 * @example
 * ```ts
 * new EndpointAgent("kiosk", {
 *   lookup: { computerName: "kiosk-01" },
 *   agentName: "Kiosk in the lobby",
 *   licenseType: "essentials",
 *   accountGroupId: "1002",
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class EndpointAgent extends Resource<EndpointAgentArgs> {
  /** @internal */
  static override readonly of: ResourceClass = checkedClass<
    Agrees<typeof endpointAgent, typeof classes.EndpointAgent, EndpointAgentProperties & AgentChoice, EndpointAgent>
  >(classes.EndpointAgent);
}
