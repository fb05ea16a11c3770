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
 * - `status`: the response has the HTTP status `status` and the body `body`, by default a problem document. Unless `after` is true, the
 *   emulator does not execute the request.
 * - `drop-before`, `drop-after`: the connection ends without a response, before or after the emulator stores the record.
 * - `half-close`: the emulator closes its side of the connection without a response, but still reads. If `after` is true, the emulator
 *   stores the record before it closes the connection.
 * - `redirect`: the response is a redirect (307) to the same path on the host `to`. The emulator does not execute the request.
 * - `truncate`: the connection ends in the middle of the body.
 * - `content-type`: the response has the type text/html.
 * - `trickle`: the body arrives in small pieces, with pauses of `ms` milliseconds.
 * - `stale`: a GET request receives the last response to the same request before the fault, as from an outdated cache.
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
   * Target origin of a `redirect` fault.
   *
   * @defaultValue a host name that does not resolve
   */
  to?: string;
  /**
   * Delay before the emulator executes the request, in milliseconds. The delay does not depend on the time of the response.
   *
   * With a `latency` fault, the emulator answers when both `ms` and `storedAfterMs` have passed. With any other fault, the emulator answers
   * immediately.
   *
   * @defaultValue depends on `kind`
   */
  storedAfterMs?: number;
  /**
   * Body of a `status` fault. With the value null, the response has no body. The emulator sends a string unchanged.
   *
   * @defaultValue a problem document
   */
  body?: unknown;
  /**
   * Header fields of the response.
   *
   * @defaultValue none
   */
  headers?: Record<string, string>;
}
