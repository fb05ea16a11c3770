/** One answered (or dropped) request. */
export interface RequestLogEntry {
  /** Operation id, such as `labels.create`. */
  readonly operation: string;
  readonly method: string;
  /** Path with the query, as sent. */
  readonly path: string;
  /** Status of the answer; 0 where a fault dropped the connection instead. */
  readonly status: number;
  /** Account group the request named; absent where it named none. */
  readonly aid?: string;
}

/** A body as it went over the wire. */
export interface LoggedBody {
  readonly mediaType: string;
  /** Bytes, or characters of text. */
  readonly size: number;
  /** Not kept of a large body. */
  readonly content?: Buffer | string;
}

const maxKeptSize = 64 * 1024;

/** Returns the part of a body that the log keeps. */
export function loggedBody(mediaType: string, content: Buffer | string): LoggedBody {
  return { mediaType, size: content.length, ...(content.length <= maxKeptSize && { content }) };
}

/** A logged request with what the page shows beside the log's members. */
export interface LoggedExchange {
  readonly entry: RequestLogEntry;
  /** Counts up, over restarts of the emulator too: an open page never takes old requests for new ones. */
  readonly number: number;
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from its arrival to its answer. */
  readonly durationMs: number;
  /** Bodies of the request and of its answer, where they had one and are still kept. */
  sent?: LoggedBody;
  answered?: LoggedBody;
}

const maxEntries = 1000;
/** Bodies are larger than the rest of an entry: only those of the newest requests are kept. */
export const maxBodies = 200;

/** Counts requests by operation and remembers the last thousand. */
export class RequestLog {
  readonly #counts = new Map<string, number>();
  #exchanges: LoggedExchange[] = [];
  // A thousand numbers a millisecond: a run never reaches the start of a later one.
  #next = Date.now() * 1000;

  /** Counts a request as it arrives, so that one that is never answered counts too. */
  count(operation: string): void {
    this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + 1);
  }

  add(entry: RequestLogEntry, details: Omit<LoggedExchange, "entry" | "number">): void {
    this.#exchanges.push({ entry, number: this.#next, ...details });
    this.#next += 1;
    if (this.#exchanges.length > maxEntries) this.#exchanges = this.#exchanges.slice(-maxEntries);
    const withoutBodies = this.#exchanges.at(-1 - maxBodies);
    if (withoutBodies) {
      delete withoutBodies.sent;
      delete withoutBodies.answered;
    }
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)));
  }

  total(): number {
    return [...this.#counts.values()].reduce((sum, n) => sum + n, 0);
  }

  entries(): readonly RequestLogEntry[] {
    return this.#exchanges.map(({ entry }) => entry);
  }

  /** The same with what the page shows, oldest first. */
  exchanges(): readonly LoggedExchange[] {
    return this.#exchanges;
  }

  /** Number of the next request. */
  get next(): number {
    return this.#next;
  }

  reset(): void {
    this.#counts.clear();
    this.#exchanges = [];
  }
}
