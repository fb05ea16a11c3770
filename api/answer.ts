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
    /** Budget of the organization. */
    organization: RateLimit | undefined;
    /** Budget of instant tests, which only answers to instant tests report. */
    instant: RateLimit | undefined;
  };
}

/** Members of a successful answer that were not readable. They are ignored because no resource depends on them. */
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
