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
  /** TCP probe mode. Applies only to TCP protocols. Default: `auto`. */
  tcpProbeMode?: pulumi.Input<"auto" | "sack" | "syn"> | undefined;
}

/** Arguments of an {@link HttpServerInstantTest}. */
export type HttpServerInstantTestArgs = HttpServerInstantTestProperties & AgentSelectionArgs & HttpAuthenticationArgs;

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
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
 * An HTTP server instant test, which makes agents request a URL once.
 *
 * The test runs when the resource is created, and runs again when `triggers` or the test's properties change. With `expect`, a
 * deployment succeeds only if measurements from users' devices meet your limits. If the measurements do not meet the limits in
 * `expect`, the update fails and lists the measurements. After a failed update, the next update runs the test again. A destroy
 * only removes the resource from the state, because the service cannot delete test runs.
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
