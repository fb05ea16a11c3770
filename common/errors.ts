/** A user's mistake, or a condition that the user can change. It is reported in one line, without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** @param about `command line` for a mistake that the help explains, `work` for anything else */
  constructor(
    message: string,
    readonly about: "command line" | "work" = "command line",
  ) {
    super(message);
  }
}

/** A plan or a change was not approved. The exit code is 2. */
export class NotApprovedError extends UsageError {
  constructor(message: string) {
    super(message, "work");
  }
}

/** Ctrl+C or SIGTERM interrupted the work. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
