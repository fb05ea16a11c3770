export type { Answer } from "./answer";
export * from "./client";
export * from "./errors";
export type { RateLimit } from "./pacing";
export { settings, type SettingName } from "./setting-names";
export { checkBaseUrl, readSettings, type ClientOptions, type Settings } from "./settings";
export * from "./schemas";
