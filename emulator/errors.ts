/** Reasons why an emulator cannot start. */
export type EmulatorErrorCode =
  | "ADDRESS_UNAVAILABLE"
  | "INVALID_OPTION"
  | "STORE_CORRUPT"
  | "STORE_FOREIGN"
  | "STORE_IN_USE"
  | "STORE_NEWER"
  | "STORE_UNREADABLE";

/** Thrown if the emulator cannot start, or if it refuses a value. The message describes the failure and the remedy. */
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
