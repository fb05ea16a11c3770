import { httpAdvice, httpMeasures, httpNewRecordAdvice, httpProperties, httpRules } from "./http-properties";
import { instantKind, probeProperties } from "./instant-test";

/** A test of an HTTP server. The test runs when the resource is created, and when its triggers change. */
export const httpServerInstantTest = instantKind({
  name: "HttpServerInstantTest",
  noun: "HTTP server instant test",
  properties: { ...probeProperties, ...httpProperties },
  measures: httpMeasures,
  rules: httpRules,
  advice: httpAdvice,
  newRecordAdvice: httpNewRecordAdvice,
  // The type assertion is safe, because the API client validates every member of the body.
  start: (client, body, aid) => client.instantTests.httpServer({ body: body as never, query: { aid } }),
});
