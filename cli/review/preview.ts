import { stripVTControlCharacters } from "node:util";
import type { EngineRun } from "../engine-run";
import { stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { type Diagnostic, type PreviewOutput, previewOutputOf, readPreviewOutput, type Step } from "../preview";
import type { ChangedInputs } from "./plan-file";

export type { Step, StepResource } from "../preview";

/** The output of `pulumi preview --json`. */
export interface Preview {
  /** Names of stack and project; empty where the preview has no step. */
  stack: string;
  project: string;
  steps: Step[];
  /** Absent of a preview that was given, or refused: its masks hide which secrets change. */
  changedInputs?: ChangedInputs;
  /** The setting `adopt` as the stack has it; absent where it has none. */
  adopt?: string;
}

/**
 * Reads what `pulumi preview --json` printed.
 *
 * @param source what messages call it
 * @throws UsageError where it is something else, or a preview that failed for any other reason than protection
 */
export function readPreview(text: string, source: string): Preview {
  return wholePreview(readPreviewOutput(text, source));
}

/** The preview that a run of the engine printed. It prints one, too, when it refuses what is protected. @throws UsageError */
export function previewOf(run: EngineRun): Preview {
  return wholePreview(previewOutputOf(run, "The preview failed"));
}

function wholePreview({ steps, diagnostics, config = {} }: PreviewOutput): Preview {
  const failures = failuresOf(diagnostics, steps);
  if (failures.length > 0) throw new UsageError(`The preview failed: ${failures.join("; ")}`, "work");
  const [, , stack = "", project = ""] = /^urn:(pulumi):([^:]*)::([^:]*)::/.exec(steps[0]?.urn ?? "") ?? [];
  const adopt = stringOf(config["endpoint-monitoring:adopt"]);
  return { stack, project, steps, ...(adopt !== undefined && { adopt }) };
}

/**
 * What made a preview fail. The engine refuses to delete or replace what is protected, and goes on with the rest: such a
 * preview is whole, and the refusal is one of the things that a review tells.
 */
function failuresOf(diagnostics: readonly Diagnostic[], steps: readonly Step[]): string[] {
  const refused = new Set(steps.filter(({ oldState }) => oldState?.protect === true).map(({ urn }) => urn));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const others = errors.filter(({ urn }) => urn === undefined || !refused.has(urn));
  const said = others.map(({ message }) => withoutStack(message));
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
