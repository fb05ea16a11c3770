import type { agentToServerTest } from "../provider/resources/agent-to-server-test";
import { classes } from "./generated/classes";
import type { CommonOutputs, RecordProperties } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { ServerProperties } from "./server-properties";
import type {
  AgentSelection,
  AgentSelectionArgs,
  ScheduledTestDefaults,
  ScheduledTestProperties,
  TestOutputs,
} from "./test-properties";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Properties of an {@link AgentToServerTest}, except the selection of agents. */
export interface AgentToServerTestProperties extends ScheduledTestProperties, ServerProperties {}

/** Arguments of an {@link AgentToServerTest}. */
export type AgentToServerTestArgs = AgentToServerTestProperties & AgentSelectionArgs;

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentToServerTest
  extends
    ArgumentOutputs<Omit<AgentToServerTestProperties & AgentSelection, keyof RecordProperties>, ScheduledTestDefaults | "port">,
    Outputs<TestOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An agent-to-server test, which measures the network path from agents to a server on a schedule.
 *
 * Properties with the note "A change replaces the test" cannot be changed in place. A replacement deletes the test with its
 * existing result history, and creates a new test with another id.
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
  static override readonly of: ResourceClass = checkedClass<
    Agrees<
      typeof agentToServerTest,
      typeof classes.AgentToServerTest,
      AgentToServerTestProperties & AgentSelection,
      AgentToServerTest
    >
  >(classes.AgentToServerTest);
}
