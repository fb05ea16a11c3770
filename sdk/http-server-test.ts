import type { httpServerTest } from "../provider/resources/http-server-test";
import { httpOutputs, testOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of a {@link HttpServerTest}. */
export interface HttpServerTestArgs extends Args<typeof httpServerTest> {}

const outputs: OutputNames<typeof httpServerTest> = { ...testOutputs, ...httpOutputs };

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface HttpServerTest extends Outputs<typeof httpServerTest> {}

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
  static override readonly of: ResourceClass = { name: "HttpServerTest", outputs, secrets: ["password"] };
}
