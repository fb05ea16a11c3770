/**
 * Symbol that marks the stack trace formatters that this module has wrapped. All copies of this package in a process share the
 * symbol.
 */
const briefStacks: unique symbol = Symbol.for("pulumi-endpoint-monitoring.briefStacks");

type PrepareStack = ((error: Error, frames: NodeJS.CallSite[]) => unknown) & { readonly [briefStacks]?: true };

const errors: { prepareStackTrace?: PrepareStack | undefined; stackTraceLimit: number } = Error;

/**
 * Maximum number of stack frames while a resource is registered. Eight frames are enough to include the calling lines of the
 * program.
 */
const framesOfErrors = 8;

/**
 * Shortens the stack traces that Pulumi's SDK collects for its promises while a resource is registered. The SDK collects at
 * least four traces for each property. With source maps, formatting the SDK's stack traces takes longer than all other work for
 * a resource. The SDK prints its stack traces only if `PULUMI_DEBUG_PROMISE_LEAKS` is set. The program's own stack trace
 * formatter still formats the traces of all errors outside the SDK's promises.
 *
 * @returns a function that restores the original maximum number of stack frames
 */
export function withBriefStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { prepareStackTrace: prepare, stackTraceLimit } = errors;
  // `Error.prepareStackTrace` is set only if a runner such as ts-node maps stack traces to source files.
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
