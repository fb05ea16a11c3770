import type { z } from "zod";
import {
  authType as authTypes,
  type HttpServerTestRecord,
  type httpServerTestRequest,
  httpUrlOf,
  operations,
  sslVersionId as sslVersionIds,
} from "../../api/schemas";
import { targetOf } from "../measure/targets";
import { standardStyle } from "../problem";
import { type StoredTest, testCollection, type ModelTestKind } from "./tests";

export type RequestedHttpServerTest = z.output<typeof httpServerTestRequest>;

/** A stored HTTP server test with its defaults. Responses never contain `password` and `targetResponseTime`. */
export interface StoredHttpServerTest extends StoredTest {
  url: string;
  authType: NonNullable<RequestedHttpServerTest["authType"]>;
  username?: string;
  password?: string;
  httpTimeLimit: number;
  targetResponseTime: number;
  sslVersionId: NonNullable<RequestedHttpServerTest["sslVersionId"]>;
  verifyCertificate: boolean;
}

/** Names of the `sslVersionId` values. The samples in the service's documentation contain only the name of the value 0. */
const sslVersions: Record<StoredHttpServerTest["sslVersionId"], string> = {
  "0": "Auto",
  "3": "SSLv3",
  "4": "TLSv1.0",
  "5": "TLSv1.1",
  "6": "TLSv1.2",
  "7": "TLSv1.3",
};

export const httpServerKind: ModelTestKind<StoredHttpServerTest, HttpServerTestRecord> = {
  collection: testCollection("http-server-tests", [
    "url",
    "authType",
    "httpTimeLimit",
    "targetResponseTime",
    "sslVersionId",
    "verifyCertificate",
  ]),
  path: operations.httpServerTests.list.path,
  results: "/v7/endpoint/test-results/scheduled-tests",
  duplicateName: 400,
  own: ({ url, authType, username, httpTimeLimit, sslVersionId, verifyCertificate }) => {
    const { hostname, port } = locate(url);
    return {
      type: "http-server",
      url,
      server: hostname,
      port,
      authType,
      ...(username !== undefined && { username }),
      httpTimeLimit,
      sslVersionId,
      verifyCertificate,
      followRedirects: true,
      // The service's rule for `httpTargetTime` is not known. The value 100 comes from the samples in the service's documentation.
      httpTargetTime: 100,
      httpVersion: 2,
      sslVersion: sslVersions[sslVersionId],
      useNtlm: authType === "ntlm",
      isSavedEvent: false,
    };
  },
  // The twin (copy) of an account uses default values for members that the service never returns.
  restored: ({ url = "", authType, username, httpTimeLimit = 5000, sslVersionId, verifyCertificate = true }) => ({
    url,
    authType: authTypes.safeParse(authType).data ?? "none",
    username,
    httpTimeLimit,
    targetResponseTime: 1000,
    sslVersionId: sslVersionIds.safeParse(sslVersionId).data ?? "0",
    verifyCertificate,
  }),
  plans: ({ url: stored, ipVersion, networkMeasurements, authType, username = "", password = "", ...test }) => {
    const { url } = locate(stored);
    if (!URL.canParse(url)) return [];
    const tls = { sslVersionId: test.sslVersionId, verifyCertificate: test.verifyCertificate };
    const basic = authType === "basic" ? { username, password } : undefined;
    const http = { url, ipVersion, basic, timeLimit: test.httpTimeLimit, ...tls };
    return [{ target: targetOf(new URL(url)), ipVersion, network: networkMeasurements, http }];
  },
};

/**
 * Adds a missing scheme or port to a URL, as in the samples in the service's documentation. The default scheme is https.
 *
 * @throws Problem 400
 */
export function locate(text: string): { url: string; hostname: string; port: number } {
  const url = httpUrlOf(text);
  if (!url) {
    throw standardStyle.invalid("body", [{ code: "invalid", field: "url", message: "must be an http or https URL" }]);
  }
  const { scheme, hostname, port, rest } = url;
  return { url: `${scheme}://${hostname}:${port}${rest}`, hostname, port };
}
