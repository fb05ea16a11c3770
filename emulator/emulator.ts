import type { Fault } from "./fault";
import type { RequestLogEntry } from "./requests";

/** A running emulator. */
export interface Emulator {
  /** Base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** How many requests came, by operation id. Requests of `/_emulator` are not counted. */
  requests(): Record<string, number>;
  /** The last 1,000 requests, oldest first. */
  log(): readonly RequestLogEntry[];
  /**
   * Injects a fault for the next requests that match it, as the option `faults` does.
   *
   * @throws EmulatorError for a fault that is wrong
   */
  fault(fault: Fault): void;
  /** Drops the faults that still wait for a request. */
  clearFaults(): void;
  /**
   * Records a page that a browser on this machine loaded, for functions such as `getRealUserTests`.
   *
   * @returns the visit and the page in it
   * @throws EmulatorError for a page that is wrong, or a visit that does not exist
   */
  visit(page: PageVisit): { id: string; pageId: string };
  /** Everything as just started: no records, counts, faults. Ids start again; tokens stay valid. */
  reset(): void;
  /** Ends it. Resolves when port and file are released; a request in progress gets a second to finish. */
  close(): Promise<void>;
}

/** A page that a browser loaded. Times are milliseconds, as the browser's Performance API has them. */
export interface PageVisit {
  /** URL of the page, with `http:` or `https:`. */
  url: string;
  /** Title of the page. */
  title?: string;
  /** The visit that the page belongs to. @defaultValue a new one */
  id?: string;
  /** The result of `performance.getEntriesByType("navigation")[0].toJSON()`, or the times that a test needs. */
  timing: { [time: string]: unknown };
  /** The result of `performance.getEntriesByType("resource")`. @defaultValue none */
  resources?: readonly { name: string; [time: string]: unknown }[];
}
