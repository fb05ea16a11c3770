/** Largest number of attempts for a request whose failure may pass. */
export const maxAttempts = 4;

/** Largest number of waits after a 429. Each lasts until the end of a window, at most a minute as documented. */
export const maxRateLimitWaits = 5;

/** Statuses of a record that is busy: it conflicts with another request, is locked, or is not ready. */
export const busyStatuses: ReadonlySet<number> = new Set([409, 423, 425]);

/** Longest time in ms to repeat a request because the record is busy. */
export const maxBusyMs = 30_000;

/** Longest pause in ms between two attempts. */
export const maxPauseMs = 5_000;
