import { dirname, sep } from "node:path";

type Prepare = (error: Error, frames: NodeJS.CallSite[]) => unknown;

const errors: { prepareStackTrace?: Prepare | undefined; stackTraceLimit: number } = Error;

/** Frames of an error that is thrown meanwhile: those of the SDK, of this package, and the program's lines that led there. */
const framesOfErrors = 8;

/** Formatters that were put before another one here. */
const brief = new WeakSet<Prepare>();

/**
 * Keeps stack traces brief that Pulumi's SDK takes for each resource. With source maps they take more time than all else that a program
 * does for it:
 *
 * - It keeps one with each of its promises, four of them for each property and more until the engine has answered, and prints them only
 *   if `PULUMI_DEBUG_PROMISE_LEAKS` is set. They are no longer formatted, and collected with few frames while a resource is registered.
 * - The one that the engine records with the resource has the frames of the program, and begins there.
 *
 * All other errors are formatted by what the program has for it.
 *
 * @returns a function that ends the collecting of few frames
 */
export function withBriefStacks(): () => void {
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { prepareStackTrace: prepare, stackTraceLimit } = errors;
  // Without source maps nothing formats in JavaScript.
  if (prepare && !brief.has(prepare)) {
    errors.prepareStackTrace = (error, frames) => formatted(error, frames, prepare);
    brief.add(errors.prepareStackTrace);
  }
  errors.stackTraceLimit = Math.min(stackTraceLimit, framesOfErrors);
  return () => {
    errors.stackTraceLimit = stackTraceLimit;
  };
}

function formatted(error: Error, frames: NodeJS.CallSite[], prepare: Prepare): unknown {
  const asking = frames[0]?.getFunctionName();
  if (asking === "debuggablePromise") return String(error);
  const own = asking === "callsites" ? frames.findIndex(isOwn) : -1;
  if (own < 0) return prepare(error, frames);
  const sdk = dirname(frames[0]?.getFileName() ?? "") + sep;
  // The SDK passes over its own frames and one of the resource's class.
  const passedOver = frames.slice(0, own + 1).map(() => "    at passedOver");
  const [head, ...lines] = String(prepare(error, programIn(frames.slice(own + 1), sdk))).split("\n");
  return [head, ...passedOver, ...lines].join("\n");
}

/** Returns the frames of the program: none of this package, of Node and of the SDK, which runs the program. */
function programIn(frames: readonly NodeJS.CallSite[], sdk: string): NodeJS.CallSite[] {
  return frames.filter((frame) => {
    const file = frame.getFileName();
    return file && !file.startsWith("node:") && !file.startsWith(sdk) && !isOwn(frame);
  });
}

function isOwn(frame: NodeJS.CallSite): boolean {
  return frame.getFileName()?.startsWith(__dirname + sep) ?? false;
}
