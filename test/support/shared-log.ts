import type { Entry, OperationLog } from "../../provider/operation-log";

/** The log of an operation whose processes are all in this one. Each call opens it for another of them. */
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
