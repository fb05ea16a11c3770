import { stackOf } from "../../../engine/stacks";
import { stripVTControlCharacters } from "node:util";
import { type ExitCode, wholeNumber, type Invocation } from "../../command";
import type { DevValues } from "./options";
import { SessionConfiguration } from "./configuration";
import { projectToRun } from "./project";
import { DevSession } from "./session";
import { watchProgram } from "./watch";
import { onEndOfNpx } from "../emulator/run";
import { Project } from "../../../engine/project";
import { type Io, systemClock } from "../../../engine/io";
import type { Output } from "../../report/output";

/** All tasks of a `dev` session. The order of the array is the order of execution. */
const tasks = ["review", "apply", "test", "drift"] as const;
type Task = (typeof tasks)[number];

/**
 * Maximum time that a `dev` session waits for results, in seconds. The time is short, because only the agent on this machine runs tests.
 */
const measuringSeconds = "20";

const keys: Readonly<Record<string, Task>> = { a: "apply", t: "test", d: "drift" };
const keyText = "Keys: a apply, t run the tests now, d drift, p page, q quit";

export async function run(values: DevValues, invocation: Invocation): Promise<ExitCode> {
  const { out, io } = invocation;
  const stack = values.stack ?? "dev";
  const project = await projectToRun(values, invocation);
  const configuration = new SessionConfiguration(project.name);
  configuration.setAll(values.config ?? []);
  const session = await DevSession.start(project, stack, wholeNumber("port", values.port), configuration, invocation.invoke);
  const developing = new Developing(session, out, io);
  await developing.untilEnded(project.folder, stack);
  return 0;
}

class Developing {
  readonly #waiting = new Set<Task>(["review"]);
  #running: Task | undefined;
  #ended = false;
  #isApplied = false;
  #wake = (): void => undefined;

  constructor(
    private readonly session: DevSession,
    private readonly out: Output,
    private readonly io: Io,
  ) {}

  async untilEnded(folder: string, stack: string): Promise<void> {
    const { io, session } = this;
    const { url } = session.emulator;
    const clock = io.clock ?? systemClock;
    const ends = [
      io.onInterrupt(() => this.#end()),
      onEndOfNpx(io, () => this.#end()),
      watchProgram(folder, clock, () => this.#ask("review")),
      this.#listenToKeys(),
    ];
    this.out.result({ url, stack }, `The page of the emulator: ${url}/\n${keyText}\n`);
    try {
      while (!this.#ended) await this.#next();
    } finally {
      for (const end of ends) end();
      await session.end();
    }
  }

  async #next(): Promise<void> {
    const task = tasks.find((candidate) => this.#waiting.delete(candidate));
    if (task === undefined) return new Promise((resolve) => (this.#wake = resolve));
    this.#running = task;
    try {
      await { review: () => this.#review(), apply: () => this.#apply(), test: () => this.#test(), drift: () => this.#drift() }[
        task
      ]();
    } catch (error) {
      // A project file may be incomplete while an editor saves it, so an error does not end the session.
      if (!(error instanceof Error)) throw error;
      await this.#show("The program cannot be run", `${error.message}\n`);
    } finally {
      this.#running = undefined;
    }
  }

  async #review(): Promise<void> {
    this.out.note("Reviewing the program…");
    const { configuration } = this.session;
    let validated = await this.session.run("validate");
    while (validated.code === 1 && configuration.complete(validated.text)) validated = await this.session.run("validate");
    if (validated.code === 130 || this.#waiting.has("review")) return;
    for (const [key, value] of configuration.newPlaceholders()) {
      this.out.note(`The stack has no ${key}. dev uses "${value}"; set another value with --config ${key}=VALUE`);
    }
    if (validated.code !== 0) return this.#show("Mistakes in the program", validated.text);
    const reviewed = await this.session.run("review");
    if (reviewed.code === 130) return;
    await this.#show(reviewed.code === 1 ? "The review failed" : "Planned changes", reviewed.text);
    if (!this.#isApplied && reviewed.code === 0) this.#ask("apply");
  }

  async #apply(): Promise<void> {
    this.out.note("Applying the program…");
    const lines: string[] = [];
    const onLine = (line: string): void => void lines.push(line);
    const stack = await stackOf(Project.open(this.session.io()), undefined);
    const update = await stack.run(["up", "--yes", "--skip-preview"], { onLine });
    const isFirst = !this.#isApplied;
    this.#isApplied ||= update.code === 0;
    await this.#show(update.code === 0 ? "Applied" : "The update failed", `${lines.join("\n")}\n`);
    if (isFirst && this.#isApplied) this.#ask("test");
  }

  async #test(): Promise<void> {
    this.out.note("Running the tests…");
    const verified = await this.session.run("verify", "--all", "--wait-for-more", "1", "--timeout", measuringSeconds);
    if (verified.code !== 130) await this.#show("Test results", verified.text);
  }

  async #drift(): Promise<void> {
    this.out.note("Comparing with the emulator…");
    const drift = await this.session.run("drift");
    if (drift.code !== 130) await this.#show("Manual changes", drift.text);
  }

  async #show(title: string, text: string): Promise<void> {
    if (this.#ended) return;
    // The command updates the browser page first, so that the page is up to date when the user sees the terminal output.
    await this.session.show(title, stripVTControlCharacters(text).trim());
    const stream = this.out.json ? this.io.stderr : this.io.stdout;
    stream.write(`\n${title}\n\n${text.trim()}\n\n`);
  }

  #ask(task: Task): void {
    this.#waiting.add(task);
    // A change to the program makes a running review obsolete, so the review is interrupted. A running update continues.
    if (task === "review" && this.#running === "review") this.session.interrupt();
    this.#wake();
  }

  /** Ends the session. A second call of the method stops the Pulumi engine immediately. */
  #end(): void {
    this.#ended = true;
    this.session.interrupt();
    this.#wake();
  }

  /** @returns a function that stops listening and restores the terminal */
  #listenToKeys(): () => void {
    const stdin = this.io.stdin as NodeJS.ReadStream;
    const listener = (chunk: Buffer | string): void => {
      for (const key of String(chunk)) {
        const task = keys[key];
        if (task) this.#ask(task);
        if (key === "p") this.out.note(`${this.session.emulator.url}/`);
        // In raw mode, the terminal delivers Ctrl+C as a key.
        if (key === "q" || key === "\u0003") this.#end();
      }
    };
    if (stdin.isTTY) stdin.setRawMode(true);
    // An earlier prompt may have paused standard input.
    stdin
      .on("data", listener)
      .on("error", () => undefined)
      .resume();
    return () => {
      stdin.off("data", listener);
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.pause();
    };
  }
}
