import type * as pulumi from "@pulumi/pulumi";
import type { httpServerInstantTest } from "../provider/resources/http-server-instant-test";
import { classes } from "./classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import type { HttpAuthentication, HttpAuthenticationArgs, HttpDefaults, HttpProperties } from "./http-properties";
import { agreed, Resource, type ResourceClass } from "./resource";
import type { RunOutputs, RunProperties } from "./run-properties";
import type {
  AgentSelection,
  AgentSelectionArgs,
  TestDefaults,
  TestOutputs,
  TestProperties,
  TestProtocol,
} from "./test-properties";
import type { Agrees, Held, Outputs } from "./types";

/** Properties of a {@link HttpServerInstantTest} beside the choice of agents and authentication. */
export interface HttpServerInstantTestProperties extends TestProperties, HttpProperties, RunProperties, AccountGroupProperties {
  /** Probe protocol. Default: `icmp`. */
  protocol?: pulumi.Input<TestProtocol>;
  /** TCP probe mode; it only matters with a TCP protocol. Default: `auto`. */
  tcpProbeMode?: pulumi.Input<"auto" | "sack" | "syn">;
}

/** Arguments of a {@link HttpServerInstantTest}. */
export type HttpServerInstantTestArgs = HttpServerInstantTestProperties & AgentSelectionArgs & HttpAuthenticationArgs;

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface HttpServerInstantTest
  extends
    Held<
      Omit<HttpServerInstantTestProperties & AgentSelection & HttpAuthentication, keyof AccountGroupProperties>,
      TestDefaults | HttpDefaults | "protocol" | "tcpProbeMode"
    >,
    Outputs<TestOutputs>,
    Outputs<RunOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An HTTP-server instant test: asks an HTTP server from agents once.
 *
 * The test is run when the resource is created, and again whenever `triggers` or what is tested change. With `expect` a
 * deployment can wait for what users' devices really see: an update that measures otherwise fails with the measurements, and the
 * next one runs the test anew. Destroying the resource forgets the run; the service has no delete for it.
 *
 * @example
 * ```ts
 * new HttpServerInstantTest("gate", {
 *   testName: "Release gate",
 *   url: "https://api.example.com/health",
 *   triggers: [version],
 *   waitForResults: { timeout: 300, minAgents: 3 },
 *   expect: { maxResponseTime: 800, minAvailability: 90 },
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class HttpServerInstantTest extends Resource<HttpServerInstantTestArgs> {
  /** @internal */
  static override readonly of: ResourceClass = agreed<
    Agrees<
      typeof httpServerInstantTest,
      typeof classes.HttpServerInstantTest,
      HttpServerInstantTestProperties & AgentSelection & HttpAuthentication,
      HttpServerInstantTest
    >
  >(classes.HttpServerInstantTest);
}
