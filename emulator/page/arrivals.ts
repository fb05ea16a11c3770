import type { LogEntry, RequestLog } from "../requests";

/** A logged request with what the page adds. */
export interface Arrival extends LogEntry {
  /** Counts up, over restarts of the emulator too: an open page never takes old requests for new ones. */
  readonly number: number;
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number;
}

/** When the requests of the log were answered. The log itself stays what `/_emulator/requests` shows. */
export class Arrivals {
  readonly #marks = new WeakMap<LogEntry, Pick<Arrival, "number" | "at">>();
  // A thousand numbers a millisecond: a run never reaches the start of a later one.
  #next = Date.now() * 1000;

  constructor(
    private readonly log: RequestLog,
    private readonly now: () => number,
  ) {}

  /** Remembers when the latest entry of the log came. */
  mark(): void {
    const entry = this.log.entries().at(-1);
    if (entry) this.#marks.set(entry, { number: this.#next++, at: this.now() });
  }

  /** What the log holds, the latest first. */
  latest(limit: number, after = 0): Arrival[] {
    const found: Arrival[] = [];
    const entries = this.log.entries();
    for (let place = entries.length - 1; place >= 0 && found.length < limit; place -= 1) {
      const entry = entries[place];
      const mark = entry && this.#marks.get(entry);
      if (!entry || !mark || mark.number <= after) break;
      found.push({ ...entry, ...mark });
    }
    return found;
  }

  /** Number of the oldest request in the log; that of the next one when it is empty. */
  oldest(): number {
    const [first] = this.log.entries();
    return (first && this.#marks.get(first)?.number) ?? this.#next;
  }
}
