/**
 * The reason why no engine is available. The message states the failure, the reason and the remedy, and is printed without a
 * stack trace.
 */
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
