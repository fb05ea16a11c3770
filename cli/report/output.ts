import { randomBytes } from "node:crypto";
import { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { Wait } from "../../api";
import { type Clock, type Io, systemClock } from "../../engine/io";
import type { Report } from "./document";
import { toTerminal } from "./terminal";
import { count as shownCount, printable, printableJson, visible, withoutCommands } from "../../common/text";
import { columnsOf, cutToColumns } from "./width";

/** Work that lasts longer than this shows that it goes on, in milliseconds. */
const patience = 2_000;
/** Intervals of the line that changes on a terminal, and of further lines elsewhere, in milliseconds. */
const [redrawEvery, lineEvery] = [100, 10_000];
/** Interval at which progress checks whether it has something to show, in milliseconds. */
const tickEvery = 500;
/** Narrowest terminal that sentences are broken for. */
const minColumns = 40;

interface Activity {
  readonly text: string;
  readonly since: number;
  count: string;
  /** Answers of the service since it began. */
  answers: number;
  /** Time at which a line about it was last written, and whether that line was written because it lasts. */
  shownAt: number;
  isLasting: boolean;
  wait?: { readonly text: string; readonly until: number };
}

/**
 * Prints for a command: its result on standard output, notes and progress on standard error. With `--json` the result is one
 * object on one line: `{ data, warnings }`, or `{ error: { code, message } }`.
 *
 * Whatever text comes from the service, the state or a program, no control character of it reaches a terminal: all text passes
 * `printable` here, and only the colors of `paint` come through.
 */
export class Output {
  /** Stands for the escape character of our own colors until the text is written. Nobody else can know it. */
  readonly #escape = `\uf8ff${randomBytes(8).toString("hex")}\uf8ff`;
  readonly #warnings: string[] = [];
  /** A sentence about what the command has done so far, for a user who presses Ctrl+C. Each step that changes something sets it. */
  doneSoFar = "Nothing was changed.";
  /** Whether the command has failed: after that, nothing more is printed. */
  #failed = false;
  readonly #clock: Clock;
  #activity: Activity | undefined;
  #stopTicks: (() => void) | undefined;
  /** Whether the last line on the terminal is one of progress, which the next line replaces. */
  #isOnScreen = false;

  constructor(
    readonly json: boolean,
    private readonly io: Pick<Io, "stdout" | "stderr" | "env" | "clock">,
  ) {
    this.#clock = io.clock ?? systemClock;
  }

  /**
   * Reports on standard error that an activity begins: on a terminal in one line that changes, elsewhere in a line of its own, and in further
   * lines while it lasts, with the part that is done and the time since it began.
   *
   * @param shown where it gets a line however short it is. With `--json`, work that lasts gets no further lines
   */
  progress(text: string, shown: "everywhere" | "terminal" | "nowhere" = "everywhere"): void {
    if (this.#failed) return;
    const { stderr } = this.io;
    const since = this.#clock.now();
    this.#activity = { text: lineOf(text), since, count: "", answers: 0, shownAt: since, isLasting: false };
    this.#stopTicks ??= this.#clock.every(tickEvery, () => this.#tick());
    if (shown === "nowhere") return;
    if (stderr.isTTY) this.#draw(this.#activity.text);
    else if (shown === "everywhere") stderr.write(`${this.#activity.text}\n`);
  }

  /** Reports how much of the activity is done. @param noun names what is counted, if the activity does not */
  count(done: number, total?: number, noun = ""): void {
    const activity = this.#activity;
    if (!activity) return;
    activity.count = `${shownCount(done)}${total === undefined ? "" : ` of ${shownCount(total)}`}${noun && ` ${noun}`}`;
    if (!this.io.stderr.isTTY) this.#tick();
    else if (done === total || this.#clock.now() - activity.shownAt >= redrawEvery) this.#draw(this.#line(activity));
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
    this.count(this.#activity.answers, undefined, this.#activity.answers === 1 ? "answer" : "answers");
  }

  /** Reports a possible problem that does not stop the work. */
  warn(text: string): void {
    this.#warnings.push(text);
    if (!this.json) this.note(`${this.paint("yellow", "warning:", "stderr")} ${text}`);
  }

  /** A line for people, on standard error. */
  note(text: string): void {
    this.#clearLine();
    this.#write("stderr", `${text}\n`);
  }

  /** Reports a failure beside a result: a line on standard error. */
  error(text: string): void {
    this.note(`${this.paint("red", "error:", "stderr")} ${visible(text)}`);
  }

  /** Columns after which sentences break: the width of a terminal. Undefined if the output is not a terminal. */
  get columns(): number | undefined {
    const { isTTY, columns = 0 } = this.io.stdout;
    return isTTY === true && columns >= minColumns ? columns : undefined;
  }

  /** Shows a report on standard error, before the command acts on it. */
  announce(report: Report): void {
    this.#clearLine();
    this.#write(
      "stderr",
      `${toTerminal(report.blocks("terminal"), { paint: (style, text) => this.paint(style, text, "stderr"), columns: this.columns })}\n\n`,
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

  /** Reports the error that ended the command. After it, nothing more is printed, also not by work that is still under way. */
  failure(code: string, message: string): void {
    this.endProgress();
    if (this.json) this.io.stdout.write(`${printableJson({ error: { code, message } })}\n`);
    this.#write("stderr", `${message}\n`);
    this.#failed = true;
  }

  /** Returns text in color if the stream is a terminal that shows it and `NO_COLOR` is not set. */
  paint(style: Parameters<typeof styleText>[0], text: string, on: "stdout" | "stderr" = "stdout"): string {
    if (!this.#isColorful(on)) return text;
    return styleText(style, printable(text), { validateStream: false }).replaceAll("\u001b", this.#escape);
  }

  #write(on: "stdout" | "stderr", text: string): void {
    if (this.#failed) return;
    this.io[on].write(printable(text).replaceAll(this.#escape, "\u001b"));
  }

  /** Decides as Node does for its own streams, by the environment of the command. */
  #isColorful(on: "stdout" | "stderr"): boolean {
    const { env } = this.io;
    const wanted = env["FORCE_COLOR"] !== undefined || this.io[on].isTTY === true;
    return wanted && WriteStream.prototype.getColorDepth(env) > 2;
  }

  /** Ends the display of progress, and removes it from the screen. */
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
    if (!activity || now - activity.since < patience) return;
    const unseen = now - activity.shownAt;
    if (this.io.stderr.isTTY) {
      if (unseen >= redrawEvery) this.#draw(this.#line(activity));
    } else if (!this.json && unseen >= (activity.isLasting ? lineEvery : patience)) {
      Object.assign(activity, { shownAt: now, isLasting: true });
      this.io.stderr.write(`${this.#line(activity)}\n`);
    }
  }

  #line({ text, count, since, wait }: Activity): string {
    const now = this.#clock.now();
    if (wait && now < wait.until) return wait.text;
    const lasting = now - since < patience ? "" : `, ${shownCount(Math.floor((now - since) / 1_000))} s`;
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
