import { randomBytes } from "node:crypto";
import { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { Wait } from "../../api";
import { type Clock, type Io, systemClock } from "../../engine/io";
import type { Report } from "./document";
import { toTerminal } from "./terminal";
import { count as shownCount, printable, printableJson, visible, withoutCommands } from "../../common/text";
import { columnsOf, cutToColumns } from "./width";

/** Time until the progress line of an activity shows the elapsed time, in milliseconds. */
const patienceMs = 2_000;
/** Minimum intervals in milliseconds, between redraws on a terminal and between progress lines without a terminal. */
const [redrawIntervalMs, lineIntervalMs] = [100, 10_000];
const tickIntervalMs = 500;
/** Minimum width of a terminal for line breaks, in columns. */
const minColumns = 40;

interface Activity {
  readonly text: string;
  readonly since: number;
  count: string;
  answers: number;
  shownAt: number;
  /** Whether the output has already reported that the activity takes a long time. */
  isLasting: boolean;
  wait?: { readonly text: string; readonly until: number };
}

/**
 * Writes a command's result to standard output, and notes and progress to standard error. With `--json`, the result is an object on one
 * line: `{ data, warnings }` or `{ error: { code, message } }`.
 *
 * The printed text may come from the service, the state or a program. `printable` removes control characters from all text, so a terminal
 * receives only the colors of `paint`.
 */
export class Output {
  /** Random placeholder for the escape character in color codes. No other text can contain this placeholder. */
  readonly #escape = `\uf8ff${randomBytes(8).toString("hex")}\uf8ff`;
  readonly #warnings: string[] = [];
  /** A sentence about completed work, which the command shows after Ctrl+C. */
  doneSoFar = "Nothing was changed.";
  /** Whether the command has failed. After a failure, the command must not print anything else. */
  #failed = false;
  readonly #clock: Clock;
  #activity: Activity | undefined;
  #stopTicks: (() => void) | undefined;
  /** Whether the last line on the terminal is a progress line, which the next line replaces. */
  #isOnScreen = false;

  constructor(
    readonly json: boolean,
    private readonly io: Pick<Io, "stdout" | "stderr" | "env" | "clock">,
  ) {
    this.#clock = io.clock ?? systemClock;
  }

  /**
   * Reports the start of an activity on standard error. On a terminal, the method updates a single line. If standard error is not a
   * terminal, it gets a line at the start and further lines during a long activity. With `--json`, an activity gets at most one line.
   *
   * @param shown outputs that show even a short activity
   */
  progress(text: string, shown: "everywhere" | "terminal" | "nowhere" = "everywhere"): void {
    if (this.#failed) return;
    const { stderr } = this.io;
    const since = this.#clock.now();
    this.#activity = { text: lineOf(text), since, count: "", answers: 0, shownAt: since, isLasting: false };
    this.#stopTicks ??= this.#clock.every(tickIntervalMs, () => this.#tick());
    if (shown === "nowhere") return;
    if (stderr.isTTY) this.#draw(this.#activity.text);
    else if (shown === "everywhere") stderr.write(`${this.#activity.text}\n`);
  }

  /**
   * Reports the progress of the current activity.
   * @param noun noun for the counted items, unless the activity's text already names the items
   */
  count(done: number, total?: number, noun = ""): void {
    const activity = this.#activity;
    if (!activity) return;
    activity.count = `${shownCount(done)}${total === undefined ? "" : ` of ${shownCount(total)}`}${noun && ` ${noun}`}`;
    if (!this.io.stderr.isTTY) this.#tick();
    else if (done === total || this.#clock.now() - activity.shownAt >= redrawIntervalMs) this.#draw(this.#line(activity));
  }

  wait({ operation, reason, ms }: Wait): void {
    if (this.#failed) return;
    const text = lineOf(`${operation} waits ${Math.ceil(ms / 1_000)} s: ${reason}`);
    if (!this.#activity) this.progress(text, "nowhere");
    const now = this.#clock.now();
    Object.assign(this.#activity ?? {}, { wait: { text, until: now + ms }, shownAt: now });
    if (this.io.stderr.isTTY) this.#draw(text);
    else this.io.stderr.write(`${text}\n`);
  }

  answer(): void {
    if (!this.#activity) return;
    this.#activity.answers += 1;
    this.count(this.#activity.answers, undefined, this.#activity.answers === 1 ? "response" : "responses");
  }

  /** Reports a possible problem that does not end the command. */
  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.json) this.note(`${this.paint("yellow", "warning:", "stderr")} ${text}`);
  }

  note(text: string): void {
    this.#clearLine();
    this.#write("stderr", `${text}\n`);
  }

  /** Writes a failure to standard error, in addition to the result on standard output. */
  error(text: string): void {
    this.note(`${this.paint("red", "error:", "stderr")} ${visible(text)}`);
  }

  /** Width of the terminal in columns, or undefined if the output is not a terminal. */
  get columns(): number | undefined {
    return this.#columnsOf("stdout");
  }

  /** Shows the report of a change on standard error, before the command applies the change. */
  announce(report: Report): void {
    this.#clearLine();
    this.#write(
      "stderr",
      `${toTerminal(report.blocks("terminal"), { paint: (style, text) => this.paint(style, text, "stderr"), columns: this.#columnsOf("stderr") })}\n\n`,
    );
  }

  report(report: Report): void {
    this.result(report.data, () => toTerminal(report.blocks("terminal"), this));
  }

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

  /** Reports the error that ended the command. After this failure, the command prints nothing else, even if other work is still running. */
  failure(code: string, message: string): void {
    this.endProgress();
    if (this.json) this.io.stdout.write(`${printableJson({ error: { code, message } })}\n`);
    this.#write("stderr", `${message}\n`);
    this.#failed = true;
  }

  /** Returns colored text if the stream supports colors and `NO_COLOR` is not set. */
  paint(style: Parameters<typeof styleText>[0], text: string, on: "stdout" | "stderr" = "stdout"): string {
    if (!this.#isColorful(on)) return text;
    return styleText(style, printable(text), { validateStream: false }).replaceAll("\u001b", this.#escape);
  }

  #columnsOf(on: "stdout" | "stderr"): number | undefined {
    const { isTTY, columns = 0 } = this.io[on];
    return isTTY === true && columns >= minColumns ? columns : undefined;
  }

  #write(on: "stdout" | "stderr", text: string): void {
    if (this.#failed) return;
    this.io[on].write(printable(text).replaceAll(this.#escape, "\u001b"));
  }

  /** Whether a stream shows colors, according to Node's rules and to the command's environment variables. */
  #isColorful(on: "stdout" | "stderr"): boolean {
    const { env } = this.io;
    const wanted = env["FORCE_COLOR"] !== undefined || this.io[on].isTTY === true;
    return wanted && WriteStream.prototype.getColorDepth(env) > 2;
  }

  /** Ends the current activity, and removes the progress line from the terminal. */
  endProgress(): void {
    this.#clearLine();
    this.#activity = undefined;
    this.#stopTicks?.();
    this.#stopTicks = undefined;
  }

  #clearLine(): void {
    if (this.#isOnScreen) this.io.stderr.write("\r\u001b[K");
    this.#isOnScreen = false;
  }

  #tick(): void {
    const activity = this.#activity;
    const now = this.#clock.now();
    if (!activity || now - activity.since < patienceMs) return;
    const unseen = now - activity.shownAt;
    if (this.io.stderr.isTTY) {
      if (unseen >= redrawIntervalMs) this.#draw(this.#line(activity));
    } else if (!this.json && unseen >= (activity.isLasting ? lineIntervalMs : patienceMs)) {
      Object.assign(activity, { shownAt: now, isLasting: true });
      this.io.stderr.write(`${this.#line(activity)}\n`);
    }
  }

  #line({ text, count, since, wait }: Activity): string {
    const now = this.#clock.now();
    if (wait && now < wait.until) return wait.text;
    const lasting = now - since < patienceMs ? "" : `, ${shownCount(Math.floor((now - since) / 1_000))} s`;
    return `${text.replace(/…$/, "")}${count === "" ? "" : `: ${count}`}${lasting}`;
  }

  #draw(line: string): void {
    const width = this.io.stderr.columns || Infinity;
    this.io.stderr.write(`\r\u001b[K${columnsOf(line) >= width ? cutToColumns(line, width - 1) : line}`);
    this.#isOnScreen = true;
    if (this.#activity) this.#activity.shownAt = this.#clock.now();
  }
}

function lineOf(text: string): string {
  return withoutCommands(visible(text));
}
