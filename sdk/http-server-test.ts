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

// The engine fills in the outputs.
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
 * An HTTP server test: agents request a URL of an HTTP server on a schedule.
 *
 * Changing a property marked "Changing it replaces" deletes the test and creates a new one. The test gets a new id, and its
 * existing result history is lost.
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
