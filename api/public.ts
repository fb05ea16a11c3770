/**
 * Programs import this file as `pulumi-endpoint-monitoring/api`. The declarations in this file avoid types of zod and undici,
 * which programs would have to compile. This package's own modules import `index.ts`.
 */
import { createClient as createOfSchemas } from "./client";
import { ConfigurationError } from "./errors";
import { checkBaseUrl, checkHost } from "./settings";
import { type ClientOptions } from "./client-options";
import type { Client } from "./generated";

/**
 * Creates a client. The client sends nothing before the first call.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: "https://api.thousandeyes.com", token });
 * const created = await client.labels.create({ body: { name: "Office", matchType: "or", filters: [] } });
 * await client.close();
 * ```
 * @throws ConfigurationError for an invalid base URL, for plain HTTP to a host other than loopback, or if
 * `ENDPOINT_MONITORING_ALLOWED_HOSTS` excludes the host
 */
export function createClient(options: ClientOptions): Client {
  const problem = checkBaseUrl(options.baseUrl) ?? checkHost(options.baseUrl);
  if (problem !== undefined) throw new ConfigurationError(`${problem}.`, ["baseUrl"]);
  return createOfSchemas(options);
}

export type { Answer } from "./answer";
export * from "./api-errors";
export * from "./error-codes";
export * from "./errors";
export type { LogLevel, LogOptions } from "./log";
export type { Method } from "./method";
export type { RateLimit } from "./pacing";
export { pages } from "./pages";
export type { Proxies } from "./proxy";
export { readSettings, type Settings } from "./settings";
export { type ClientOptions } from "./client-options";
export type { SettingName } from "./setting-names";
export type * from "./generated";
export type { Wait } from "./wait";
