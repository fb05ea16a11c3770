import { z } from "zod";
import type { HttpServerTestRecord } from "../../api";
import { plainUrl, sameUrl } from "./addresses";
import { httpInputs, httpLeftToService, httpMeasures, httpRules, httpWriteOnly } from "./http-fields";
import { testInputs } from "./test-fields";
import { testKind } from "./test-kind";

const inputs = z.strictObject({ ...testInputs, ...httpInputs });

/** A scheduled test of an HTTP server, as agents see it. */
export const httpServerTest = testKind({
  name: "HttpServerTest",
  noun: "HTTP-server test",
  schema: inputs,
  createOnly: [
    "authType",
    "username",
    "password",
    "httpTimeLimit",
    "targetResponseTime",
    "sslVersionId",
    "verifyCertificate",
    "networkMeasurements",
    "hasPathTraceInSession",
  ],
  updateOnly: ["isEnabled"],
  writeOnly: httpWriteOnly,
  leftToService: httpLeftToService,
  same: { url: sameUrl },
  plain: { url: plainUrl },
  rules: httpRules,
  toInputs: (record: HttpServerTestRecord) => ({
    url: record.url,
    authType: record.authType,
    username: record.username,
    httpTimeLimit: record.httpTimeLimit,
    sslVersionId: record.sslVersionId,
    verifyCertificate: record.verifyCertificate,
    networkMeasurements: record.networkMeasurements,
    hasPathTraceInSession: record.hasPathTraceInSession,
  }),
  onDemand: httpMeasures,
  calls: (client) => client.httpServerTests,
});
