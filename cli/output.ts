import { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { Io } from "./io";

type Style = Parameters<typeof styleText>[0];

/**
 * What a command says: its result on standard output, everything on the way on standard error. With `--json` the result is one
 * object on one line: `{ data, warnings }`, or `{ error: { code, message } }`.
 */
export class Output {
  readonly #warnings: string[] = [];
  /** Whether the line on standard error is one of progress, which the next line replaces. */
  #progressing = false;

  constructor(
    readonly json: boolean,
    private readonly io: Pick<Io, "stdout" | "stderr" | "env">,
  ) {}

  /** Says what goes on: on a terminal in one line that changes, elsewhere one line a step. */
  progress(text: string): void {
    const { stderr } = this.io;
    if (!stderr.isTTY) {
      stderr.write(`${text}\n`);
      return;
    }
    const width = stderr.columns || Infinity;
    stderr.write(`\r\u001b[K${text.length >= width ? text.slice(0, width - 1) : text}`);
    this.#progressing = true;
  }

  /** Progress of steps so short that it is of use only in a line that changes: elsewhere nothing. */
  step(text: string): void {
    if (this.io.stderr.isTTY) this.progress(text);
  }

  /** Says what may be wrong but does not stop the work. */
  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.json) this.note(`${this.paint("yellow", "warning:", "stderr")} ${text}`);
  }

  /** A line for people, on standard error. */
  note(text: string): void {
    this.endProgress();
    this.io.stderr.write(`${text}\n`);
  }

  /** The result: `data` for programs, `text` for people. */
  result(data: unknown, text: string | (() => string)): void {
    this.endProgress();
    if (this.json) {
      const warnings = this.#warnings.length > 0 ? { warnings: this.#warnings } : {};
      this.io.stdout.write(`${JSON.stringify({ data, ...warnings })}\n`);
      return;
    }
    const shown = typeof text === "string" ? text : text();
    this.io.stdout.write(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
  }

  /** What ended the command. */
  failure(code: string, message: string): void {
    this.endProgress();
    if (this.json) this.io.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
    this.io.stderr.write(`${message}\n`);
  }

  /** Text in colour where the stream is a terminal that shows it and nobody asked for none (`NO_COLOR`). */
  paint(style: Style, text: string, on: "stdout" | "stderr" = "stdout"): string {
    return this.#isColourful(on) ? styleText(style, text, { validateStream: false }) : text;
  }

  /** As Node decides it for its own streams, by the environment of the command. */
  #isColourful(on: "stdout" | "stderr"): boolean {
    const { env } = this.io;
    const wanted = env["FORCE_COLOR"] !== undefined || this.io[on].isTTY === true;
    return wanted && WriteStream.prototype.getColorDepth(env) > 2;
  }

  /** Ends the line of progress: nothing of it stays on the screen. */
  endProgress(): void {
    if (this.#progressing) this.io.stderr.write("\r\u001b[K");
    this.#progressing = false;
  }
}
