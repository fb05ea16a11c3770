/** The reason why there is no engine. The message states what failed, why, and what to do. It is shown without a stack. */
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
