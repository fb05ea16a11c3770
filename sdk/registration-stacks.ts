/** Marks a stack trace formatter that this module has wrapped. All copies of this package in a process share the symbol. */
const briefStacks: unique symbol = Symbol.for("pulumi-endpoint-monitoring.briefStacks");

type PrepareStack = ((error: Error, frames: NodeJS.CallSite[]) => unknown) & { readonly [briefStacks]?: true };

const errors: { prepareStackTrace?: PrepareStack | undefined; stackTraceLimit: number } = Error;

/** Maximum number of stack frames during a registration, which is enough to include the calling lines of the program. */
const framesOfErrors = 8;

/**
 * Shortens the stack traces that Pulumi's SDK collects for its promises while a resource is registered. The SDK collects at
 * least four traces for each property. With source maps, formatting these traces takes longer than all other work for a
 * resource. The SDK prints the traces only if `PULUMI_DEBUG_PROMISE_LEAKS` is set. The program's formatter still formats all
 * other errors.
 *
 * @returns a function that restores the original limit of collected frames
 */
export function withBriefStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { prepareStackTrace: prepare, stackTraceLimit } = errors;
  // `Error.prepareStackTrace` is set only if a runner of the program maps stack traces to source files.
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
