import processes, { type SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { plainEnv } from "./process";

/** A call of the engine. */
export interface EngineCall {
  /** Arguments, without those that every call has. */
  args: readonly string[];
  stdin: string;
}

/** What a call prints and ends with. */
export interface EngineAnswer {
  /** @defaultValue 0 */
  code?: number;
  stdout?: string;
  stderr?: string;
}

export type Answer = (call: EngineCall) => EngineAnswer;

const { spawn } = processes;
/** Engines that answer now, by the folder that their environment has first on its PATH. */
const answering = new Map<string, AnsweringEngine>();
const ofEveryCall: ReadonlySet<string> = new Set(["--non-interactive", "--color", "never"]);

/**
 * A stand-in for the engine where its process is not in question: it answers from memory, since to start a process takes one that is as
 * large as the tests' longer than what most commands do. `EngineStub` is one with a process.
 */
export class AnsweringEngine {
  /** Every call so far. */
  readonly calls: string[] = [];
  readonly #bin: string;

  constructor(
    folder: string,
    private readonly answer: Answer,
  ) {
    this.#bin = join(folder, "answering");
    answering.set(this.#bin, this);
    processes.spawn = started;
  }

  /** An environment whose PATH leads to it, and to this Node. */
  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return plainEnv({ PATH: [this.#bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), ...more });
  }

  end(): void {
    answering.delete(this.#bin);
    if (answering.size === 0) processes.spawn = spawn;
  }

  /** A run, as a process looks from outside. */
  run(given: readonly string[]): EventEmitter {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    let signal: NodeJS.Signals | null = null;
    const kill = (by: NodeJS.Signals = "SIGTERM"): boolean => {
      signal = by;
      return true;
    };
    const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr, kill });
    const args = given.filter((one) => !ofEveryCall.has(one));
    const run = async (): Promise<void> => {
      const input = await text(stdin);
      this.calls.push(args.join(" "));
      const said = this.answer({ args, stdin: input });
      // A signal ends it before it prints.
      stdout.end(signal ? "" : (said.stdout ?? ""));
      stderr.end(signal ? "" : (said.stderr ?? ""));
      await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once("end", resolve))));
      child.emit("close", signal ? null : (said.code ?? 0), signal);
    };
    void run().catch((error: unknown) => child.emit("error", error));
    return child;
  }
}

const started = ((command: string, args: readonly string[], options: SpawnOptions) => {
  const engine = command === "pulumi" ? answering.get(options.env?.["PATH"]?.split(delimiter)[0] ?? "") : undefined;
  return engine ? engine.run(args) : spawn(command, args, options);
}) as typeof spawn;

/** Prints an answer to each call that begins with some words, and fails at any other, as `answers` does in a script. */
export function answersOf(said: Record<string, unknown>): Answer {
  return ({ args }) => {
    const call = `${args.join(" ")} `;
    const found = Object.entries(said).find(([words]) => call.startsWith(words));
    if (!found) return { code: 255, stderr: `error: not asked for: ${call}\n` };
    return { stdout: `${typeof found[1] === "string" ? found[1] : JSON.stringify(found[1])}\n` };
  };
}
