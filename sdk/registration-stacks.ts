/** Marks a formatter that was put before another one here. All copies of this package use it. */
const briefStacks: unique symbol = Symbol.for("pulumi-endpoint-monitoring.briefStacks");

type PrepareStack = ((error: Error, frames: NodeJS.CallSite[]) => unknown) & { readonly [briefStacks]?: true };

const errors: { prepareStackTrace?: PrepareStack | undefined; stackTraceLimit: number } = Error;

/** Frames of an error that is thrown meanwhile: those of the SDK, of this package, and the program's lines that led there. */
const framesOfErrors = 8;

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
  if (prepare && !prepare[briefStacks]) {
    const prepareBriefly: PrepareStack = (error, frames) =>
      frames[0]?.getFunctionName() === "debuggablePromise" ? String(error) : prepare(error, frames);
    errors.prepareStackTrace = Object.assign(prepareBriefly, { [briefStacks]: true as const });
  }
  errors.stackTraceLimit = Math.min(stackTraceLimit, framesOfErrors);
  return () => {
    errors.stackTraceLimit = stackTraceLimit;
  };
}
