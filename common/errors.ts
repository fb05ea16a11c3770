/** A user's mistake or a condition they can change: reported in a line, without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** @param about `command line` if the help has the answer, `work` for anything else */
  constructor(
    message: string,
    readonly about: "command line" | "work" = "command line",
  ) {
    super(message);
  }
}

/** Error for a plan or a change that was not approved. Its exit code is 2. */
export class NotApprovedError extends UsageError {
  constructor(message: string) {
    super(message, "work");
  }
}

/** Ctrl+C, or SIGTERM, ended the work before it was done. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
