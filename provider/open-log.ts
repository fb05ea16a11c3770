import { memoryLog, type OperationLog } from "./operation-log";

/**
 * Opens the log that the provider processes of one operation share. They have the engine's address in common: the engine starts one
 * process for each explicit provider, and one for each front.
 *
 * @param address address of the engine; without one, this process is alone
 */
export function openLog(address: string | undefined): OperationLog {
  if (address === undefined) return memoryLog();
  try {
    // Commands and tests, which are alone, do without it.
    const { FileLog } = require("./file-log") as typeof import("./file-log");
    return new FileLog(address);
  } catch (error) {
    return memoryLog((error as Error).message);
  }
}
