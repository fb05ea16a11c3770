export type { Answer } from "./answer";
export * from "./client";
export * from "./errors";
export type { RateLimit } from "./pacing";
export { checkBaseUrl, readSettings, settings, type ClientOptions, type SettingName, type Settings } from "./settings";
export * from "./schemas";
