/** Reasons why an emulator cannot start. */
export type EmulatorErrorCode =
  | "ADDRESS_UNAVAILABLE"
  | "INVALID_OPTION"
  | "STORE_CORRUPT"
  | "STORE_FOREIGN"
  | "STORE_IN_USE"
  | "STORE_NEWER"
  | "STORE_UNREADABLE";

/** The emulator cannot start. The message describes what failed and what to do. */
export class EmulatorError extends Error {
  override readonly name = "EmulatorError";

  constructor(
    readonly code: EmulatorErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
