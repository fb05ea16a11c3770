import { memoryLog, type OperationLog } from "./operation-log";

/**
 * Opens the log that the provider processes of one operation share. The engine starts one process for each explicit provider,
 * and one for each of the two packages: dynamic resources and native plugin. All of them get the engine's address.
 *
 * @param address address of the engine; undefined if this process has no engine
 */
export function openLog(address: string | undefined): OperationLog {
  if (address === undefined) return memoryLog();
  try {
    // Commands and tests run in one process and do not need the shared log.
    const { FileLog } = require("./file-log") as typeof import("./file-log");
    return new FileLog(address);
  } catch (error) {
    return memoryLog((error as Error).message);
  }
}
