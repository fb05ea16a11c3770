type Prepare = (error: Error, frames: NodeJS.CallSite[]) => unknown;

const errors: { prepareStackTrace?: Prepare | undefined } = Error;

/**
 * Stops the formatting of stack traces that Pulumi's SDK keeps with each of its promises, four of them for each property of a resource. It
 * prints them only if `PULUMI_DEBUG_PROMISE_LEAKS` is set, and with source maps formatting them takes more time than all else that a
 * program does for a resource. Every other stack trace is formatted as before.
 *
 * @returns a function that ends it
 */
export function withoutPromiseStacks(): () => void {
  const prepare = errors.prepareStackTrace;
  // Without source maps nothing formats in JavaScript.
  if (prepare === undefined || process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const brief: Prepare = (error, frames) =>
    frames[0]?.getFunctionName() === "debuggablePromise" ? String(error) : prepare(error, frames);
  errors.prepareStackTrace = brief;
  return () => {
    if (errors.prepareStackTrace === brief) errors.prepareStackTrace = prepare;
  };
}
