/** From where on something is worth stopping for. */
export interface Limits {
  /** Percentage of the agents that run a test now which may not run it afterwards. */
  maxMoved: number;
}

/** What holds unless told otherwise. */
export const defaultLimits: Limits = { maxMoved: 50 };
