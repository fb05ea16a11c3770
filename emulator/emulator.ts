import type { Fault } from "./fault";
import type { RequestLogEntry } from "./requests";

/** A running emulator. */
export interface Emulator {
  /** Base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Returns the number of requests by operation id. Requests to `/_emulator` do not count. */
  requests(): Record<string, number>;
  /** Returns the last 1,000 requests, the oldest request first. */
  log(): readonly RequestLogEntry[];
  /**
   * Injects a fault into the next requests that match, in the same way as the option `faults`.
   *
   * @throws EmulatorError if the fault is invalid
   */
  fault(fault: Fault): void;
  /** Removes the faults that have not been used yet. */
  clearFaults(): void;
  /**
   * Records a page that a browser on this machine loaded, for functions such as `getRealUserTests`.
   *
   * @returns the ids of the visit and of the page
   * @throws EmulatorError if the page is invalid or the visit does not exist
   */
  visit(page: PageVisit): { id: string; pageId: string };
  /**
   * Restores the initial agents, and deletes all other records, counts and faults. New ids start again at the first number of their series.
   * Issued tokens stay valid.
   */
  reset(): void;
  /**
   * Stops the emulator. The promise resolves when the emulator has released its port and its data file. Running requests have one second to
   * finish.
   */
  close(): Promise<void>;
}

/** A page that a browser loaded. Times are in milliseconds, as in the browser's Performance API. */
export interface PageVisit {
  /** URL of the page, with `http:` or `https:`. */
  url: string;
  /** Title of the page. */
  title?: string;
  /**
   * Id of the visit that the page belongs to.
   *
   * @defaultValue a new visit
   */
  id?: string;
  /** The result of `performance.getEntriesByType("navigation")[0].toJSON()`, or the times that a test needs. */
  timing: { [time: string]: unknown };
  /**
   * The result of `performance.getEntriesByType("resource")`.
   *
   * @defaultValue none
   */
  resources?: readonly { name: string; [time: string]: unknown }[];
}
