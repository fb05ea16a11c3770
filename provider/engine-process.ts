import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";

/** The state of a listening socket in `/proc/net/tcp`. */
const listening = "0A";
/** Bytes per read, more than the system returns at once. */
const chunkBytes = 65_536;

/**
 * Returns an identifier of the engine at an address: its process and start time. Earlier and later engines at the same address
 * have other identifiers. The engine is the ancestor of this process that listens at the address. Undefined if it cannot be
 * determined, as on systems without `/proc`.
 */
export function engineProcess(address: string): string | undefined {
  try {
    for (const socket of listeningSockets(Number(address.slice(address.lastIndexOf(":") + 1)))) {
      const holder = ancestorWith(socket);
      if (holder !== undefined) return holder;
    }
  } catch {
    // This system has no `/proc`.
  }
  return undefined;
}

/** Returns the environment with which an engine was started; undefined if the system does not show it. */
export function environmentOf(engine: string | undefined): NodeJS.ProcessEnv | undefined {
  if (engine === undefined) return undefined;
  try {
    const entries = readFileSync(`/proc/${engine.split(" ")[0]}/environ`, "utf8")
      .split("\0")
      .filter(Boolean);
    return Object.fromEntries(entries.map((entry) => [entry.split("=", 1)[0], entry.slice(entry.indexOf("=") + 1)]));
  } catch {
    return undefined;
  }
}

/** Finds the nearest process that holds a socket, from this one up. */
function ancestorWith(socket: string): string | undefined {
  try {
    for (let pid = process.pid; pid > 1;) {
      // The program's name is in parentheses, and may contain any character.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      const [parent, started] = [Number(fields[1]), fields[19]];
      if (holds(pid, socket)) return `${pid} ${started}`;
      pid = parent;
    }
  } catch {
    // The process belongs to another user.
  }
  return undefined;
}

/**
 * Yields the links in a process's folder to a socket that listens on a port. The system writes the tables while they are read,
 * with listening sockets first. On a machine with thousands of connections, reading the rest would take milliseconds.
 */
function* listeningSockets(port: number): Generator<string> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const table of ["tcp", "tcp6"]) {
    for (const row of linesOf(`/proc/net/${table}`)) {
      const [, local, , state, , , , , , inode] = row.trim().split(/\s+/);
      if (local?.endsWith(end) && state === listening) yield `socket:[${inode}]`;
    }
  }
}

/** Yields the lines of a file, and reads only as far as the caller needs. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let rest = "";
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      const lines = (rest + chunk.toString("latin1", 0, length)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

function holds(pid: number, socket: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`) === socket;
    } catch {
      // The file was closed in the meantime.
      return false;
    }
  });
}
