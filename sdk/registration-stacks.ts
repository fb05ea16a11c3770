/** Marks a formatter that was put before another one here. All copies of this package use it. */
const briefStacks: unique symbol = Symbol.for("pulumi-endpoint-monitoring.briefStacks");

type PrepareStack = ((error: Error, frames: NodeJS.CallSite[]) => unknown) & { readonly [briefStacks]?: true };

const errors: { prepareStackTrace?: PrepareStack | undefined; stackTraceLimit: number } = Error;

/** Frames of an error during a registration: some of the SDK and this package, then the calling lines of the program. */
const framesOfErrors = 8;

/**
 * Shortens the stack traces that Pulumi's SDK collects with its promises, at least four for each property. With source maps, these
 * traces take more time than all other work for a resource. The SDK prints them only if `PULUMI_DEBUG_PROMISE_LEAKS` is set. This
 * function skips their formatting, and collects few frames while a resource is registered. The program's own formatter still formats
 * all other errors.
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
