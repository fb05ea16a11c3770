import { z } from "zod";
import { authType, sslVersionId, type HttpServerTestRecord } from "../../api";
import type { Failure } from "../kind";
import { canonicalUrl, sameUrl } from "./addresses";
import { testInputs } from "./test-fields";
import { testKind } from "./test-kind";

const inputs = z.strictObject({
  ...testInputs,
  /** Target URL, `http` or `https`; without a scheme the service assumes https. The port may be part of it. */
  url: z.string().min(1),
  /** HTTP authentication. Default: `none`. Changing it replaces the test. */
  authType: authType.default("none"),
  /** User for `basic` or `ntlm`. Changing it replaces the test. */
  username: z.string().min(1).optional(),
  /**
   * Password for `basic` or `ntlm`. Always a secret. The service never returns it, so a change made elsewhere is not seen; on an
   * imported test the first password declared is only recorded. Changing it replaces the test.
   */
  password: z.string().min(1).optional().meta({ sensitive: true }),
  /** Milliseconds before a request is given up. Default: 5000. Changing it replaces the test. */
  httpTimeLimit: z.number().int().min(1).default(5_000),
  /**
   * Milliseconds by which results are coloured. The service never returns it, so a change made elsewhere is not seen.
   * Default: 1000. Changing it replaces the test.
   */
  targetResponseTime: z.number().int().min(1).default(1_000),
  /**
   * TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. Default: `0`. Changing it replaces
   * the test.
   */
  sslVersionId: sslVersionId.default("0"),
  /** Whether the server's certificate is checked. Default: true. Changing it replaces the test. */
  verifyCertificate: z.boolean().default(true),
  /** Whether network measurements run beside the HTTP request. Default: true. Changing it replaces the test. */
  networkMeasurements: z.boolean().default(true),
  /** Traces the path inside an established TCP session. Left out, the service chooses. Changing it replaces the test. */
  hasPathTraceInSession: z.boolean().optional(),
});

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
  writeOnly: ["password", "targetResponseTime"],
  leftToService: ["hasPathTraceInSession"],
  same: { url: sameUrl },
  rules: (given, named) => [...urlRules(given), ...authRules(given, named)],
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
  calls: (client) => client.httpServerTests,
});

function urlRules({ url }: { url?: string }): Failure[] {
  if (url === undefined || (URL.canParse(canonicalUrl(url)) && /^https?:/.test(canonicalUrl(url)))) return [];
  return [{ path: "url", reason: "must be an http or https URL such as https://www.example.com/health" }];
}

function authRules(given: { authType?: string }, named: (property: "username" | "password") => boolean): Failure[] {
  const failures: Failure[] = [];
  const authenticates = given.authType === "basic" || given.authType === "ntlm";
  if (named("password") && !named("username")) failures.push({ path: "password", reason: "needs username" });
  if (named("password") && given.authType === "none")
    failures.push({ path: "password", reason: "needs authType basic or ntlm" });
  if (authenticates && !named("username"))
    failures.push({ path: "username", reason: `is required with authType ${given.authType}` });
  return failures;
}
