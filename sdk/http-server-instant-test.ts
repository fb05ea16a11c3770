import type { httpServerInstantTest } from "../provider/resources/http-server-instant-test";
import { httpOutputs, instantOutputs } from "./outputs";
import { Resource, type ResourceClass } from "./resource";
import type { Args, OutputNames, Outputs } from "./types";

/** Arguments of an {@link HttpServerInstantTest}. */
export interface HttpServerInstantTestArgs extends Args<typeof httpServerInstantTest> {}

const outputs: OutputNames<typeof httpServerInstantTest> = {
  ...instantOutputs,
  ...httpOutputs,
  protocol: true,
  tcpProbeMode: true,
};

// The outputs are typed by the schema of the kind; the engine fills them in.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface HttpServerInstantTest extends Outputs<typeof httpServerInstantTest> {}

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
  static override readonly of: ResourceClass = { name: "HttpServerInstantTest", outputs, secrets: ["password"] };
}
