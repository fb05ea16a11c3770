import type { Entry, OperationLog } from "../../provider/operation-log";

/** Returns the log of an operation with all processes in this one. Each call opens it for another process. */
export function sharedLog(): () => OperationLog {
  const entries: Entry[] = [];
  return () => {
    let seen = 0;
    return {
      problem: undefined,
      append(entry) {
        if (entry) entries.push(entry);
        const unseen = entries.slice(seen);
        seen = entries.length;
        return unseen;
      },
    };
  };
}
