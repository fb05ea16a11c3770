import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { engineProcess, environmentOf } from "./engine-process";
import type { Entry, OperationLog } from "./operation-log";
import { privateFolder } from "./private-folder";

/** Milliseconds from the last log entry until the provider may delete a finished operation's log. */
const keptMs = 3_600_000;
const folderName = "operations";
/** Exit codes that a shell reports for a process that SIGINT or SIGTERM terminated. */
const signals = { SIGINT: 130, SIGTERM: 143 };
const opened = new Set<FileLog>();

/** A log file to which all provider processes of an operation append lines. The operating system appends each line atomically. */
export class FileLog implements OperationLog {
  problem: string | undefined;
  readonly #file: number;
  #offset = 0;
  #rest = "";

  constructor(address: string) {
    const engine = engineProcess(address);
    const path = logFileOf(address, engine);
    deleteOld(dirname(path));
    this.#file = openSync(path, "a+", 0o600);
    const earlier = this.#read();
    const present = participants(earlier);
    const isKnown = engine !== undefined && earlier.findLast((entry) => entry["do"] === "join")?.["engine"] !== undefined;
    // An engine keeps its provider processes until it ends. If all processes in the log have ended, a process was killed or the log belongs
    // to an earlier engine.
    if (!isKnown && present.size > 0 && ![...present].some(isRunning)) {
      throw new Error(
        "a provider process was killed in this operation or in an earlier operation, so its last actions are unknown",
      );
    }
    // A process that reads the entry `join` discards earlier entries of other engines and of finished operations.
    this.#write({ do: "join", pid: process.pid, engine });
    this.#offset = 0;
    this.#rest = "";
    leaveAtEnd(this);
  }

  leave(): void {
    try {
      this.#write({ do: "leave", pid: process.pid });
      closeSync(this.#file);
    } catch {
      // If the entry cannot be written, a later operation uses the process id to detect that this process has ended.
    }
  }

  append(entry?: Entry): Entry[] {
    try {
      if (entry) this.#write(entry);
      return this.#read();
    } catch (error) {
      this.problem ??= (error as Error).message;
      return entry ? [entry] : [];
    }
  }

  #write(entry: Entry): void {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    if (writeSync(this.#file, line) < line.length) throw new Error("the disk is full");
  }

  #read(): Entry[] {
    const size = fstatSync(this.#file).size;
    if (size <= this.#offset) return [];
    const buffer = Buffer.alloc(size - this.#offset);
    this.#offset += readSync(this.#file, buffer, 0, buffer.length, this.#offset);
    const lines = (this.#rest + buffer.toString("utf8")).split("\n");
    this.#rest = lines.pop() ?? "";
    return entriesIn(lines);
  }
}

/** Derives the path of an operation's shared log file from the address of the engine. */
export function logFileOf(address: string, engine = engineProcess(address)): string {
  // The engine's environment variables determine the folder, because the provider processes of an operation may have different variables.
  const folder = privateFolder(folderName, undefined, environmentOf(engine));
  // The file name contains the host name, because engines in containers with a shared folder may have the same address.
  return join(folder, createHash("sha256").update(`${hostname()} ${address}`).digest("hex").slice(0, 32));
}

function participants(entries: readonly Entry[]): Set<number> {
  const present = new Set<number>();
  for (const { do: what, pid } of entries) {
    if (what === "join") present.add(Number(pid));
    if (what === "leave") present.delete(Number(pid));
  }
  return present;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function deleteOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > keptMs && !isInUse(path)) rmSync(path);
    } catch {
      // Another process may already have deleted the log file.
    }
  }
}

function isInUse(path: string): boolean {
  return [...participants(entriesIn(readFileSync(path, "utf8").split("\n").filter(Boolean)))].some(isRunning);
}

function entriesIn(lines: readonly string[]): Entry[] {
  return lines.map((line) => JSON.parse(line) as Entry);
}

/**
 * Adds an entry to the log when this process ends. The engine stops providers with a signal. By default, Node does not emit the event
 * `exit` after a signal.
 */
function leaveAtEnd(log: FileLog): void {
  opened.add(log);
  if (opened.size > 1) return;
  process.once("exit", () => opened.forEach((each) => each.leave()));
  for (const [signal, code] of Object.entries(signals)) process.once(signal, () => process.exit(code));
}
