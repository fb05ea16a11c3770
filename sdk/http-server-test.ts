import type { httpServerTest } from "../provider/resources/http-server-test";
import { classes } from "./classes";
import type { CommonOutputs, RecordProperties } from "./common";
import type { HttpAuthentication, HttpAuthenticationArgs, HttpDefaults, HttpProperties } from "./http-properties";
import { agreed, Resource, type ResourceClass } from "./resource";
import type {
  AgentSelection,
  AgentSelectionArgs,
  ScheduledTestDefaults,
  ScheduledTestProperties,
  TestOutputs,
} from "./test-properties";
import type { Agrees, Held, Outputs } from "./types";

/** Properties of a {@link HttpServerTest} beside the choice of agents and authentication. */
export interface HttpServerTestProperties extends ScheduledTestProperties, HttpProperties {}

/** Arguments of a {@link HttpServerTest}. */
export type HttpServerTestArgs = HttpServerTestProperties & AgentSelectionArgs & HttpAuthenticationArgs;

// The engine fills in the outputs.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface HttpServerTest
  extends
    Held<
      Omit<HttpServerTestProperties & AgentSelection & HttpAuthentication, keyof RecordProperties>,
      ScheduledTestDefaults | HttpDefaults
    >,
    Outputs<TestOutputs>,
    Outputs<CommonOutputs> {}

/**
 * An HTTP-server test: a scheduled test of an HTTP server, as agents see it.
 *
 * Changing a property marked "changing it replaces" deletes the record and creates another:
 * the test gets a new id and the result history of the old one ends.
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
  static override readonly of: ResourceClass = agreed<
    Agrees<
      typeof httpServerTest,
      typeof classes.HttpServerTest,
      HttpServerTestProperties & AgentSelection & HttpAuthentication,
      HttpServerTest
    >
  >(classes.HttpServerTest);
}
