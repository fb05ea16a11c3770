/** Every kind of fault. */
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
 * Kinds of faults. `latency`: the request waits `ms` first. `status`: the answer is `status`, with `body` or a problem, and
 * nothing is stored (with `after`: it is). `drop-before`, `drop-after`: the connection ends without an answer, before or
 * after storing. `half-close`: the service ends its side of the connection without an answer, and goes on reading (with `after`:
 * once it has stored). `redirect`: a 307 to the same path of `to`; nothing is stored. `truncate`: the connection ends in the middle
 * of the body. `content-type`: the answer has the type text/html. `trickle`: the body comes in small pieces, `ms` apart. `stale`: a
 * GET is answered as the same GET was answered last before the fault began, as a cache that lags behind would.
 */
export type FaultKind = (typeof faultKinds)[number];

/** A fault for the next matching requests. */
export interface Fault {
  /** Operation id that it is for, such as `labels.create`. @defaultValue any */
  operation?: string;
  /** HTTP method that it is for. @defaultValue any */
  method?: string;
  /** The kind of the fault. */
  kind: FaultKind;
  /** How many matching requests it is for, 1 or more. @defaultValue 1 */
  n?: number;
  /** HTTP status of a `status` fault, 200 to 599. @defaultValue 503 */
  status?: number;
  /** Milliseconds of `latency`, or between the pieces of `trickle`, 0 or more. */
  ms?: number;
  /** Whether the request is carried out although its answer fails. @defaultValue false */
  after?: boolean;
  /** Where a `redirect` leads, without the path. @defaultValue a host that no name service knows */
  to?: string;
  /**
   * Milliseconds from the arrival of the request until it is carried out, whatever has been answered by then. With `latency` the
   * answer waits for both times; the other kinds answer at once. @defaultValue as the kind has it
   */
  storedAfterMs?: number;
  /** Body of a `status` fault; null sends none, text goes out as it is. @defaultValue a problem */
  body?: unknown;
  /** Header fields of the answer. @defaultValue none */
  headers?: Record<string, string>;
}
