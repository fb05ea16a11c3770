/** Describes a pause before a request. The API client reports the pause at its beginning. */
export interface Wait {
  /** Name of the waiting operation, such as `labels.create`. */
  operation: string;
  /** Reason for the wait, as a phrase for messages, such as `the request budget of the organization`. */
  reason: string;
  /** Expected duration of the wait, in ms. */
  ms: number;
}
