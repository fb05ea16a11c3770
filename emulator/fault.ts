export const faultKinds = [
  "latency",
  "status",
  "drop-before",
  "drop-after",
  "half-close",
  "redirect",
  "truncate",
  "content-type",
  "trickle",
  "stale",
] as const;

/**
 * Kinds of faults:
 * - `latency`: the emulator waits for `ms` before it executes the request.
 * - `status`: the answer has `status`, with `body` or a problem. The emulator stores nothing unless `after` is true.
 * - `drop-before`, `drop-after`: the connection ends without an answer, before or after the emulator stores the record.
 * - `half-close`: the emulator ends its side of the connection without an answer, and still reads. With `after`, the
 *   emulator stores the record first.
 * - `redirect`: the answer is a 307 to the same path of `to`. The emulator stores nothing.
 * - `truncate`: the connection ends in the middle of the body.
 * - `content-type`: the answer has the type text/html.
 * - `trickle`: the body arrives in small pieces, `ms` apart.
 * - `stale`: a GET gets the last answer to the same GET from before the fault, as an outdated cache would answer.
 */
export type FaultKind = (typeof faultKinds)[number];

/** A fault for the next matching requests. */
export interface Fault {
  /**
   * Id of the operation that the fault affects, such as `labels.create`.
   *
   * @defaultValue any operation
   */
  operation?: string;
  /**
   * HTTP method that the fault affects.
   *
   * @defaultValue any method
   */
  method?: string;
  /** The kind of the fault. */
  kind: FaultKind;
  /**
   * Number of matching requests that the fault affects, 1 or more.
   *
   * @defaultValue 1
   */
  n?: number;
  /**
   * HTTP status of a `status` fault, 200 to 599.
   *
   * @defaultValue 503
   */
  status?: number;
  /** Milliseconds of `latency`, or between the pieces of `trickle`; 0 or more. */
  ms?: number;
  /**
   * Whether the emulator executes the request although its answer fails.
   *
   * @defaultValue false
   */
  after?: boolean;
  /**
   * Target of a `redirect`, without the path.
   *
   * @defaultValue a host that DNS does not know
   */
  to?: string;
  /**
   * Milliseconds from the arrival of the request until the emulator executes it, even if the answer comes earlier or later.
   *
   * With `latency`, the answer comes after `ms` and `storedAfterMs` have passed. All kinds of faults except `latency` answer immediately.
   *
   * @defaultValue depends on the kind
   */
  storedAfterMs?: number;
  /**
   * Body of a `status` fault. null sends no body, and text is sent unchanged.
   *
   * @defaultValue a problem
   */
  body?: unknown;
  /**
   * Header fields of the answer.
   *
   * @defaultValue none
   */
  headers?: Record<string, string>;
}
