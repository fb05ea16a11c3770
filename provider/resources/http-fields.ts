import { z } from "zod";
import { authType, sslVersionId } from "../../api";
import type { Failure, Measures } from "../kind";
import { canonicalUrl } from "./addresses";

/** Inputs of a test of an HTTP server, scheduled or instant, beyond those of every test. */
export const httpInputs = {
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
};

/** Those of them that the service never returns. */
export const httpWriteOnly = ["password", "targetResponseTime"] as const;
/** Those of them that the service chooses when they are left out. */
export const httpLeftToService = ["hasPathTraceInSession"] as const;

/** What a test with these inputs measures. */
export function httpMeasures({ networkMeasurements }: { networkMeasurements?: unknown }): Measures {
  return { http: true, network: networkMeasurements !== false };
}

/** Rules between properties: the URL is one, and authentication is whole. */
export function httpRules(
  given: { url?: string; authType?: string },
  named: (property: "username" | "password") => boolean,
): Failure[] {
  return [...urlRules(given), ...authRules(given, named)];
}

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
