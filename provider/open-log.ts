import { memoryLog, type OperationLog } from "./operation-log";

/**
 * Opens the log that the provider processes of an operation share. The engine starts a process for each explicit provider,
 * and passes the engine's address to each process.
 *
 * @param address address of the engine, or undefined in a process without an engine, such as a test
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
