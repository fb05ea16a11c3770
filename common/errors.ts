/** An error that the user caused or can resolve. A command reports a UsageError in one line, without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** @param about `command line` if the command's help explains the mistake, `work` for any other error */
  constructor(
    message: string,
    readonly about: "command line" | "work" = "command line",
  ) {
    super(message);
  }
}

/**
 * The error of a command if the user did not approve a plan or a change. After a NotApprovedError, the command exits with code
 * 2.
 */
export class NotApprovedError extends UsageError {
  constructor(message: string) {
    super(message, "work");
  }
}

/** Ctrl+C or SIGTERM interrupted the command. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
