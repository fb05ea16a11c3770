/**
 * Receives progress reports and warnings. The command line prints progress reports, and a library passes them to its caller.
 */
export interface Progress {
  progress(text: string): void;
  /** Reports how much of the current activity is done. */
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
