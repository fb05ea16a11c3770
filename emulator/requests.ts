/** One answered (or dropped) request. */
export interface LogEntry {
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

const kept = 1000;

/** Counts requests by operation and remembers the last thousand. */
export class RequestLog {
  readonly #counts = new Map<string, number>();
  #entries: LogEntry[] = [];

  /** Counts a request as it arrives, so that one that is never answered counts too. */
  count(operation: string): void {
    this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + 1);
  }

  add(entry: LogEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > kept) this.#entries = this.#entries.slice(-kept);
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)));
  }

  total(): number {
    return [...this.#counts.values()].reduce((sum, n) => sum + n, 0);
  }

  entries(): readonly LogEntry[] {
    return this.#entries;
  }

  reset(): void {
    this.#counts.clear();
    this.#entries = [];
  }
}
