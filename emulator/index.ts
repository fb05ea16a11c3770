export type { Emulator, PageVisit } from "./emulator";
export { start } from "./start";
export { EmulatorError, type EmulatorErrorCode } from "./errors";
export type { Fault, FaultKind } from "./fault";
export { defaults } from "./defaults";
export type { EmulatorOptions } from "./settings";
export type { RequestLogEntry } from "./requests";
