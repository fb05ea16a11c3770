/** CPU time and memory of processes. It reads /proc, so it runs on Linux only. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds between two measurements of the processes. */
const lookIntervalMs = 20;
/** Ticks of a second in which the kernel counts CPU time. Linux shows 100 to every program. */
const ticksPerSecond = 100;

/** The parent of a process, and the seconds of CPU time that it used. @throws Error if it has ended */
export function statOf(pid: number): { parent: number; seconds: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold spaces.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1] ?? 0, seconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / ticksPerSecond };
}

/** Megabytes of memory of a process: the most so far, and now. @throws Error if it has ended */
export function memoryOf(pid: number): { most: number; now: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (field: string): number => Number(new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1_024;
  return { most: of("VmHWM"), now: of("VmRSS") };
}

/** Options of Node for a program that measures its memory in use, with a channel to its parent. */
export const measuringItself = ["--require", join(__dirname, "heap-in-use.cjs")];

/** Megabytes in use, without garbage. */
export interface InUse {
  heap: number;
  /** Buffers outside of the heap. */
  external: number;
}

/** Asks a program that was started with `measuringItself`. It collects the garbage first. */
export function inUse(child: ChildProcess): Promise<InUse> {
  return new Promise((resolve) => {
    // The process sends no other messages.
    child.once("message", (bytes: InUse) => resolve({ heap: bytes.heap / 1_000_000, external: bytes.external / 1_000_000 }));
    child.kill("SIGUSR2");
  });
}

/**
 * Follows the memory of a process and of all processes that it starts, including those that outlive their parent.
 *
 * @returns a function that ends this, and returns megabytes: the sum of the most that each process had
 */
export function followMemory(root: number): () => number {
  const seen = new Map<number, number>([[root, 0]]);
  const look = (): void => {
    const parents = parentsOfAll();
    // The list may name a child before its parent.
    for (let size = 0; size < seen.size;) {
      size = seen.size;
      for (const [pid, parent] of parents) if (!seen.has(pid) && seen.has(parent)) seen.set(pid, 0);
    }
    for (const [pid, memory] of seen) seen.set(pid, Math.max(memory, ifRunning(() => memoryOf(pid).most) ?? 0));
  };
  look();
  const timer = setInterval(look, lookIntervalMs);
  return () => {
    look();
    clearInterval(timer);
    return [...seen.values()].reduce((sum, memory) => sum + memory, 0);
  };
}

function parentsOfAll(): [pid: number, parent: number][] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid): [number, number][] => {
    const parent = ifRunning(() => statOf(Number(pid)).parent);
    return parent === undefined ? [] : [[Number(pid), parent]];
  });
}

/** Reads from a process that may have ended since it was listed. */
function ifRunning<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
