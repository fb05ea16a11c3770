import { readFileSync } from "node:fs";
import { findSourceMap, SourceMap } from "node:module";
import { basename, isAbsolute, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as pulumi from "./pulumi";

/** A position in a program as the SDK sends it to the engine. Lines and columns count from 1. */
interface SourcePosition {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

type PrepareStackTrace = (error: Error, frames: NodeJS.CallSite[]) => unknown;

const errors: { prepareStackTrace?: PrepareStackTrace | undefined; stackTraceLimit: number } = Error;

/** The SDK's base class of all resources. Its function returns the positions that the engine records. */
const sdk = Object.getPrototypeOf(pulumi.CustomResource) as { stackTrace?: (skip: number) => readonly unknown[] };

/** The folder of this file; undefined in a bundle, where the program is in the same file. */
const ownFolder = typeof __dirname === "string" && basename(__dirname) === "sdk" ? __dirname + sep : undefined;

/**
 * Sends the engine the positions in the program that led to a resource, while the resource is registered. The SDK's own
 * function parses a stack trace as text. In an ECMAScript module, it finds no position at the top level, and wrong positions in
 * functions.
 *
 * @param called the constructor that the program called
 * @returns a function that restores the SDK's own function
 */
// The type of captureStackTrace.
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

/** Returns the position of a frame in the user's source; undefined for a frame of a library, of Node or of this package. */
function positionOf(frame: NodeJS.CallSite): SourcePosition | undefined {
  const [file, line, column] = [pathOf(frame.getFileName()), frame.getLineNumber(), frame.getColumnNumber()];
  if (file === undefined || line === null || column === null || isLibrary(file) || isImplicit(frame)) return undefined;
  const place = mappedPlace(file, line, column) ?? formattedPlace(frame) ?? { file, line, column };
  return isLibrary(place.file) ? undefined : { ...place, uri: pathToFileURL(place.file).href };
}

/** Whether a frame belongs to the implicit constructor of a class. Such a frame has the position of the class. */
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
  /** Base URL of the map's sources. */
  readonly base: string;
}

/** Source maps by file. Node reads them itself only with `--enable-source-maps`. */
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
    // A damaged map counts as missing.
    return { map: new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]), base };
  } catch {
    return none;
  }
}

/** Returns the position according to the program's runner, which knows the source maps of the files that it compiled. */
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

/** Returns the path of a path or file URL; undefined for any other value, such as a module of Node. */
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
