import { randomBytes } from "node:crypto";
import { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { Wait } from "../../api";
import type { Io } from "../io";
import type { Report } from "./document";
import { Progress } from "./progress";
import { toTerminal } from "./terminal";
import { printable, printableJson, visible } from "./text";

type TextStyle = Parameters<typeof styleText>[0];

/**
 * Prints for a command: its result on standard output, notes and progress on standard error. With `--json` the result is one
 * object on one line: `{ data, warnings }`, or `{ error: { code, message } }`.
 *
 * Whatever text comes from the service, the state or a program, no control character of it reaches a terminal: all text passes
 * `printable` here, and only the colours of `paint` come through.
 */
export class Output {
  /** Stands for the escape character of our own colours until the text is written. Nobody else can know it. */
  readonly #escape = `\uf8ff${randomBytes(8).toString("hex")}\uf8ff`;
  readonly #warnings: string[] = [];
  /** A sentence about what the command has done so far, for a user who presses Ctrl+C. Each step that changes something sets it. */
  doneSoFar = "Nothing was changed.";
  /** Whether the command has failed: after that, nothing more is printed. */
  #failed = false;
  readonly #progress: Progress;
  /** Answers of the service since the present activity began. */
  #answers = 0;

  constructor(
    readonly json: boolean,
    private readonly io: Pick<Io, "stdout" | "stderr" | "env" | "clock">,
  ) {
    this.#progress = new Progress(io, json);
  }

  /** Reports that an activity begins: on a terminal in one line that changes, elsewhere in a line of its own. See `Progress`. */
  progress(text: string): void {
    this.#begin(text, "everywhere");
  }

  /** Reports that an activity begins which is often short: off a terminal it is shown only if it lasts. */
  step(text: string): void {
    this.#begin(text, "terminal");
  }

  /** Names an activity that is shown only if it lasts. */
  begin(text: string): void {
    this.#begin(text, "nowhere");
  }

  /** Reports how much of the activity is done. @param noun names what is counted, if the activity does not */
  count(done: number, total?: number, noun?: string): void {
    if (!this.#failed) this.#progress.count(done, total, noun);
  }

  /** Reports that the activity waits for the service. */
  wait({ operation, reason, ms }: Wait): void {
    if (!this.#failed) this.#progress.wait(`${operation} waits ${Math.ceil(ms / 1_000)} s: ${reason}`, ms);
  }

  /** Counts an answer of the service. */
  answer(): void {
    this.#answers += 1;
    this.count(this.#answers, undefined, this.#answers === 1 ? "answer" : "answers");
  }

  /** Reports a possible problem that does not stop the work. */
  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.json) this.note(`${this.paint("yellow", "warning:", "stderr")} ${text}`);
  }

  /** A line for people, on standard error. */
  note(text: string): void {
    this.#progress.clear();
    this.#write("stderr", `${text}\n`);
  }

  /** Reports a failure beside a result: a line on standard error. */
  error(text: string): void {
    this.note(`${this.paint("red", "error:", "stderr")} ${visible(text)}`);
  }

  /** The result of a command, as text. */
  report(report: Report): void {
    this.result(report.data, () => toTerminal(report.blocks("terminal"), this));
  }

  /** A result: `data` for programs, `text` for people. */
  result(data: unknown, text: string | (() => string)): void {
    if (this.#failed) return;
    this.endProgress();
    if (this.json) {
      const warnings = this.#warnings.length > 0 ? { warnings: this.#warnings } : {};
      this.io.stdout.write(`${printableJson({ data, ...warnings })}\n`);
      return;
    }
    const shown = typeof text === "string" ? text : text();
    this.#write("stdout", shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
  }

  /** Reports the error that ended the command. After it, nothing more is printed, also not by work that is still under way. */
  failure(code: string, message: string): void {
    this.endProgress();
    if (this.json) this.io.stdout.write(`${printableJson({ error: { code, message } })}\n`);
    this.#write("stderr", `${message}\n`);
    this.#failed = true;
  }

  /** Returns text in colour if the stream is a terminal that shows it and `NO_COLOR` is not set. */
  paint(style: TextStyle, text: string, on: "stdout" | "stderr" = "stdout"): string {
    if (!this.#isColourful(on)) return text;
    return styleText(style, printable(text), { validateStream: false }).replaceAll("\u001b", this.#escape);
  }

  #write(on: "stdout" | "stderr", text: string): void {
    if (this.#failed) return;
    this.io[on].write(printable(text).replaceAll(this.#escape, "\u001b"));
  }

  /** Decides as Node does for its own streams, by the environment of the command. */
  #isColourful(on: "stdout" | "stderr"): boolean {
    const { env } = this.io;
    const wanted = env["FORCE_COLOR"] !== undefined || this.io[on].isTTY === true;
    return wanted && WriteStream.prototype.getColorDepth(env) > 2;
  }

  /** Ends the display of progress, and removes it from the screen. */
  endProgress(): void {
    this.#progress.end();
  }

  #begin(text: string, shown: Parameters<Progress["begin"]>[1]): void {
    if (this.#failed) return;
    this.#answers = 0;
    this.#progress.begin(text, shown);
  }
}
