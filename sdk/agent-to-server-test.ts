import type { agentToServerTest } from "../provider/resources/agent-to-server-test";
import { testOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of a {@link AgentToServerTest}. */
export interface AgentToServerTestArgs extends Args<typeof agentToServerTest> {}

const outputs: OutputNames<typeof agentToServerTest> = { ...testOutputs, server: true, port: true };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentToServerTest extends Outputs<typeof agentToServerTest> {}

/**
 * An agent-to-server test: a scheduled test of the network path from agents to a server.
 *
 * Changing a property marked "changing it replaces" deletes the record and creates another:
 * the test gets a new id and the result history of the old one ends.
 *
 * @example
 * ```ts
 * new AgentToServerTest("gateway", {
 *   testName: "Office to gateway",
 *   server: "vpn.example.com",
 *   protocol: "tcp",
 *   agentSelectorType: "agent-labels",
 *   endpointAgentLabels: [office.id],
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class AgentToServerTest extends Resource<AgentToServerTestArgs> {
  /** @internal */
  static override readonly of: ResourceClass = { name: "AgentToServerTest", outputs, secrets: [] };
}
