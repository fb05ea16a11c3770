/** An engine that cannot be had: the message says what failed, why, and what to do, and is shown without a stack. */
export class EngineError extends Error {
  /**
   * @param {"no-go" | "go-too-old" | "build-failed" | "not-writable"} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "EngineError";
    this.code = code;
  }
}
