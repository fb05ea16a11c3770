/** Measuring whole processes, in pairs: what runs first in a pair takes turns, since it finds the colder caches. */
import { spawn } from "node:child_process";
import type { Emulator } from "../../emulator";
import type { Line, Order } from "./row";

/** The cost of one run of a process and of all processes that it started. */
export interface Spent {
  /** Seconds from start to end. */
  readonly time: number;
  /** Seconds of CPU time, user and system. */
  readonly cpu: number;
}

/**
 * Runs a command to its end. The shell around it says how much CPU time its children took, those that they waited for included.
 *
 * @throws Error with what it wrote, where it ends with another code than the ones that are expected
 */
export function timed(
  command: string,
  args: readonly string[],
  given: { cwd?: string; env?: NodeJS.ProcessEnv; codes?: readonly number[]; started?: (pid: number) => void } = {},
): Promise<Spent & { text: string }> {
  const { cwd, env = process.env, codes = [0] } = given;
  const script = '"$@" 2>&1; status=$?; times >&3; exit $status';
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn("bash", ["-c", script, "bash", command, ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    if (child.pid !== undefined) given.started?.(child.pid);
    let [text, times] = ["", ""];
    child.stdio[1]?.on("data", (chunk) => (text += String(chunk)));
    child.stdio[3]?.on("data", (chunk) => (times += String(chunk)));
    child.on("error", reject);
    child.on("close", (code) => {
      const time = (performance.now() - started) / 1_000;
      if (code === null || !codes.includes(code)) {
        reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${text.slice(-2_000)}`));
      } else resolve({ time, cpu: cpuIn(times), text });
    });
  });
}

/** The second line of `times` is that of the children: user, then system, such as `0m1.250s 0m0.120s`. */
function cpuIn(times: string): number {
  const [, children = ""] = times.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

/** Measures each of some things once a pair, in turns. @returns what each measured, pair by pair */
export async function inTurns<Name extends string, T>(
  pairs: number,
  things: Readonly<Record<Name, (pair: number) => Promise<T>>>,
): Promise<Record<Name, T[]>> {
  // The keys are those of the argument.
  const names = Object.keys(things) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as unknown as Record<Name, T[]>;
  for (let pair = 0; pair < pairs; pair += 1) {
    const turn = names.map((_, at) => names[(at + pair) % names.length]).filter((name) => name !== undefined);
    for (const name of turn) results[name].push(await things[name](pair));
  }
  return results;
}

/** The same of things that one function measures by their names. */
export function eachInTurns<Name extends string, T>(
  { pairs, progress }: Order,
  names: readonly Name[],
  take: (name: Name) => Promise<T>,
): Promise<Record<Name, T[]>> {
  const takeOne = (name: Name) => (pair: number) => {
    progress(`${name}, ${pair + 1} of ${pairs}`);
    return take(name);
  };
  // The keys are the names.
  return inTurns(
    pairs,
    Object.fromEntries(names.map((name) => [name, takeOne(name)])) as Record<Name, ReturnType<typeof takeOne>>,
  );
}

/** A line of two series: the first, pair by pair, divided by the second. */
export function compared(line: Omit<Line, "ratios">, ours: readonly number[], base: readonly number[]): Line {
  const ratios = ours.map((own, at) => own / (base[at] ?? Number.NaN));
  if (ours.length === 0 || ours.length !== base.length || !ratios.every((ratio) => Number.isFinite(ratio))) {
    throw new Error(`${line.what}: there is nothing to divide by`);
  }
  return { ...line, ratios, ours, base };
}

/** Requests that an emulator has had so far. */
export function requestsTo(emulator: Emulator): number {
  return Object.values(emulator.requests()).reduce((sum, count) => sum + count, 0);
}
