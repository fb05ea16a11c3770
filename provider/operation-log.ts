/** One entry: what a process did, in JSON. No entry holds a property of a resource. */
export type Entry = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The entries of all provider processes of one operation of the engine, in one order that every process sees. A process that appends an
 * entry gets those of the others that come before it, so all processes compute the same outcome from the same entries.
 */
export interface OperationLog {
  /** The reason why the entries of other processes are not known. Then nothing may be done that depends on them. */
  problem: string | undefined;
  /**
   * Appends an entry, or none.
   *
   * @returns the entries since the last call, in order, the appended one at the end
   */
  append(entry?: Entry): Entry[];
}

/** The log of an operation with one process, as of a command or a test. */
export function memoryLog(problem?: string): OperationLog {
  return { problem, append: (entry) => (entry ? [entry] : []) };
}
