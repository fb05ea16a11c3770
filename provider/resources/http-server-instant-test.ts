import { httpMeasures, httpProperties, httpRules } from "./http-properties";
import { instantKind, probeProperties } from "./instant-test";

/** A test of an HTTP server, run once when it is created, and whenever its triggers change. */
export const httpServerInstantTest = instantKind({
  name: "HttpServerInstantTest",
  noun: "HTTP-server instant test",
  properties: { ...probeProperties, ...httpProperties },
  measures: httpMeasures,
  rules: httpRules,
  // The client checks the body member by member before it sends anything.
  start: (client, body, aid) => client.instantTests.httpServer({ body: body as never, query: { aid } }),
});
