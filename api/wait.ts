/** A wait for the service, reported when it begins. */
export interface Wait {
  /** Operation that waits, such as `labels.create`. */
  operation: string;
  /** Reason of the wait, as part of a sentence: `the request budget of the organization`. */
  reason: string;
  /** Expected duration in ms. */
  ms: number;
}
