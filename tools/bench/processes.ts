/** Measures CPU time and memory of processes on Linux, which has /proc. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds between two measurements of the processes. */
const lookIntervalMs = 20;
/** Unit of CPU time in /proc. Linux reports 100 ticks per second to every program. */
const ticksPerSecond = 100;

/** Returns the parent of a process and its CPU time in seconds. @throws Error if the process has ended */
export function statOf(pid: number): { parent: number; seconds: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program name in parentheses may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1] ?? 0, seconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / ticksPerSecond };
}

/** Returns a process's memory in megabytes: the peak and the current value. @throws Error if the process has ended */
export function memoryOf(pid: number): { most: number; now: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (field: string): number => Number(new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1_024;
  return { most: of("VmHWM"), now: of("VmRSS") };
}

/** Node options for a program that measures its own memory on request. */
export const measuringItself = ["--require", join(__dirname, "heap-in-use.cjs")];

/** Memory in use after a garbage collection, in megabytes. */
export interface InUse {
  heap: number;
  /** Memory of buffers outside the heap. */
  external: number;
}

/**
 * Asks a program for its memory in use after a garbage collection. The program must have been started with `measuringItself`.
 */
export function inUse(child: ChildProcess): Promise<InUse> {
  return new Promise((resolve) => {
    // The measured process sends no other messages.
    child.once("message", (bytes: InUse) => resolve({ heap: bytes.heap / 1_000_000, external: bytes.external / 1_000_000 }));
    child.kill("SIGUSR2");
  });
}

/**
 * Measures the memory of a process and of all processes that it starts, until the returned function is called.
 *
 * @returns a function that returns the sum of the peaks of all processes, in megabytes
 */
export function followMemory(root: number): () => number {
  const seen = new Map<number, number>([[root, 0]]);
  const look = (): void => {
    const parents = parentsOfAll();
    // The process list may name a child process before its parent.
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

/** Reads a process that may have ended since it was listed. */
function ifRunning<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
