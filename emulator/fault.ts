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
 * - `status`: the response has the HTTP status `status`, and `body` or a problem as its body. The emulator stores nothing unless `after` is
 *   true.
 * - `drop-before`, `drop-after`: the connection ends without a response, before or after the emulator stores the record.
 * - `half-close`: the emulator closes its side of the connection without a response, but still reads. If `after` is true, the emulator
 * stores the record before it closes the connection.
 * - `redirect`: the response is a redirect (307) to the same path on the host `to`. The emulator stores nothing.
 * - `truncate`: the connection ends in the middle of the body.
 * - `content-type`: the response has the type text/html.
 * - `trickle`: the body arrives in small pieces, with pauses of `ms` milliseconds.
 * - `stale`: a GET request receives an outdated response, as from a cache: the last response to the same request before the fault.
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
  /** Delay of a `latency` fault, or pause between the pieces of a `trickle` fault, in milliseconds, 0 or more. */
  ms?: number;
  /**
   * Whether the emulator executes the request although the response reports a failure.
   *
   * @defaultValue false
   */
  after?: boolean;
  /**
   * Origin that a `redirect` fault leads to.
   *
   * @defaultValue a host that DNS does not know
   */
  to?: string;
  /**
   * Delay before the emulator executes the request, in milliseconds. The delay does not depend on the time of the response.
   *
   * With a `latency` fault, the emulator answers when both `ms` and `storedAfterMs` have passed. With any other fault, the emulator
   * answers immediately.
   *
   * @defaultValue depends on the kind
   */
  storedAfterMs?: number;
  /**
   * Body of a `status` fault. The value null sends no body, and text is sent unchanged.
   *
   * @defaultValue a problem
   */
  body?: unknown;
  /**
   * Header fields of the response.
   *
   * @defaultValue none
   */
  headers?: Record<string, string>;
}
