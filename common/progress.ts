/**
 * Shows the progress of work that takes time, and warnings. The command line prints them, and a library passes them to its
 * caller.
 */
export interface Progress {
  /** Reports that an activity begins. */
  progress(text: string): void;
  /** Reports how much of the activity is done. */
  count(done: number, total?: number, noun?: string): void;
  endProgress(): void;
  /** Reports a possible problem that does not stop the work. */
  warn(text: string): void;
}

/** A progress that shows nothing. */
export const silent: Progress = {
  progress: () => undefined,
  count: () => undefined,
  endProgress: () => undefined,
  warn: () => undefined,
};
