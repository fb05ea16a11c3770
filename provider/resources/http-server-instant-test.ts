import { z } from "zod";
import { httpInputs, httpLeftToService, httpMeasures, httpRules, httpWriteOnly } from "./http-fields";
import { sameUrl } from "./addresses";
import { instantKind, instantProbeInputs } from "./instant-test";
import { runInputs } from "./measurements";

const inputs = z.strictObject({ ...instantProbeInputs, ...httpInputs, ...runInputs });

/** A test of an HTTP server, run once when it is created, and whenever its triggers change. */
export const httpServerInstantTest = instantKind({
  name: "HttpServerInstantTest",
  noun: "HTTP-server instant test",
  schema: inputs,
  measures: httpMeasures,
  writeOnly: httpWriteOnly,
  leftToService: httpLeftToService,
  same: { url: sameUrl },
  rules: httpRules,
  // The client checks the body member by member before it sends anything.
  start: (client, body, aid) => client.instantTests.httpServer({ body: body as never, query: { aid } }),
});
