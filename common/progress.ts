/**
 * Receives progress reports and warnings. The command line prints the reports, and the library functions pass the reports to
 * their caller.
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
