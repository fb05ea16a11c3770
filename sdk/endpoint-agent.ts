import type { endpointAgent } from "../provider/resources/endpoint-agent";
import { commonOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of an {@link EndpointAgent}. */
export interface EndpointAgentArgs extends Args<typeof endpointAgent> {}

const outputs: OutputNames<typeof endpointAgent> = {
  ...commonOutputs,
  agentId: true,
  agentName: true,
  licenseType: true,
  enabled: true,
  onDestroy: true,
  computerName: true,
  platform: true,
  serialNumber: true,
};

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface EndpointAgent extends Outputs<typeof endpointAgent> {}

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
  static override readonly of: ResourceClass = { name: "EndpointAgent", outputs, secrets: [], createsFirst: true };
}
