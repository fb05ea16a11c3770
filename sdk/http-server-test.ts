import type { httpServerTest } from "../provider/resources/http-server-test";
import { classes } from "./generated/classes";
import type { CommonOutputs, RecordProperties } from "./common";
import type { HttpAuthentication, HttpAuthenticationArgs, HttpDefaults, HttpProperties } from "./http-properties";
import { checkedClass, Resource, type ResourceClass } from "./resource";
import type {
  AgentSelection,
  AgentSelectionArgs,
  ScheduledTestDefaults,
  ScheduledTestProperties,
  TestOutputs,
} from "./test-properties";
import type { Agrees } from "./agrees";
import type { ArgumentOutputs, Outputs } from "./types";

/** Properties of an {@link HttpServerTest}, except the selection of agents and authentication. */
export interface HttpServerTestProperties extends ScheduledTestProperties, HttpProperties {}

/** Arguments of an {@link HttpServerTest}. */
export type HttpServerTestArgs = HttpServerTestProperties & AgentSelectionArgs & HttpAuthenticationArgs;

// The SDK defines the outputs at run time, so an interface declares the outputs instead of the class.
//
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface HttpServerTest
  extends
    ArgumentOutputs<
      Omit<HttpServerTestProperties & AgentSelection & HttpAuthentication, keyof RecordProperties>,
      ScheduledTestDefaults | HttpDefaults
    >,
    Outputs<TestOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An HTTP server test, which makes agents request a URL on a schedule.
 *
 * Properties with the note "A change replaces the test" cannot be changed in place. A replacement deletes the test with its
 * existing result history, and creates a new test with another id.
 *
 * @example
 * ```ts
 * new HttpServerTest("portal", {
 *   testName: "Portal",
 *   url: "https://portal.example.com/health",
 *   authType: "basic",
 *   username: "probe",
 *   password: config.requireSecret("probePassword"),
 * });
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class HttpServerTest extends Resource<HttpServerTestArgs> {
  /** @internal */
  static override readonly of: ResourceClass = checkedClass<
    Agrees<
      typeof httpServerTest,
      typeof classes.HttpServerTest,
      HttpServerTestProperties & AgentSelection & HttpAuthentication,
      HttpServerTest
    >
  >(classes.HttpServerTest);
}
