export { type Emulator, type PageVisit, start } from "./emulator";
export { EmulatorError, type EmulatorErrorCode } from "./errors";
export type { Fault, FaultKind } from "./fault";
export { defaults } from "./defaults";
export type { EmulatorOptions } from "./options";
export type { LogEntry } from "./requests";
