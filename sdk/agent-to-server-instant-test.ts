import type { agentToServerInstantTest } from "../provider/resources/agent-to-server-instant-test";
import { instantOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of an {@link AgentToServerInstantTest}. */
export interface AgentToServerInstantTestArgs extends Args<typeof agentToServerInstantTest> {}

const outputs: OutputNames<typeof agentToServerInstantTest> = { ...instantOutputs, server: true, port: true };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentToServerInstantTest extends Outputs<typeof agentToServerInstantTest> {}

/**
 * An agent-to-server instant test: measures the network path from agents to a server once.
 *
 * The test is run when the resource is created, and again whenever `triggers` or what is tested change. With `expect` a
 * deployment can wait for what users' devices really see: an update that measures otherwise fails with the measurements, and the
 * next one runs the test anew. Destroying the resource forgets the run; the service has no delete for it.
 *
 * @example
 * ```ts
 * new AgentToServerInstantTest("gate", {
 *   testName: "Release gate",
 *   server: "api.example.com",
 *   triggers: [version],
 *   expect: { maxLoss: 5, maxLatency: 150 },
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class AgentToServerInstantTest extends Resource<AgentToServerInstantTestArgs> {
  /** @internal */
  static override readonly of: ResourceClass = { name: "AgentToServerInstantTest", outputs, secrets: [] };
}
