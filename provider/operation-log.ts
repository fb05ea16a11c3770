/** One entry: an action of a process, as JSON. No entry holds a property of a resource. */
export type Entry = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The entries of all provider processes of one engine operation, in an order that every process sees. A process that appends
 * an entry receives the earlier entries of the others. So all processes compute the same outcome from the same entries.
 */
export interface OperationLog {
  /**
   * The reason why the other processes' entries are not known. In that case, the operation must not do anything that depends on
   * them.
   */
  problem: string | undefined;
  /**
   * Appends an entry. Without an entry, this method only reads.
   *
   * @returns the entries since the last call, in order, with the appended entry at the end
   */
  append(entry?: Entry): Entry[];
}

/** Creates the log of an operation with one process, such as a command or a test. */
export function memoryLog(problem?: string): OperationLog {
  return { problem, append: (entry) => (entry ? [entry] : []) };
}
