import { z } from "zod";
import { authType, sslVersionId, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Body of an HTTP server test create. The service never returns `password` and `targetResponseTime`. */
export const httpServerTestRequest = z.object({
  ...testRequest,
  /** URL of the target. Without a scheme, the service assumes HTTPS. */
  url: z.string().min(1),
  /** TCP probe mode. Only TCP protocols use it. Default: `auto`. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** HTTP authentication. Default: `none`. */
  authType: authType.optional(),
  /** User name for the authentication. */
  username: z.string().optional(),
  /** Password for the authentication. It is a secret. */
  password: z.string().optional().meta({ sensitive: true }),
  /** Milliseconds after which a request times out. Default: 5000. */
  httpTimeLimit: z.number().int().min(1).optional(),
  /** Largest good response time in milliseconds. The product colors slower results. Default: 1000. */
  targetResponseTime: z.number().int().min(1).optional(),
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. Default: `0`. */
  sslVersionId: sslVersionId.optional(),
  /** Whether the server's certificate must be valid. Default: true. */
  verifyCertificate: z.boolean().optional(),
  /** Whether agents also measure the network. Default: true. */
  networkMeasurements: z.boolean().optional(),
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses. */
  hasPathTraceInSession: z.boolean().optional(),
  /** Deprecated. Whether the test includes ping. */
  hasPing: z.boolean().optional(),
  /** Deprecated. Whether the test includes traceroute. */
  hasTraceroute: z.boolean().optional(),
});
export type HttpServerTestRequest = z.output<typeof httpServerTestRequest>;

/** Body of an HTTP server test update. Omitted members keep their values (inferred). */
export const httpServerTestUpdate = z.object({
  ...testUpdate,
  /** URL of the target. Without a scheme, the service assumes HTTPS. */
  url: z.string().min(1).optional(),
});
export type HttpServerTestUpdate = z.output<typeof httpServerTestUpdate>;

/** An HTTP server test. */
export const httpServerTest = z.looseObject({
  ...testRecord,
  /** `http-server`. */
  type: z.string().optional(),
  /** URL of the target. The service may add the scheme and the port. */
  url: z.string().optional(),
  /** Host of the target, derived from `url`. */
  server: z.string().optional(),
  /** Port of the target, derived from `url`. */
  port: z.number().optional(),
  /** HTTP authentication: `none`, `basic` or `ntlm`. */
  authType: z.string().optional(),
  /** User name for the authentication. */
  username: z.string().optional(),
  /** Milliseconds after which a request times out. */
  httpTimeLimit: z.number().optional(),
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. */
  sslVersionId: z.string().optional(),
  /** Whether the server's certificate must be valid. */
  verifyCertificate: z.boolean().optional(),
  /** Whether agents follow redirects. It cannot be set. */
  followRedirects: z.boolean().optional(),
  /** Target time of a response in milliseconds, 100 to 5000. It cannot be set. */
  httpTargetTime: z.number().optional(),
  /** HTTP version: 2 prefers HTTP/2, 1 uses HTTP/1.1. It cannot be set. */
  httpVersion: z.number().optional(),
  /** The TLS version in words, such as `Auto`. It cannot be set. */
  sslVersion: z.string().optional(),
  /** Whether authentication is NTLM instead of basic. It cannot be set. */
  useNtlm: z.boolean().optional(),
  /** Whether the record is a stored snapshot instead of a live test. */
  isSavedEvent: z.boolean().optional(),
});
export type HttpServerTestRecord = z.output<typeof httpServerTest>;

export const httpServerTestOperations = testOperations("tests.httpServer", "/v7/endpoint/tests/scheduled-tests/http-server", {
  create: httpServerTestRequest,
  update: httpServerTestUpdate,
  record: httpServerTest,
});
