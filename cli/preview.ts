import { z } from "zod";
import { pathText } from "../api/parse";
import { isObject, valueAt } from "../provider/values";
import { UsageError } from "./command";
import { engineError, type EngineRun } from "./engine-run";
import type { EngineResource } from "./held";
import { jsonDamage } from "./json-damage";
import { damagedProperty } from "./preview-inputs";
import { cut } from "./words";

/** A resource as a step of a preview has it, with what only steps tell. */
export interface StepResource extends EngineResource {
  /** What each input was made from, by URN. */
  propertyDependencies?: Record<string, string[]>;
  /** False of a component, which is nothing by itself. */
  custom?: boolean;
  /** The service keeps it when it is deleted. */
  retainOnDelete?: boolean;
  /** URN of a resource with whose deletion it is taken to be gone: then nobody deletes it. */
  deletedWith?: string;
  /** Somebody asked for its replacement with `pulumi state taint`. */
  taint?: boolean;
  /** The last update of it succeeded in part: the engine updates it again, whatever is declared. */
  initErrors?: string[];
}

/** What the engine is about to do with one resource. */
export interface Step {
  op: string;
  urn: string;
  oldState?: StepResource;
  newState?: StepResource;
  /** Properties that force a replacement; `id` where somebody asked for it. */
  replaceReasons?: string[];
}

/** What the engine or the program said on the way. */
export interface Diagnostic {
  urn?: string;
  severity: string;
  message: string;
}

/** What `pulumi preview --json` prints, as far as it is used. */
export interface PreviewOutput {
  steps: Step[];
  diagnostics: Diagnostic[];
  /** Settings of the stack by their whole names; secret ones are masked. */
  config?: Record<string, unknown>;
}

/** A member that may be absent. The engine writes some of these as `null`. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const list = z.array(z.string());
const properties = z.record(z.string(), z.unknown());

// Loose: a member that is not named here stays, unchecked.
const resource: z.ZodType<StepResource> = z.looseObject({
  urn: z.string(),
  type: z.string(),
  parent: optional(z.string()),
  id: optional(z.string()),
  inputs: optional(properties),
  outputs: optional(properties),
  protect: optional(z.boolean()),
  external: optional(z.boolean()),
  delete: optional(z.boolean()),
  custom: optional(z.boolean()),
  retainOnDelete: optional(z.boolean()),
  deletedWith: optional(z.string()),
  taint: optional(z.boolean()),
  additionalSecretOutputs: optional(list),
  ignoreChanges: optional(list),
  initErrors: optional(list),
  dependencies: optional(list),
  propertyDependencies: optional(
    z.record(
      z.string(),
      list.nullable().transform((urns) => urns ?? []),
    ),
  ),
  created: optional(z.string()),
  modified: optional(z.string()),
  sourcePosition: optional(z.string()),
  stackTrace: optional(z.array(z.object({ sourcePosition: optional(z.string()) }))),
});

const stepSchema: z.ZodType<Step> = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: optional(resource),
  newState: optional(resource),
  replaceReasons: optional(list),
});

const diagnostic: z.ZodType<Diagnostic> = z.object({ urn: optional(z.string()), severity: z.string(), message: z.string() });

// The engine leaves out what is empty.
const output = z.object({
  steps: z.array(stepSchema).default([]),
  diagnostics: z.array(diagnostic).default([]),
  config: optional(properties),
});

/** Members of which a preview has at least one. */
const marks = ["steps", "changeSummary", "diagnostics"];

/**
 * Reads what `pulumi preview --json` printed: the only reader of it.
 *
 * @param source what messages call it
 * @throws UsageError where it is something else, or damaged: what, and where
 */
export function readPreviewOutput(text: string, source: string): PreviewOutput {
  // A byte order mark is how some shells begin a file.
  const read = parsed(text.replace(/^\uFEFF/, ""), source);
  if (!isObject(read) || !marks.some((mark) => mark in read)) throw notOne(source, "it has no steps");
  const { data, error } = output.safeParse(read);
  if (!data) throw notOne(source, error.issues[0] ? damage(error.issues[0], read) : "it is damaged");
  for (const [at, step] of data.steps.entries()) {
    for (const side of ["oldState", "newState"] as const) {
      const path = step[side] && damagedProperty(step[side]);
      if (path) throw notOne(source, `${pathText(["steps", at, side, ...path])} is not what the resource has there`);
    }
  }
  return data;
}

/**
 * What a run of `pulumi preview --json` printed. The engine prints a preview, too, when it refuses what is protected.
 *
 * @param what a failure is told with
 * @throws UsageError with the engine's own words where it printed no preview, InterruptedError
 */
export function previewOutputOf(run: EngineRun, what: string): PreviewOutput {
  if (run.interrupted || (run.code !== 0 && !run.stdout.trimStart().startsWith("{"))) throw engineError(what, run);
  return readPreviewOutput(run.stdout, "What the engine printed");
}

function parsed(text: string, source: string): unknown {
  const start = text.trimStart();
  if (start === "") throw notOne(source, "it is empty: what the engine said is on its standard error");
  if (/^\{"sequence":\s*\d/.test(start)) {
    throw notOne(source, "it is a stream of events: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw notOne(source, start.startsWith("{") ? damageOfJson(text) : insteadOfJson(start));
  }
}

function damageOfJson(text: string): string {
  const { line, column, cutOff } = jsonDamage(text);
  return `${cutOff ? "it is cut off" : "it is damaged"} at line ${line}, column ${column}`;
}

/** Longest text of an engine's error that is told, in characters. */
const longestError = 300;

function insteadOfJson(text: string): string {
  const [, said] = /^error: (.*)$/m.exec(text) ?? [];
  if (said !== undefined) return `the engine failed: ${cut(said.trim(), longestError)}`;
  return `it is no JSON${/^\{/m.test(text) ? ": other text stands before it, so keep standard error out of it" : ""}`;
}

const types: Record<string, string> = {
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** What is wrong in it, and where; never a value, which may be a secret. */
function damage({ path, ...issue }: z.core.$ZodIssue, read: unknown): string {
  const value = valueAt(read, path);
  const is = value === undefined ? "missing" : value === null ? "null" : Array.isArray(value) ? "a list" : typeOf(value);
  const wanted = issue.code === "invalid_type" ? types[issue.expected] : undefined;
  return `${pathText(path)} is ${is}${wanted === undefined ? "" : `, and should be ${wanted}`}`;
}

function typeOf(value: unknown): string {
  if (typeof value === "number") return "a number";
  return types[typeof value] ?? typeof value;
}

function notOne(source: string, reason: string): UsageError {
  return new UsageError(`${source} is not the output of \`pulumi preview --json\` (${reason})`, "work");
}
