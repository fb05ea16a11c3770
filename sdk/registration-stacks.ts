/** Marks a formatter of this module, which calls another formatter. All copies of this package use it. */
const briefStacks: unique symbol = Symbol.for("pulumi-endpoint-monitoring.briefStacks");

type PrepareStack = ((error: Error, frames: NodeJS.CallSite[]) => unknown) & { readonly [briefStacks]?: true };

const errors: { prepareStackTrace?: PrepareStack | undefined; stackTraceLimit: number } = Error;

/** Frames of an error during a registration: some of the SDK and this package, then the calling lines of the program. */
const framesOfErrors = 8;

/**
 * Shortens the stack traces that Pulumi's SDK collects with its promises, at least four for each property. With source maps,
 * formatting these traces takes more time than all other work for a resource. The SDK prints them only if
 * `PULUMI_DEBUG_PROMISE_LEAKS` is set. While a resource is registered, this function skips their formatting and limits the
 * number of collected frames. The program's own formatter still formats all other errors.
 *
 * @returns a function that restores the number of collected frames
 */
export function withBriefStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { prepareStackTrace: prepare, stackTraceLimit } = errors;
  // Without source maps, stack traces are not formatted in JavaScript.
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
