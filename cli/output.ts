import { styleText } from "node:util";

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
    private readonly stdout: NodeJS.WriteStream = process.stdout,
    private readonly stderr: NodeJS.WriteStream = process.stderr,
  ) {}

  /** Says what goes on: on a terminal in one line that changes, elsewhere one line a step. */
  progress(text: string): void {
    if (!this.stderr.isTTY) {
      this.stderr.write(`${text}\n`);
      return;
    }
    // A terminal that does not say how wide it is says 0.
    const width = this.stderr.columns || Infinity;
    this.stderr.write(`\r\u001b[K${text.length >= width ? text.slice(0, width - 1) : text}`);
    this.#progressing = true;
  }

  /** Progress of steps so short that it is of use only in a line that changes: elsewhere nothing. */
  step(text: string): void {
    if (this.stderr.isTTY) this.progress(text);
  }

  /** Says what may be wrong but does not stop the work. */
  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.json) this.note(`${this.paint("yellow", "warning:", this.stderr)} ${text}`);
  }

  /** A line for people, on standard error. */
  note(text: string): void {
    this.endProgress();
    this.stderr.write(`${text}\n`);
  }

  /** The result: `data` for programs, `text` for people. */
  result(data: unknown, text: string | (() => string)): void {
    this.endProgress();
    if (this.json) {
      const warnings = this.#warnings.length > 0 ? { warnings: this.#warnings } : {};
      this.stdout.write(`${JSON.stringify({ data, ...warnings })}\n`);
      return;
    }
    const shown = typeof text === "string" ? text : text();
    this.stdout.write(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
  }

  /** What ended the command. */
  failure(code: string, message: string): void {
    this.endProgress();
    if (this.json) this.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
    this.stderr.write(`${message}\n`);
  }

  /** Text in colour where the stream is a terminal that shows it and nobody asked for none (`NO_COLOR`). */
  paint(style: Style, text: string, stream: NodeJS.WriteStream = this.stdout): string {
    return styleText(style, text, { stream });
  }

  /** Ends the line of progress: nothing of it stays on the screen. */
  endProgress(): void {
    if (this.#progressing) this.stderr.write("\r\u001b[K");
    this.#progressing = false;
  }
}
