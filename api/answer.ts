import { dateOf, type HttpHeaders, instantLimit, organizationLimit, type RateLimit, rateLimitOf } from "./pacing";

/** The status, date and request budgets of a response. An `Answer` contains no body and no secrets. */
export interface Answer {
  /** Name of the called operation, such as `labels.list`. */
  operation: string;
  /** HTTP status. */
  status: number;
  /** Time on the service's clock in ms since 1970; undefined if the response has no date. */
  date: number | undefined;
  /** Remaining request budgets; undefined if the response does not report a budget. */
  limits: {
    /** Request budget of the organization. */
    organization: RateLimit | undefined;
    /** Request budget of instant tests. Only operations that run instant tests report `instant`. */
    instant: RateLimit | undefined;
  };
}

/** The unreadable members that the client ignored in a successful response. The client ignores only members that no resource depends on. */
export interface Unreadable {
  /** Name of the called operation, such as `labels.list`. */
  operation: string;
  /** Paths of the unreadable members, with `[]` instead of list indexes, such as `tests[].createdDate`. */
  members: readonly string[];
}

export function answerOf(operation: { id: string }, { status, headers }: { status: number; headers: HttpHeaders }): Answer {
  const limits = { organization: rateLimitOf(headers, organizationLimit), instant: rateLimitOf(headers, instantLimit) };
  return { operation: operation.id, status, date: dateOf(headers), limits };
}
