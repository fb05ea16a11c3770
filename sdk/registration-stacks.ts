type PrepareStack = (error: Error, frames: NodeJS.CallSite[]) => unknown;

const errors: { prepareStackTrace?: PrepareStack | undefined; stackTraceLimit: number } = Error;

/** Frames of an error that is thrown meanwhile: those of the SDK, of this package, and the program's lines that led there. */
const framesOfErrors = 8;

/** Formatters that were put before another one here. */
const brief = new WeakSet<PrepareStack>();

/**
 * Keeps stack traces brief that Pulumi's SDK takes with each of its promises: four for each property and more until the engine has
 * answered. With source maps they take more time than all else that a program does for a resource, and the SDK prints them only if
 * `PULUMI_DEBUG_PROMISE_LEAKS` is set. They are no longer formatted, and collected with few frames while a resource is registered. All
 * other errors are formatted by what the program has for it.
 *
 * @returns a function that ends the collecting of few frames
 */
export function withBriefStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { prepareStackTrace: prepare, stackTraceLimit } = errors;
  // Without source maps nothing formats in JavaScript.
  if (prepare && !brief.has(prepare)) {
    errors.prepareStackTrace = (error, frames) =>
      frames[0]?.getFunctionName() === "debuggablePromise" ? String(error) : prepare(error, frames);
    brief.add(errors.prepareStackTrace);
  }
  errors.stackTraceLimit = Math.min(stackTraceLimit, framesOfErrors);
  return () => {
    errors.stackTraceLimit = stackTraceLimit;
  };
}
