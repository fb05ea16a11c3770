import { z } from "zod";
import { authType, sslVersionId, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Request body to create an HTTP server test. The service never returns `password` or `targetResponseTime`. */
export const httpServerTestRequest = z.object({
  ...testRequest,
  /** URL of the target. The default scheme is HTTPS. */
  url: z.string().min(1),
  /** TCP probe mode, for TCP protocols only. Default: `auto`. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** HTTP authentication. Default: `none`. */
  authType: authType.optional(),
  /** User name for HTTP authentication. */
  username: z.string().optional(),
  /** Password for HTTP authentication (secret). */
  password: z.string().optional().meta({ sensitive: true }),
  /** Timeout of a request, in milliseconds. Default: 5000. */
  httpTimeLimit: z.number().int().min(1).optional(),
  /** Longest acceptable response time, in milliseconds. The service's UI highlights slower results in color. Default: 1000. */
  targetResponseTime: z.number().int().min(1).optional(),
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. Default: `0`. */
  sslVersionId: sslVersionId.optional(),
  /** Whether the server's certificate must be valid. Default: true. */
  verifyCertificate: z.boolean().optional(),
  /** Whether agents also measure the network to the target. Default: true. */
  networkMeasurements: z.boolean().optional(),
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses a value. */
  hasPathTraceInSession: z.boolean().optional(),
  /** Deprecated. Whether the test includes ping. */
  hasPing: z.boolean().optional(),
  /** Deprecated. Whether the test includes traceroute. */
  hasTraceroute: z.boolean().optional(),
});
export type HttpServerTestRequest = z.output<typeof httpServerTestRequest>;

/** Request body to update an HTTP server test. Members that an update omits probably keep their values. */
export const httpServerTestUpdate = z.object({
  ...testUpdate,
  /** URL of the target. The default scheme is HTTPS. */
  url: z.string().min(1).optional(),
});
export type HttpServerTestUpdate = z.output<typeof httpServerTestUpdate>;

/** An HTTP server test. */
export const httpServerTest = z.looseObject({
  ...testRecord,
  /** Type of the test: `http-server`. */
  type: z.string().optional(),
  /** URL of the target. The service may add a scheme and a port to the URL. */
  url: z.string().optional(),
  /** Host of the target, derived from `url`. */
  server: z.string().optional(),
  /** Port of the target, derived from `url`. */
  port: z.number().optional(),
  /** HTTP authentication: `none`, `basic` or `ntlm`. */
  authType: z.string().optional(),
  /** User name for HTTP authentication. */
  username: z.string().optional(),
  /** Timeout of a request, in milliseconds. */
  httpTimeLimit: z.number().optional(),
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. */
  sslVersionId: z.string().optional(),
  /** Whether the server's certificate must be valid. */
  verifyCertificate: z.boolean().optional(),
  /** Whether agents follow redirects (read-only). */
  followRedirects: z.boolean().optional(),
  /** Target response time, in milliseconds, 100 to 5000 (read-only). */
  httpTargetTime: z.number().optional(),
  /** HTTP version (read-only): 2 if agents prefer HTTP/2, 1 if they use HTTP/1.1. */
  httpVersion: z.number().optional(),
  /** The TLS version in words, such as `Auto` (read-only). */
  sslVersion: z.string().optional(),
  /** Whether HTTP authentication uses NTLM instead of basic authentication (read-only). */
  useNtlm: z.boolean().optional(),
  /** Whether the record is a saved snapshot of a test instead of a running test. */
  isSavedEvent: z.boolean().optional(),
});
export type HttpServerTestRecord = z.output<typeof httpServerTest>;

export const httpServerTestOperations = testOperations("tests.httpServer", "/v7/endpoint/tests/scheduled-tests/http-server", {
  create: httpServerTestRequest,
  update: httpServerTestUpdate,
  record: httpServerTest,
});
