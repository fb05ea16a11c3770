import { dateOf, type HttpHeaders, instantLimit, organizationLimit, type RateLimit, rateLimitOf } from "./pacing";

/** What an answer of the service tells beside its body: who watches a client sees nothing secret. */
export interface Answer {
  /** Operation that was called, such as `labels.list`. */
  operation: string;
  /** HTTP status. */
  status: number;
  /** The service's clock, in ms since 1970, in whole seconds; absent where the answer has no date. */
  date: number | undefined;
  /** What is left of the request budgets; absent where the answer does not say. */
  limits: {
    /** Budget of the organisation. */
    organization: RateLimit | undefined;
    /** Budget of instant tests: answers to those tell it. */
    instant: RateLimit | undefined;
  };
}

/** An answer as an observer may see it. */
export function answerOf(operation: { id: string }, { status, headers }: { status: number; headers: HttpHeaders }): Answer {
  const limits = { organization: rateLimitOf(headers, organizationLimit), instant: rateLimitOf(headers, instantLimit) };
  return { operation: operation.id, status, date: dateOf(headers), limits };
}
