import { httpAdvice, httpMeasures, httpNewRecordAdvice, httpProperties, httpRules } from "./http-properties";
import { testKind } from "./test-kind";

/** A scheduled test of an HTTP server. */
export const httpServerTest = testKind({
  name: "HttpServerTest",
  noun: "HTTP server test",
  properties: httpProperties,
  rules: httpRules,
  advice: httpAdvice,
  newRecordAdvice: httpNewRecordAdvice,
  instant: "HttpServerInstantTest",
  onDemand: httpMeasures,
  calls: (client) => client.httpServerTests,
});
