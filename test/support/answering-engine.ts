import processes, { type ExecFileException, type ExecFileOptions, type SpawnOptions } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { plainEnv } from "./process";

/** A call of the engine. */
export interface EngineCall {
  /** Arguments, without those of each call. */
  args: readonly string[];
  stdin: string;
}

/** Output and exit code of a call. */
export interface EngineAnswer {
  /** @defaultValue 0 */
  code?: number;
  stdout?: string;
  stderr?: string;
}

export type Answer = (call: EngineCall) => EngineAnswer | Promise<EngineAnswer>;

const { execFile, spawn } = processes;
/** Active engines by the first folder of their environment's PATH. */
const answering = new Map<string, AnsweringEngine>();
afterAll(() => {
  answering.clear();
  Object.assign(processes, { execFile, spawn });
});
const ofEveryCall: ReadonlySet<string> = new Set(["--non-interactive", "--color", "never"]);

/**
 * A stand-in for the engine if its process does not matter. It answers from memory, because starting a process from these
 * large test processes takes longer than most commands. `EngineStub` has a process.
 */
export class AnsweringEngine {
  /** All calls so far. */
  readonly calls: string[] = [];
  readonly #bin: string;

  constructor(
    folder: string,
    private readonly answer: Answer,
  ) {
    this.#bin = join(folder, "answering");
    answering.set(this.#bin, this);
    processes.spawn = started;
    processes.execFile = executed;
  }

  /** Returns an environment whose PATH starts with it and this Node. */
  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return plainEnv({ PATH: [this.#bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), ...more });
  }

  end(): void {
    answering.delete(this.#bin);
    if (answering.size === 0) Object.assign(processes, { execFile, spawn });
  }

  /** Runs a call with the interface of a process. */
  run(allArgs: readonly string[]) {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    let signal: NodeJS.Signals | null = null;
    const kill = (by: NodeJS.Signals = "SIGTERM"): boolean => {
      signal = by;
      return true;
    };
    const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr, kill });
    const args = allArgs.filter((arg) => !ofEveryCall.has(arg));
    const run = async (): Promise<void> => {
      const input = await text(stdin);
      this.calls.push(args.join(" "));
      const output = await this.answer({ args, stdin: input });
      // A signal ends it before it prints.
      stdout.end(signal ? "" : (output.stdout ?? ""));
      stderr.end(signal ? "" : (output.stderr ?? ""));
      await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once("end", resolve))));
      child.emit("close", signal ? null : (output.code ?? 0), signal);
    };
    void run().catch((error: unknown) => child.emit("error", error));
    return child;
  }
}

function engineOf(command: string, { env }: SpawnOptions | ExecFileOptions): AnsweringEngine | undefined {
  return command === "pulumi" ? answering.get(env?.["PATH"]?.split(delimiter)[0] ?? "") : undefined;
}

const started = ((command: string, args: readonly string[], options: SpawnOptions) =>
  engineOf(command, options)?.run(args) ?? spawn(command, args, options)) as typeof spawn;

type Done = (error: ExecFileException | null, stdout: string, stderr: string) => void;

async function conclude(child: ReturnType<AnsweringEngine["run"]>, done: Done): Promise<void> {
  const closed = once(child, "close") as Promise<[code: number]>;
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  done(code === 0 ? null : Object.assign(new Error("The engine failed"), { code }), stdout, stderr);
}

const executed = ((command: string, args: readonly string[], options: ExecFileOptions, done: Done) => {
  const child = engineOf(command, options)?.run(args);
  if (!child) return execFile(command, args, options, done as never);
  child.stdin.end();
  void conclude(child, done);
  return child;
}) as typeof execFile;

/** Answers each call that begins with some words, and fails for any other, as `answers` does in a script. */
export function answersOf(outputs: Record<string, unknown>): Answer {
  return ({ args }) => {
    const call = `${args.join(" ")} `;
    const match = Object.entries(outputs).find(([words]) => call.startsWith(words));
    if (!match) return { code: 255, stderr: `error: not asked for: ${call}\n` };
    return { stdout: `${typeof match[1] === "string" ? match[1] : JSON.stringify(match[1])}\n` };
  };
}
