/** Measures several processes alternately. The order changes from pair to pair, because the first process finds cold caches. */
import { spawn } from "node:child_process";
import type { Emulator } from "../../emulator";

/** The cost of a process, including all processes that it started. */
export interface Spent {
  /** Seconds from start to end. */
  readonly time: number;
  /** Seconds of CPU time (user and system). */
  readonly cpu: number;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Exit codes that do not mean a failure. @defaultValue only 0 */
  readonly codes?: readonly number[];
  /** Called with the process id when the process has started. */
  readonly started?: (pid: number) => void;
}

/**
 * Runs a command in a shell, which reports the CPU time of the command and its child processes.
 *
 * @throws Error with the output, if the command exits with an unexpected code
 */
export function timed(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, codes = [0], started }: RunOptions = {},
): Promise<Spent & { text: string }> {
  const script = '"$@" 2>&1; status=$?; times >&3; exit $status';
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "ignore", "pipe"];
    const child = spawn("bash", ["-c", script, "bash", command, ...args], { cwd, env, stdio });
    if (child.pid !== undefined) started?.(child.pid);
    let [text, times] = ["", ""];
    child.stdio[1]?.on("data", (chunk) => (text += String(chunk)));
    child.stdio[3]?.on("data", (chunk) => (times += String(chunk)));
    child.on("error", reject);
    child.on("close", (code) => {
      const time = (performance.now() - begin) / 1_000;
      if (code === null || !codes.includes(code)) {
        reject(new Error(`${command} ${args.join(" ")} exited with code ${code}:\n${text.slice(-2_000)}`));
      } else resolve({ time, cpu: cpuIn(times), text });
    });
  });
}

/**
 * Returns the CPU time of child processes from the second line of the shell's `times`: user and system time, such as `0m1.250s
 * 0m0.120s`.
 */
function cpuIn(times: string): number {
  const [, children = ""] = times.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

export interface Order {
  readonly pairs: number;
  /** Called with a line that describes the current work. */
  readonly progress: (text: string) => void;
}

/** Runs all measurements of a pair before the next pair. @returns the measurements by name, one per pair */
export async function inTurns<Name extends string, T>(
  { pairs, progress }: Order,
  names: readonly Name[],
  measure: (name: Name) => Promise<T>,
): Promise<Record<Name, T[]>> {
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as unknown as Record<Name, T[]>;
  for (let pair = 0; pair < pairs; pair += 1) {
    const turn = names.map((_, at) => names[(at + pair) % names.length]).filter((name) => name !== undefined);
    for (const name of turn) {
      progress(`${name}, ${pair + 1} of ${pairs}`);
      results[name].push(await measure(name));
    }
  }
  return results;
}

export function medianOf(numbers: readonly number[]): number {
  if (numbers.length === 0) throw new Error("An empty list has no median.");
  const sorted = numbers.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
}

/**
 * Returns the median with the smallest and the largest number: `0.74 (0.70–0.77)`. For a single number, the range is omitted.
 */
export function spreadText(numbers: readonly number[], digits = 2): string {
  const text = (number: number): string => number.toFixed(digits);
  const median = text(medianOf(numbers));
  return numbers.length === 1 ? median : `${median} (${text(Math.min(...numbers))}–${text(Math.max(...numbers))})`;
}

/** Divides the first measurement of each pair by the second. @throws Error unless both measurements of each pair are above 0 */
export function ratioText(measured: readonly number[], base: readonly number[]): string {
  const ratios = measured.map((figure, at) => figure / (base[at] ?? Number.NaN));
  if (measured.length !== base.length || !ratios.every((ratio) => Number.isFinite(ratio))) {
    throw new Error(`${measured.join(", ")} and ${base.join(", ")} are not pairs that can be divided`);
  }
  return spreadText(ratios);
}

/** Returns the number of requests that an emulator has answered. */
export function requestsTo(emulator: Emulator): number {
  return Object.values(emulator.requests()).reduce((sum, count) => sum + count, 0);
}
