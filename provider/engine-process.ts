import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";

/** Code for a listening socket in the column `st` of `/proc/net/tcp`. */
const listening = "0A";
/** Maximum number of bytes to read at once. */
const chunkBytes = 65_536;

/**
 * Returns the process id and start time of the engine that listens at an address. The engine is an ancestor of this process.
 * Returns undefined on systems without `/proc`.
 */
export function engineProcess(address: string): string | undefined {
  try {
    for (const socket of listeningSockets(Number(address.slice(address.lastIndexOf(":") + 1)))) {
      const holder = ancestorWith(socket);
      if (holder !== undefined) return holder;
    }
  } catch {
    // The operating system of this machine has no folder `/proc`.
  }
  return undefined;
}

/** Returns the environment variables of an engine, or undefined if this process may not read the variables. */
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

function ancestorWith(socket: string): string | undefined {
  try {
    for (let pid = process.pid; pid > 1;) {
      // In the file `stat`, the program's name is in parentheses and may contain any character.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      const [parent, started] = [Number(fields[1]), fields[19]];
      if (holds(pid, socket)) return `${pid} ${started}`;
      pid = parent;
    }
  } catch {
    // The operating system denies access to other users' processes.
  }
  return undefined;
}

/**
 * Yields the sockets that listen on a port. Linux lists listening sockets first, so a caller that stops early does not read
 * thousands of open connections.
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

/** Yields the lines of a file, and reads only as much of the file as the caller needs. */
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
      // The process may have closed the file since this code listed the process's open files.
      return false;
    }
  });
}
