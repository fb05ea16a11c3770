/** A wait for the service, reported at its beginning. */
export interface Wait {
  /** Name of the waiting operation, such as `labels.create`. */
  operation: string;
  /** Reason for the wait, as part of a sentence: `the request budget of the organization`. */
  reason: string;
  /** Expected duration of the wait, in ms. */
  ms: number;
}
