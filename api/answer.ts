import { dateOf, type HttpHeaders, instantLimit, organizationLimit, type RateLimit, rateLimitOf } from "./pacing";

/** The facts of an answer for a client's observer. It contains no body and no secret. */
export interface Answer {
  /** Operation that was called, such as `labels.list`. */
  operation: string;
  /** HTTP status. */
  status: number;
  /** Time on the service's clock, in ms since 1970, rounded to seconds. Undefined if the answer has no date. */
  date: number | undefined;
  /** Remaining request budgets. Undefined if the answer does not report them. */
  limits: {
    /** Request budget of the organization. */
    organization: RateLimit | undefined;
    /** Request budget of instant tests, reported only in answers to instant tests. */
    instant: RateLimit | undefined;
  };
}

/** Unreadable members of a successful answer. The client ignores them because no resource depends on them. */
export interface Unreadable {
  /** Operation that was called, such as `labels.list`. */
  operation: string;
  /** Paths of the members, without positions in lists: `tests[].createdDate`. */
  members: readonly string[];
}

/** Returns the facts of an answer for an observer. */
export function answerOf(operation: { id: string }, { status, headers }: { status: number; headers: HttpHeaders }): Answer {
  const limits = { organization: rateLimitOf(headers, organizationLimit), instant: rateLimitOf(headers, instantLimit) };
  return { operation: operation.id, status, date: dateOf(headers), limits };
}
