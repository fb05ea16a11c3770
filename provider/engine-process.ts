import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** State of a socket that listens, in `/proc/net/tcp`. */
const listening = "0A";

/**
 * Returns what tells the engine at an address from every other one that had or will have the same address: its process and when that
 * started. It is the ancestor of this process that listens there. Undefined where this cannot be determined, as on systems without `/proc`.
 */
export function engineProcess(address: string): string | undefined {
  try {
    const sockets = listeningSockets(Number(address.slice(address.lastIndexOf(":") + 1)));
    for (let pid = process.pid; pid > 1;) {
      // The name of a program stands in brackets, and may hold any character.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      const [parent, started] = [Number(fields[1]), fields[19]];
      if (holdsAny(pid, sockets)) return `${pid} ${started}`;
      pid = parent;
    }
  } catch {
    // Another system, or a process of another user.
  }
  return undefined;
}

/** Links by which a process holds a socket that listens on a port. */
function listeningSockets(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const rows = ["tcp", "tcp6"].flatMap((table) => readFileSync(`/proc/net/${table}`, "utf8").trim().split("\n").slice(1));
  const sockets = rows.map((row) => row.trim().split(/\s+/));
  return new Set(
    sockets.flatMap(([, local, , state, , , , , , inode]) =>
      local?.endsWith(`:${hex}`) && state === listening ? [`socket:[${inode}]`] : [],
    ),
  );
}

function holdsAny(pid: number, sockets: ReadonlySet<string>): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((file) => {
    try {
      return sockets.has(readlinkSync(`/proc/${pid}/fd/${file}`));
    } catch {
      // Closed since.
      return false;
    }
  });
}
