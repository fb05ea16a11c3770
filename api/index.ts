export * from "./client";
export * from "./errors";
export { checkBaseUrl, readSettings, settings, type ClientOptions, type SettingName, type Settings } from "./settings";
export * from "./schemas";
