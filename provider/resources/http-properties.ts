import { z } from "zod";
import { authType, httpUrlOf, sslVersionId } from "../../api";
import type { Advice, CheckFailure, Measures } from "../kind";
import { property } from "../property";
import type { Properties } from "../values";
import { normalizeUrl, sameUrl } from "./addresses";

const milliseconds = z.number().int().min(1);

/** Properties of scheduled and instant HTTP server tests. A change to any property except `url` replaces the resource. */
export const httpProperties = {
  url: property(z.string().min(1), { same: sameUrl, normalize: normalizeUrl }),
  authType: property(authType.default("none"), { setOn: "create" }),
  username: property(z.string().min(1).optional(), { setOn: "create" }),
  password: property(z.string().min(1).optional(), { setOn: "create", writeOnly: true, secret: true }),
  httpTimeLimit: property(milliseconds.default(5_000), { setOn: "create" }),
  targetResponseTime: property(milliseconds.default(1_000), { setOn: "create", writeOnly: true }),
  sslVersionId: property(sslVersionId.default("0"), { setOn: "create" }),
  verifyCertificate: property(z.boolean().default(true), { setOn: "create" }),
  networkMeasurements: property(z.boolean().default(true), { setOn: "create" }),
  hasPathTraceInSession: property(z.boolean().optional(), { setOn: "create", leftToService: true }),
};

export function httpMeasures({ networkMeasurements }: { networkMeasurements?: unknown }): Measures {
  return { http: true, network: networkMeasurements !== false };
}

export function httpRules(
  inputs: { url?: string; authType?: string },
  isGiven: (property: "username" | "password") => boolean,
): CheckFailure[] {
  return [...urlRules(inputs), ...authRules(inputs, isGiven)];
}

/**
 * Returns a note if the program declares a user name without authentication, because such a user name has no effect. The user name causes
 * only a note, because a failure would break existing programs.
 */
export function httpAdvice({ username, authType: type }: { username?: string; authType?: string }): CheckFailure[] {
  if (username === undefined || type !== "none") return [];
  return [{ path: "username", reason: "has no effect without authType basic or ntlm" }];
}

/** Returns a note if a new test authenticates without a password. Such a test may be a mistake, because a secret may be missing. */
export function httpNewRecordAdvice({ authType: type, password }: Properties): Advice[] {
  if (!authenticates(type) || password !== undefined) return [];
  return [
    { path: "password", reason: `is not declared, so a new test authenticates with authType ${type} without a password` },
  ];
}

function authenticates(type: unknown): type is "basic" | "ntlm" {
  return type === "basic" || type === "ntlm";
}

function urlRules({ url }: { url?: string }): CheckFailure[] {
  if (url === undefined || httpUrlOf(url)) return [];
  return [{ path: "url", reason: "must be an http or https URL such as https://www.example.com/health" }];
}

function authRules(inputs: { authType?: string }, isGiven: (property: "username" | "password") => boolean): CheckFailure[] {
  const failures: CheckFailure[] = [];
  if (isGiven("password") && !isGiven("username")) failures.push({ path: "password", reason: "needs username" });
  if (isGiven("password") && inputs.authType === "none") {
    failures.push({ path: "password", reason: "requires authType basic or ntlm" });
  }
  if (authenticates(inputs.authType) && !isGiven("username")) {
    failures.push({ path: "username", reason: `is required with authType ${inputs.authType}` });
  }
  return failures;
}
