import type { agentToServerInstantTest } from "../provider/resources/agent-to-server-instant-test";
import { classes } from "./classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import { agreed, Resource, type ResourceClass } from "./resource";
import type { RunOutputs, RunProperties } from "./run-properties";
import type { ServerProperties } from "./server-properties";
import type { AgentSelection, AgentSelectionArgs, TestDefaults, TestOutputs, TestProperties } from "./test-properties";
import type { Agrees, Held, Outputs } from "./types";

/** Properties of an {@link AgentToServerInstantTest} beside the choice of agents. */
export interface AgentToServerInstantTestProperties
  extends TestProperties, ServerProperties, RunProperties, AccountGroupProperties {}

/** Arguments of an {@link AgentToServerInstantTest}. */
export type AgentToServerInstantTestArgs = AgentToServerInstantTestProperties & AgentSelectionArgs;

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface AgentToServerInstantTest
  extends
    Held<Omit<AgentToServerInstantTestProperties & AgentSelection, keyof AccountGroupProperties>, TestDefaults | "port">,
    Outputs<TestOutputs>,
    Outputs<RunOutputs>,
    Outputs<CommonOutputs> {}

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
  static override readonly of: ResourceClass = agreed<
    Agrees<
      typeof agentToServerInstantTest,
      typeof classes.AgentToServerInstantTest,
      AgentToServerInstantTestProperties & AgentSelection,
      AgentToServerInstantTest
    >
  >(classes.AgentToServerInstantTest);
}
