import type * as pulumi from "@pulumi/pulumi";
import type { httpServerInstantTest } from "../provider/resources/http-server-instant-test";
import { classes } from "./generated/classes";
import type { AccountGroupProperties, CommonOutputs } from "./common";
import type { HttpAuthentication, HttpAuthenticationArgs, HttpDefaults, HttpProperties } from "./http-properties";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type { RunOutputs, RunProperties } from "./run-properties";
import type {
  AgentSelection,
  AgentSelectionArgs,
  TestDefaults,
  TestOutputs,
  TestProperties,
  TestProtocol,
} from "./test-properties";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Properties of an {@link HttpServerInstantTest}, except the selection of agents and authentication. */
export interface HttpServerInstantTestProperties extends TestProperties, HttpProperties, RunProperties, AccountGroupProperties {
  /** Probe protocol. Default: `icmp`. */
  protocol?: pulumi.Input<TestProtocol> | undefined;
  /** TCP probe mode. Only TCP protocols use it. Default: `auto`. */
  tcpProbeMode?: pulumi.Input<"auto" | "sack" | "syn"> | undefined;
}

/** Arguments of an {@link HttpServerInstantTest}. */
export type HttpServerInstantTestArgs = HttpServerInstantTestProperties & AgentSelectionArgs & HttpAuthenticationArgs;

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface HttpServerInstantTest
  extends
    ArgumentOutputs<
      Omit<HttpServerInstantTestProperties & AgentSelection & HttpAuthentication, keyof AccountGroupProperties>,
      TestDefaults | HttpDefaults | "protocol" | "tcpProbeMode"
    >,
    Outputs<TestOutputs>,
    Outputs<RunOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An HTTP server instant test: agents request a URL once.
 *
 * The test runs when the resource is created, and again when `triggers` or the properties of the test change. With `expect`, a
 * deployment can depend on measurements of users' devices. If they do not meet the limits, the update fails and lists them,
 * and the next update runs the test again. Destroying the resource only removes the run from state, since the service cannot
 * delete it.
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
  static override readonly of: ResourceClass = checkedClass<
    Agrees<
      typeof httpServerInstantTest,
      typeof classes.HttpServerInstantTest,
      HttpServerInstantTestProperties & AgentSelection & HttpAuthentication,
      HttpServerInstantTest
    >
  >(classes.HttpServerInstantTest);
}
