import type * as pulumi from "@pulumi/pulumi";
import type { endpointAgent } from "../provider/resources/endpoint-agent";
import { classes } from "./classes";
import type { CommonOutputs } from "./common";
import { agreed, Resource, type ResourceClass } from "./resource";
import type { Agrees, Held, Outputs } from "./types";

/** License tier of an agent. */
export type LicenseType = "essentials" | "advantage" | "embedded" | "embed-wireless-advantage" | "embed-wireless-essentials";

/** What to find an agent by; all that is given must match. */
export interface AgentLookupArgs {
  /** Name of the agent, exact. */
  agentName?: pulumi.Input<string>;
  /** Host name of the device, exact. */
  computerName?: pulumi.Input<string>;
  /** Serial number of the device, complete; case does not matter. */
  serialNumber?: pulumi.Input<string>;
  /** A user account on the device, complete; case does not matter. */
  user?: pulumi.Input<string>;
}

/** Properties of an {@link EndpointAgent} beside the choice of the agent. */
export interface EndpointAgentProperties {
  /** Name of the agent. Left out, it is not managed. */
  agentName?: pulumi.Input<string>;
  /** License of the agent. Left out, it is not managed. */
  licenseType?: pulumi.Input<LicenseType>;
  /** Whether the agent is enabled. Left out, it is not managed. */
  enabled?: pulumi.Input<boolean>;
  /**
   * Account group (`aid`) of the agent. Another one transfers it and waits until it has arrived. Left out, it is not managed: the
   * stack's `endpoint-monitoring:accountGroupId` only decides where to look for the agent first.
   */
  accountGroupId?: pulumi.Input<string>;
  /** Seconds that a transfer may take. Default: 300. */
  transferTimeout?: pulumi.Input<number>;
  /**
   * What happens to the agent when the resource is destroyed, whichever account group it is in by then. A replacement always forgets
   * it. Default: `forget`.
   */
  onDestroy?: pulumi.Input<"forget" | "disable" | "delete">;
}

/** Which agent to adopt. */
export interface AgentChoice {
  /** Identifier (UUID) of the agent to adopt. This or `lookup`. Another one replaces: the old agent is only forgotten. */
  agentId?: pulumi.Input<string>;
  /**
   * What to find the agent by, in every account group that you may see: exactly one must match. Used only when the resource is
   * created.
   */
  lookup?: pulumi.Input<AgentLookupArgs>;
}

/** The agent with this identifier. */
export interface AgentById extends AgentChoice {
  agentId: pulumi.Input<string>;
  lookup?: undefined;
}

/** The one agent that the look-up finds. */
export interface AgentByLookup extends AgentChoice {
  lookup: pulumi.Input<AgentLookupArgs>;
  agentId?: undefined;
}

/** Arguments of an {@link EndpointAgent}: with either `agentId` or `lookup`. */
export type EndpointAgentArgs = EndpointAgentProperties & (AgentByLookup | AgentById);

/** Outputs of an {@link EndpointAgent}, beside its arguments. Facts that change by themselves are left to `getAgent`. */
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
    Held<Pick<EndpointAgentProperties, "agentName" | "licenseType" | "enabled" | "onDestroy">, "onDestroy">,
    Outputs<EndpointAgentOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An agent: software on a user's device that registered itself. The resource takes hold of it, and then owns its name, licence,
 * state and account group, as far as the program declares them.
 *
 * An agent that has gone shows as deleted on refresh; the next update takes hold of one again only if the look-up hits exactly
 * one. Destroying the resource forgets the agent, unless `onDestroy` says otherwise.
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
  static override readonly of: ResourceClass = agreed<
    Agrees<typeof endpointAgent, typeof classes.EndpointAgent, EndpointAgentProperties & AgentChoice, EndpointAgent>
  >(classes.EndpointAgent);
}
