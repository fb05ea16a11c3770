/** A request that the emulator answered or dropped. */
export interface RequestLogEntry {
  /** Operation id, such as `labels.create`. */
  readonly operation: string;
  readonly method: string;
  /** Path with the query, as the client sent them. */
  readonly path: string;
  /** Status of the response. If a fault dropped the connection, the status is 0. */
  readonly status: number;
  /** Account group in the request, if the request contains `aid`. */
  readonly aid?: string;
}

/** A body, as the emulator received or sent it. */
export interface LoggedBody {
  readonly mediaType: string;
  /** Size in bytes, or in characters if the content is text. */
  readonly size: number;
  /** Content of a body, unless the body is large. */
  readonly content?: Buffer | string;
}

const maxKeptSize = 64 * 1024;

export function loggedBody(mediaType: string, content: Buffer | string): LoggedBody {
  return { mediaType, size: content.length, ...(content.length <= maxKeptSize && { content }) };
}

export interface LoggedExchange {
  readonly entry: RequestLogEntry;
  /** Sequence number of the request. The numbers always increase, so an open page recognizes new requests even after a restart. */
  readonly number: number;
  /** Time of the response, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from the arrival of the request to the response. */
  readonly durationMs: number;
  /** Body of the request, or undefined after the log has discarded the body. */
  sent?: LoggedBody;
  answered?: LoggedBody;
}

const maxEntries = 1000;
/** Maximum number of requests with stored bodies. The log keeps older requests without their bodies. */
export const maxBodies = 200;

export class RequestLog {
  readonly #counts = new Map<string, number>();
  #exchanges: LoggedExchange[] = [];
  // The first number is the current time in microseconds, so that the numbers of two runs never overlap.
  #next = Date.now() * 1000;

  /** Counts a request when it arrives, so that requests without a response also count. */
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

  /** Returns the logged requests with additional data for the page, the oldest request first. */
  exchanges(): readonly LoggedExchange[] {
    return this.#exchanges;
  }

  get next(): number {
    return this.#next;
  }

  reset(): void {
    this.#counts.clear();
    this.#exchanges = [];
  }
}
