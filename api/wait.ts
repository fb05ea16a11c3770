/** A wait of the API client, which the client reports when the wait begins. */
export interface Wait {
  /** Name of the waiting operation, such as `labels.create`. */
  operation: string;
  /** Reason for the wait, as a phrase for messages, such as `the request budget of the organization`. */
  reason: string;
  /** Expected duration of the wait, in ms. */
  ms: number;
}
