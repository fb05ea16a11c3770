import { readFileSync } from "node:fs";
import { findSourceMap, SourceMap } from "node:module";
import { basename, isAbsolute, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as pulumi from "./pulumi";

/** A position in a program's source, in the format of the Pulumi engine. Lines and columns start at 1. */
interface SourcePosition {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

type PrepareStackTrace = (error: Error, frames: NodeJS.CallSite[]) => unknown;

const errors: { prepareStackTrace?: PrepareStackTrace | undefined; stackTraceLimit: number } = Error;

/** The SDK's base class of resources. Its function `stackTrace` returns the source positions that the engine receives. */
const sdk = Object.getPrototypeOf(pulumi.CustomResource) as { stackTrace?: (skip: number) => readonly unknown[] };

/** The folder of this file, or undefined if a bundler has merged this file with the program. */
const ownFolder = typeof __dirname === "string" && basename(__dirname) === "sdk" ? __dirname + sep : undefined;

/**
 * Replaces the SDK's search for source positions while a resource is registered. The SDK finds positions in the text of stack
 * traces. In ECMAScript modules, the SDK finds no positions at the top level, and wrong positions in functions.
 *
 * @param called the constructor that the program called
 * @returns a function that restores the SDK's search
 */
// `Error.captureStackTrace` requires the type `Function`.
//
// oxlint-disable-next-line typescript/no-unsafe-function-type
export function withProgramPositions(called: Function): () => void {
  const { stackTrace } = sdk;
  if (!stackTrace) return () => undefined;
  const positions = framesAbove(called).flatMap((frame) => positionOf(frame) ?? []);
  sdk.stackTrace = () => positions;
  return () => {
    sdk.stackTrace = stackTrace;
  };
}

// oxlint-disable-next-line typescript/no-unsafe-function-type
function framesAbove(called: Function): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = errors;
  try {
    errors.stackTraceLimit = Number.POSITIVE_INFINITY;
    errors.prepareStackTrace = (_, frames) => frames;
    const holder: { stack?: NodeJS.CallSite[] } = {};
    Error.captureStackTrace(holder, called);
    return holder.stack ?? [];
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
    errors.prepareStackTrace = prepareStackTrace;
  }
}

/** Returns the position of a stack frame in the user's source, or undefined for a frame of a library, Node or this package. */
function positionOf(frame: NodeJS.CallSite): SourcePosition | undefined {
  const [file, line, column] = [pathOf(frame.getFileName()), frame.getLineNumber(), frame.getColumnNumber()];
  if (file === undefined || line === null || column === null || isLibrary(file) || isImplicit(frame)) return undefined;
  const place = mappedPlace(file, line, column) ?? formattedPlace(frame) ?? { file, line, column };
  return isLibrary(place.file) ? undefined : { ...place, uri: pathToFileURL(place.file).href };
}

/**
 * Whether a stack frame belongs to the implicit constructor of a class. The frame of an implicit constructor has the position
 * of the class.
 */
function isImplicit(frame: NodeJS.CallSite): boolean {
  const isAtStart =
    frame.getEnclosingLineNumber() === frame.getLineNumber() && frame.getEnclosingColumnNumber() === frame.getColumnNumber();
  return isAtStart && frame.isConstructor();
}

interface StackFrame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function mappedPlace(file: string, line: number, column: number): StackFrame | undefined {
  const { map, base } = mapOf(file);
  const mapping = map?.findEntry(line - 1, column - 1);
  if (!mapping || !("originalSource" in mapping)) return undefined;
  const source = pathOf(URL.parse(mapping.originalSource, base)?.href);
  return source === undefined
    ? undefined
    : { file: source, line: mapping.originalLine + 1, column: mapping.originalColumn + 1 };
}

interface KnownMap {
  readonly map?: SourceMap | undefined;
  readonly base: string;
}

/** Cache of source maps, keyed by file. Node itself reads source maps only with `--enable-source-maps`. */
const maps = new Map<string, KnownMap>();

function mapOf(file: string): KnownMap {
  const known = maps.get(file) ?? { map: findSourceMap(file), base: pathToFileURL(file).href };
  const read = known.map || maps.has(file) || !/\.[cm]?js$/.test(file) ? known : readMap(file, known);
  maps.set(file, read);
  return read;
}

function readMap(file: string, none: KnownMap): KnownMap {
  try {
    const link = [...readFileSync(file, "utf8").matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1];
    if (link === undefined) return none;
    const inline = /^data:[^,]*;base64,(.*)$/.exec(link)?.[1];
    const base = inline === undefined ? new URL(link, none.base).href : none.base;
    const text = inline === undefined ? readFileSync(new URL(base), "utf8") : Buffer.from(inline, "base64").toString();
    // A damaged source map counts as missing.
    return { map: new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]), base };
  } catch {
    return none;
  }
}

/**
 * Returns the position from the stack trace formatter of a runner such as ts-node, which knows the source maps of its compiled
 * files.
 */
function formattedPlace(frame: NodeJS.CallSite): StackFrame | undefined {
  const text = errors.prepareStackTrace?.(new Error("position"), [frame]);
  const line = typeof text === "string" ? text.split("\n").at(-1) : undefined;
  const parts = /^\s*at (?:(?:.*? )?\()?(?:async )?(?<file>(?:file:|\/|[A-Za-z]:[\\/]).*):(?<line>\d+):(?<column>\d+)\)?$/.exec(
    line ?? "",
  );
  const file = pathOf(parts?.groups?.["file"]);
  return file === undefined
    ? undefined
    : { file, line: Number(parts?.groups?.["line"]), column: Number(parts?.groups?.["column"]) };
}

/** Converts an absolute path or a file URL to a path, and returns undefined for other values such as `node:fs`. */
function pathOf(file: string | null | undefined): string | undefined {
  if (!file?.startsWith("file:")) return file && isAbsolute(file) ? file : undefined;
  try {
    return fileURLToPath(file);
  } catch {
    return undefined;
  }
}

function isLibrary(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file) || (ownFolder !== undefined && file.startsWith(ownFolder));
}
