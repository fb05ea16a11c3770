/** Measures the cost of an operation of the engine by process. It reads /proc, so it runs on Linux alone. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds between two looks. What a process does between the last one and its end is missing from the figures. */
const lookIntervalMs = 20;
/** Ticks of a second in which the kernel counts CPU time. Linux shows 100 to every program. */
const ticksPerSecond = 100;

/** The processes of an operation. */
export const roles = ["engine", "language host", "program", "provider"] as const;
export type Role = (typeof roles)[number];

/** Which of the processes a command line is; nothing for a helper, which counts as part of what started it. */
function roleOf(commandLine: string): Role | undefined {
  if (/pulumi-language-/.test(commandLine)) return "language host";
  if (/pulumi-resource-|dynamic-provider|plugin[/\\]main\.js/.test(commandLine)) return "provider";
  if (/pulumi[/\\]cmd[/\\]run/.test(commandLine)) return "program";
  return /^\S*pulumi\s/.test(commandLine) ? "engine" : undefined;
}

/** The parent of a process, and the seconds of CPU time that it used. @throws Error if it has ended */
export function statOf(pid: number): { parent: number; seconds: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold spaces.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [, parent = 0] = fields;
  return { parent, seconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / ticksPerSecond };
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
    // It sends nothing else.
    child.once("message", (bytes: InUse) => resolve({ heap: bytes.heap / 1_000_000, external: bytes.external / 1_000_000 }));
    child.kill("SIGUSR2");
  });
}

/** Seconds of CPU time by role. */
export type ByRole = Record<Role, number>;

/** What a process and all that it started used. */
export interface Followed {
  seconds: ByRole;
  /** Megabytes: the sum of the most that each of them held. */
  memory: number;
}

/** Seconds of all processes together. */
export function total(seconds: ByRole): number {
  return roles.reduce((sum, role) => sum + seconds[role], 0);
}

/** Follows a process and all that it starts, also what outlives its parent. @returns what ends it, and says what they used */
export function follow(root: number): () => Followed {
  const seen = new Map<number, { role: Role; seconds: number; memory: number }>();
  const look = (): void => {
    const stats = statsOfAll();
    // A child may stand before its parent.
    for (let more = true; more;) {
      more = false;
      for (const [pid, { parent }] of stats) {
        if (seen.has(pid) || !(pid === root || seen.has(parent))) continue;
        seen.set(pid, { role: seen.get(parent)?.role ?? "engine", seconds: 0, memory: 0 });
        more = true;
      }
    }
    for (const [pid, one] of seen) {
      const stat = stats.get(pid);
      if (!stat) continue;
      one.seconds = Math.max(one.seconds, stat.seconds);
      one.memory = Math.max(one.memory, ifThere(() => memoryOf(pid).most) ?? 0);
      one.role = ifThere(() => roleOf(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "))) ?? one.role;
    }
  };
  look();
  const timer = setInterval(look, lookIntervalMs);
  return () => {
    look();
    clearInterval(timer);
    const sums: ByRole = { engine: 0, "language host": 0, program: 0, provider: 0 };
    for (const { role, seconds } of seen.values()) sums[role] += seconds;
    return { seconds: sums, memory: [...seen.values()].reduce((sum, one) => sum + one.memory, 0) };
  };
}

function statsOfAll(): Map<number, { parent: number; seconds: number }> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const stats = pids.map((pid) => [Number(pid), ifThere(() => statOf(Number(pid)))] as const);
  return new Map(stats.flatMap(([pid, stat]) => (stat ? [[pid, stat] as const] : [])));
}

/** Of a process that may have ended since it was listed. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
