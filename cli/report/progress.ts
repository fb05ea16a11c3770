import { systemClock, type Io } from "../io";
import { count as shownCount, visible, withoutCommands } from "./text";
import { columnsOf, cutToColumns } from "./width";

/** Work that lasts longer than this shows that it goes on, in milliseconds. */
const patience = 2_000;
/** Intervals of the line that changes on a terminal, and of further lines elsewhere, in milliseconds. */
const [redrawEvery, lineEvery] = [100, 10_000];
/** Interval at which progress checks whether it has something to show, in milliseconds. */
const tickEvery = 500;

/** Work that is under way. */
interface Activity {
  readonly text: string;
  /** The part of it that is done. */
  count: string;
  readonly since: number;
  /** The reason of a wait, and its end. */
  wait?: { readonly text: string; readonly until: number };
}

/**
 * Shows the present activity on standard error: on a terminal in one line that changes, elsewhere in a line when it begins, and in
 * further lines while it lasts, with the part that is done and the time since it began.
 */
export class Progress {
  #activity: Activity | undefined;
  #stop: (() => void) | undefined;
  /** When something was last written, and whether a line about the activity was written because it lasts. */
  #shown = { at: -Infinity, lasting: false };
  /** Whether the last line on the terminal is one of progress, which the next line replaces. */
  #onScreen = false;

  /** @param isQuiet whether work that lasts shows nothing beyond its beginning, off a terminal */
  constructor(
    private readonly io: Pick<Io, "stderr" | "clock">,
    private readonly isQuiet: boolean,
  ) {}

  /** Begins an activity. @param shown the places where it gets a line however short it is */
  begin(text: string, shown: "everywhere" | "terminal" | "nowhere"): void {
    const { clock = systemClock, stderr } = this.io;
    const since = clock.now();
    this.#activity = { text: lineOf(text), count: "", since };
    this.#stop ??= clock.every(tickEvery, () => this.#tick());
    this.#shown = { at: since, lasting: false };
    if (shown === "nowhere") return;
    if (stderr.isTTY) this.#draw(this.#activity.text);
    else if (shown === "everywhere") stderr.write(`${this.#activity.text}\n`);
  }

  /** Notes how much of the activity is done. @param noun names what is counted, if the activity does not */
  count(done: number, total?: number, noun = ""): void {
    if (!this.#activity) return;
    this.#activity.count = `${shownCount(done)}${total === undefined ? "" : ` of ${shownCount(total)}`}${noun && ` ${noun}`}`;
    const { clock = systemClock, stderr } = this.io;
    if (!stderr.isTTY) this.#tick();
    else if (done === total || clock.now() - this.#shown.at >= redrawEvery) this.#draw(this.#line(this.#activity));
  }

  /** Shows that the activity waits, for a number of milliseconds. */
  wait(text: string, ms: number): void {
    const { clock = systemClock, stderr } = this.io;
    if (!this.#activity) this.begin(text, "nowhere");
    if (this.#activity) this.#activity.wait = { text: lineOf(text), until: clock.now() + ms };
    this.#shown = { ...this.#shown, at: clock.now() };
    if (stderr.isTTY) this.#draw(lineOf(text));
    else stderr.write(`${lineOf(text)}\n`);
  }

  /** Removes the line from the terminal to make room for another. The activity goes on. */
  clear(): void {
    if (this.#onScreen) this.io.stderr.write("\r\u001b[K");
    this.#onScreen = false;
  }

  end(): void {
    this.clear();
    this.#activity = undefined;
    this.#stop?.();
    this.#stop = undefined;
  }

  #tick(): void {
    const { clock = systemClock, stderr } = this.io;
    const activity = this.#activity;
    const now = clock.now();
    if (!activity || now - activity.since < patience) return;
    if (stderr.isTTY) {
      if (now - this.#shown.at >= redrawEvery) this.#draw(this.#line(activity));
      return;
    }
    if (this.isQuiet || now - this.#shown.at < (this.#shown.lasting ? lineEvery : patience)) return;
    this.#shown = { at: now, lasting: true };
    stderr.write(`${this.#line(activity)}\n`);
  }

  #line({ text, count, since, wait }: Activity): string {
    const now = (this.io.clock ?? systemClock).now();
    if (wait && now < wait.until) return wait.text;
    const seconds = Math.floor((now - since) / 1_000);
    const lasting = now - since < patience ? "" : `, ${shownCount(seconds)} s`;
    return `${text.replace(/…$/, "")}${count === "" ? "" : `: ${count}`}${lasting}`;
  }

  #draw(line: string): void {
    const { clock = systemClock, stderr } = this.io;
    const width = stderr.columns || Infinity;
    stderr.write(`\r\u001b[K${columnsOf(line) >= width ? cutToColumns(line, width - 1) : line}`);
    this.#onScreen = true;
    this.#shown = { ...this.#shown, at: clock.now() };
  }
}

function lineOf(text: string): string {
  return withoutCommands(visible(text));
}
