/** A log entry, which is written as JSON. Entries never contain properties of resources, because properties may be secret. */
export type Entry = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The log of an engine operation. All provider processes of the operation read the same entries in the same order, so they reach the same
 * conclusions.
 */
export interface OperationLog {
  /**
   * The reason why this process cannot read the log entries of other processes. A process that cannot read the log must
   * neither adopt nor delete records.
   */
  problem: string | undefined;
  /**
   * Appends an entry, and reads the log. Without an argument, `append` only reads the log.
   *
   * @returns all entries since the last call, in order
   */
  append(entry?: Entry): Entry[];
}

/** Creates a log in memory for an operation with one process, such as a command or a test. */
export function memoryLog(problem?: string): OperationLog {
  return { problem, append: (entry) => (entry ? [entry] : []) };
}
