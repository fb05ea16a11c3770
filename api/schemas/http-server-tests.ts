import { z } from "zod";
import { authType, sslVersionId, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Body of an HTTP-server test create. `password` and `targetResponseTime` are never returned. */
export const httpServerTestRequest = z.object({
  ...testRequest,
  url: z.string().min(1),
  tcpProbeMode: tcpProbeMode.optional(),
  authType: authType.optional(),
  username: z.string().optional(),
  password: z.string().optional().meta({ sensitive: true }),
  httpTimeLimit: z.number().int().min(1).optional(),
  targetResponseTime: z.number().int().min(1).optional(),
  sslVersionId: sslVersionId.optional(),
  verifyCertificate: z.boolean().optional(),
  networkMeasurements: z.boolean().optional(),
  hasPathTraceInSession: z.boolean().optional(),
  /** Deprecated; still taken, never returned. */
  hasPing: z.boolean().optional(),
  /** Deprecated; still taken, never returned. */
  hasTraceroute: z.boolean().optional(),
});

export const httpServerTestUpdate = z.object({ ...testUpdate, url: z.string().min(1).optional() });

export const httpServerTest = z.looseObject({
  ...testRecord,
  type: z.string().optional(),
  url: z.string().optional(),
  /** Derived from `url`; not settable, like the six members after `verifyCertificate`. */
  server: z.string().optional(),
  port: z.number().optional(),
  authType: z.string().optional(),
  username: z.string().optional(),
  httpTimeLimit: z.number().optional(),
  sslVersionId: z.string().optional(),
  verifyCertificate: z.boolean().optional(),
  followRedirects: z.boolean().optional(),
  httpTargetTime: z.number().optional(),
  httpVersion: z.number().optional(),
  sslVersion: z.string().optional(),
  useNtlm: z.boolean().optional(),
  isSavedEvent: z.boolean().optional(),
});
export type HttpServerTestRecord = z.output<typeof httpServerTest>;

export const httpServerTestOperations = testOperations("tests.httpServer", "/v7/endpoint/tests/scheduled-tests/http-server", {
  create: httpServerTestRequest,
  update: httpServerTestUpdate,
  record: httpServerTest,
});
