/** A wait for the service, told when it begins. */
export interface Wait {
  /** Operation that waits, such as `labels.create`. */
  operation: string;
  /** What for, as a part of a sentence: `the request budget of the organisation`. */
  reason: string;
  /** How long it will take in ms, as far as is known. */
  ms: number;
}
