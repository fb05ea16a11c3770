/**
 * Receives progress reports and warnings. A command prints the progress reports, and a library function passes the reports to
 * its caller.
 */
export interface Progress {
  progress(text: string): void;
  /** Reports how many items of the current activity are done. */
  count(done: number, total?: number, noun?: string): void;
  endProgress(): void;
  warn(text: string): void;
}

/** A receiver that ignores progress reports and warnings. */
export const silent: Progress = {
  progress: () => undefined,
  count: () => undefined,
  endProgress: () => undefined,
  warn: () => undefined,
};
