import type * as pulumi from "@pulumi/pulumi";
import type { endpointAgent } from "../provider/resources/endpoint-agent";
import { classes } from "./generated/classes";
import type { CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** License tier of an agent. */
export type LicenseType = "essentials" | "advantage" | "embedded" | "embed-wireless-advantage" | "embed-wireless-essentials";

/** Attributes of the agent to find. An agent must match all declared attributes. */
export interface AgentLookupArgs {
  /** Exact name of the agent. */
  agentName?: pulumi.Input<string> | undefined;
  /** Exact host name of the device. */
  computerName?: pulumi.Input<string> | undefined;
  /** Complete serial number of the device. Case-insensitive. */
  serialNumber?: pulumi.Input<string> | undefined;
  /** Full name of a user account on the device. Case-insensitive. */
  user?: pulumi.Input<string> | undefined;
}

/** Properties of an {@link EndpointAgent}, except `agentId` and `lookup`. */
export interface EndpointAgentProperties {
  /** Name of the agent. If omitted, Pulumi does not manage the name. */
  agentName?: pulumi.Input<string> | undefined;
  /** License of the agent. If omitted, Pulumi does not manage the license. */
  licenseType?: pulumi.Input<LicenseType> | undefined;
  /** Whether the agent is enabled. If omitted, Pulumi neither enables nor disables the agent. */
  enabled?: pulumi.Input<boolean> | undefined;
  /**
   * Account group (`aid`) of the agent. Changing `accountGroupId` transfers the agent, and the update waits until the agent has
   * arrived. If omitted, Pulumi does not manage the account group. Without `accountGroupId`, the provider first searches the
   * stack's account group (`endpoint-monitoring:accountGroupId`) for the agent.
   */
  accountGroupId?: pulumi.Input<string> | undefined;
  /** Timeout of a transfer in seconds. Default: 300. */
  transferTimeout?: pulumi.Input<number> | undefined;
  /**
   * Action for the agent when the resource is destroyed. `forget` only removes the resource from the state. `disable` disables
   * the agent and `delete` deletes the agent, both in the agent's current account group. Replacing the resource only removes
   * the resource from the state, and never disables or deletes the agent. Default: `forget`.
   */
  onDestroy?: pulumi.Input<"forget" | "disable" | "delete"> | undefined;
}

/** Selection of the agent to adopt. */
export interface AgentChoice {
  /**
   * Identifier (UUID) of the agent to adopt. Set either `agentId` or `lookup`. Changing `agentId` replaces the resource, and
   * only removes the previous agent from the state.
   */
  agentId?: pulumi.Input<string> | undefined;
  /**
   * Attributes of the agent to adopt, in any account group that the token can access. Exactly one agent must match the
   * attributes. The provider uses `lookup` only when it creates the resource.
   */
  lookup?: pulumi.Input<AgentLookupArgs> | undefined;
}

/** Selection of an agent by its identifier. */
export interface AgentById extends AgentChoice {
  agentId: pulumi.Input<string>;
  lookup?: undefined;
}

/** Selection of an agent by its attributes. */
export interface AgentByLookup extends AgentChoice {
  lookup: pulumi.Input<AgentLookupArgs>;
  agentId?: undefined;
}

/** Arguments of an {@link EndpointAgent}, with either `agentId` or `lookup`. */
export type EndpointAgentArgs = EndpointAgentProperties & (AgentByLookup | AgentById);

/**
 * Outputs of an {@link EndpointAgent}, in addition to its arguments. For values that change without an update, such as the
 * version, call `getAgent`.
 */
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

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface EndpointAgent
  extends
    ArgumentOutputs<Pick<EndpointAgentProperties, "agentName" | "licenseType" | "enabled" | "onDestroy">, "onDestroy">,
    Outputs<EndpointAgentOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An agent, which is software on a user's device that registers itself with the service. An EndpointAgent adopts an existing
 * agent and manages its declared properties: name, license, enabled state and account group.
 *
 * If an agent no longer exists, a refresh reports the agent as deleted. After an agent is deleted, the next update adopts an
 * agent only if `lookup` matches exactly one agent. A destroy only removes the resource from the state, unless `onDestroy` is
 * `disable` or `delete`.
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
