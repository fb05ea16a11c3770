import type { agentToServerInstantTest } from "../provider/resources/agent-to-server-instant-test";
import { classes } from "./generated/classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { RunOutputs, RunProperties } from "./run-properties";
import type { ServerProperties } from "./server-properties";
import type { AgentSelection, AgentSelectionArgs, TestDefaults, TestOutputs, TestProperties } from "./test-properties";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Properties of an {@link AgentToServerInstantTest}, except the selection of agents. */
export interface AgentToServerInstantTestProperties
  extends TestProperties, ServerProperties, RunProperties, AccountGroupProperties {}

/** Arguments of an {@link AgentToServerInstantTest}. */
export type AgentToServerInstantTestArgs = AgentToServerInstantTestProperties & AgentSelectionArgs;

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentToServerInstantTest
  extends
    ArgumentOutputs<
      Omit<AgentToServerInstantTestProperties & AgentSelection, keyof AccountGroupProperties>,
      TestDefaults | "port"
    >,
    Outputs<TestOutputs>,
    Outputs<RunOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An agent-to-server instant test, which measures the network path from agents to a server once.
 *
 * The test runs when the resource is created, and runs again when `triggers` or the test's properties change. With `expect`, a
 * deployment succeeds only if measurements from users' devices meet your limits. If the measurements do not meet the limits in
 * `expect`, the update fails and lists the measurements. After a failed update, the next update runs the test again. A destroy
 * only removes the resource from the state, because the service cannot delete test runs.
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
  static override readonly of: ResourceClass = checkedClass<
    Agrees<
      typeof agentToServerInstantTest,
      typeof classes.AgentToServerInstantTest,
      AgentToServerInstantTestProperties & AgentSelection,
      AgentToServerInstantTest
    >
  >(classes.AgentToServerInstantTest);
}
