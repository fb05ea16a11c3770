import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { engineProcess, environmentOf } from "../../provider/engine-process";
import type { Entry, OperationLog } from "../../provider/operation-log";
import { privateFolder } from "../../provider/private-folder";

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

/** Returns the file that provider/file-log.ts creates for the address of an engine in this process. */
export function logFileOf(address: string): string {
  folder ??= privateFolder("operations", undefined, environmentOf(engineProcess(address)));
  return join(folder, createHash("sha256").update(`${hostname()} ${address}`).digest("hex").slice(0, 32));
}

let folder: string | undefined;
