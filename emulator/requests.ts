/** One request that was answered or dropped. */
export interface RequestLogEntry {
  /** Operation id, such as `labels.create`. */
  readonly operation: string;
  readonly method: string;
  /** Path with the query, as sent. */
  readonly path: string;
  /** Status of the answer; 0 if a fault dropped the connection. */
  readonly status: number;
  /** Account group in the request; absent if it has none. */
  readonly aid?: string;
}

/** A body as sent or received. */
export interface LoggedBody {
  readonly mediaType: string;
  /** Bytes, or characters of text. */
  readonly size: number;
  /** Absent for a large body. */
  readonly content?: Buffer | string;
}

const maxKeptSize = 64 * 1024;

/** Returns the part of a body that the log keeps. */
export function loggedBody(mediaType: string, content: Buffer | string): LoggedBody {
  return { mediaType, size: content.length, ...(content.length <= maxKeptSize && { content }) };
}

/** A logged request with further data for the page. */
export interface LoggedExchange {
  readonly entry: RequestLogEntry;
  /** Number of the request. It also grows after a restart, so an open page can distinguish old requests from new ones. */
  readonly number: number;
  /** Time of the answer, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from arrival to answer. */
  readonly durationMs: number;
  /** Bodies of request and answer, if they exist and are still kept. */
  sent?: LoggedBody;
  answered?: LoggedBody;
}

const maxEntries = 1000;
/** Number of requests with kept bodies. Bodies are larger than the rest of an entry. */
export const maxBodies = 200;

/** Counts requests by operation and keeps the last thousand. */
export class RequestLog {
  readonly #counts = new Map<string, number>();
  #exchanges: LoggedExchange[] = [];
  // The start leaves a thousand numbers for each millisecond, so the numbers of two runs never overlap.
  #next = Date.now() * 1000;

  /** Counts a request when it arrives, so that unanswered requests also count. */
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

  /** Returns the log with the page's further data, the oldest first. */
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
