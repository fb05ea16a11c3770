import { stripVTControlCharacters } from "node:util";
import { isObject } from "../../provider/values";
import { UsageError } from "../command";
import type { EngineResource } from "../held";
import { engineError, type EngineRun } from "../engine-run";
import type { ChangedInputs } from "./plan-file";

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

/** The output of `pulumi preview --json`. */
export interface Preview {
  /** Names of stack and project; empty where the preview has no step. */
  stack: string;
  project: string;
  steps: Step[];
  /** Absent of a preview that was given, or refused: its masks hide which secrets change. */
  changedInputs?: ChangedInputs;
}

/**
 * Reads what `pulumi preview --json` printed.
 *
 * @param source what messages call it
 * @throws UsageError where it is something else, or a preview that failed for any other reason than protection
 */
export function readPreview(text: string, source: string): Preview {
  const read = parsed(text, source);
  if (!isObject(read) || !("steps" in read || "changeSummary" in read)) throw notOne(source, "it has no steps");
  const steps = Array.isArray(read["steps"]) ? read["steps"] : [];
  for (const [at, step] of steps.entries()) {
    if (!isStep(step)) throw notOne(source, `its step ${at + 1} is none`);
  }
  const failures = failuresOf(Array.isArray(read["diagnostics"]) ? read["diagnostics"] : [], steps);
  if (failures.length > 0) throw new UsageError(`The preview failed: ${failures.join("; ")}`, "work");
  const [, , stack = "", project = ""] = /^urn:(pulumi):([^:]*)::([^:]*)::/.exec(steps[0]?.urn ?? "") ?? [];
  return { stack, project, steps };
}

/** The preview that a run of the engine printed. It prints one, too, when it refuses what is protected. */
export function previewOf(run: EngineRun): Preview {
  if (!run.stdout.trimStart().startsWith("{")) throw engineError("The preview failed", run);
  return readPreview(run.stdout, "what the engine printed");
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const stream = /^\{"sequence":\d/.test(text.trimStart());
    throw notOne(source, stream ? "it is a stream of events: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW" : "it is no JSON");
  }
}

function notOne(source: string, reason: string): UsageError {
  return new UsageError(`${source} is not the output of \`pulumi preview --json\` (${reason})`, "work");
}

function isStep(step: unknown): step is Step {
  if (!isObject(step) || typeof step["op"] !== "string" || typeof step["urn"] !== "string") return false;
  return [step["oldState"], step["newState"]].every((state) => state === undefined || state === null || isResource(state));
}

function isResource(state: unknown): boolean {
  return (
    isObject(state) &&
    typeof state["urn"] === "string" &&
    typeof state["type"] === "string" &&
    ["inputs", "outputs", "propertyDependencies"].every((member) => isAbsent(state[member]) || isObject(state[member])) &&
    ["stackTrace", "additionalSecretOutputs"].every((member) => isAbsent(state[member]) || Array.isArray(state[member]))
  );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/**
 * What made a preview fail. The engine refuses to delete or replace what is protected, and goes on with the rest: such a
 * preview is whole, and the refusal is one of the things that a review tells.
 */
function failuresOf(diagnostics: readonly unknown[], steps: readonly Step[]): string[] {
  const refused = new Set(steps.filter(({ oldState }) => oldState?.protect === true).map(({ urn }) => urn));
  const errors = diagnostics.filter(isObject).filter(({ severity }) => severity === "error");
  const others = errors.filter(({ urn }) => !refused.has(String(urn)));
  const said = others.map(({ message }) => withoutStack(String(message)));
  // The last error sums up: it is no other one.
  return others.length < errors.length ? said.filter((message) => message !== "preview failed") : said;
}

/** Lines of a message that are told: a fault in a program is on the third, after two that say that there is one. */
const linesTold = 6;

/** What a message says before its stack. */
function withoutStack(message: string): string {
  const lines = stripVTControlCharacters(message)
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  return lines
    .slice(0, stack < 0 ? linesTold : Math.min(stack, linesTold))
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
