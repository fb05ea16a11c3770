import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, objectOf, type Properties, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import { inPrivateFolder, parseJson } from "../files";
import { failuresIn } from "./diagnostics";
import { type Diagnostic, type EngineStep, type PreviewOutput, readPreviewOutput } from "./preview-output";
import { engineError, type EngineRun } from "./run";
import type { ProjectStack } from "./stack";
import type { EngineResource, HeldState } from "./state";

export interface StackPreview {
  /** Names of stack and project; empty where the preview has no step. */
  stack: string;
  project: string;
  steps: EngineStep[];
  /** The plan of this preview as the engine wrote it, secrets encrypted. Absent of a preview that was given, or refused. */
  plan?: string;
  /** Changes of inputs in the plan, by URN. A preview masks secrets, and the plan shows which of them change. Absent without a plan. */
  inputDiffs?: ReadonlyMap<string, InputDiff> | undefined;
  /** The setting `adopt` as the stack has it; absent where it has none. */
  adopt?: string;
  /** Whether the stack has the setting that replacements create first, which the classes of this package hand to the engine. */
  createsFirst?: boolean;
}

/** A preview that failed, with the run of the engine and what it reported on the way. */
export class PreviewError extends UsageError {
  constructor(
    message: string,
    readonly run: EngineRun,
    readonly diagnostics: readonly Diagnostic[] = [],
  ) {
    super(message, "work");
  }
}

/** Operations that leave a resource as it is. */
export const changesNothing: ReadonlySet<string> = new Set(["same", "read", "refresh"]);

export function changingSteps({ steps }: Pick<StackPreview, "steps">): EngineStep[] {
  return steps.filter(({ op }) => !changesNothing.has(op));
}

/**
 * Has the engine preview the program of a stack.
 *
 * @param what begins the message of a failure
 * @param held the state, by which a failure says where the program declares a resource
 * @throws PreviewError with the engine's reasons, InterruptedError
 */
export async function previewStack(
  stack: ProjectStack,
  what: string,
  args: readonly string[] = [],
  held?: Promise<HeldState>,
): Promise<StackPreview> {
  const run = await stack.run(["preview", "--json", ...args]);
  return previewOfRun(run, what, (await held?.catch(() => undefined))?.resources);
}

/**
 * The preview that a run printed. The engine refuses to delete or replace what is protected, and goes on with the rest: such a
 * preview is complete.
 */
export function previewOfRun(run: EngineRun, what: string, held?: readonly EngineResource[]): StackPreview {
  if (run.code === 0 && !run.interrupted) return previewIn(readPreviewOutput(run.stdout, "What the engine printed"), what, run);
  if (run.interrupted) throw engineError(what, run);
  try {
    const preview = previewIn(readPreviewOutput(run.stdout, what), what, run, held);
    if (preview.steps.some(isRefused)) return preview;
  } catch (error) {
    if (error instanceof PreviewError) throw error;
  }
  // The output is no preview, or has no reason for the failure. The errors of the run have it.
  throw new PreviewError(engineError(what, run).message, run);
}

/** Like `previewStack`, with the plan of the update and the inputs that change, secret ones too. */
export async function previewWithSecrets(stack: ProjectStack, what: string, held: Promise<HeldState>): Promise<StackPreview> {
  // The values in a plan are encrypted, and it lies in a folder of this user's own, as long as it is needed.
  return inPrivateFolder(async (folder) => {
    const file = join(folder, "plan.json");
    const preview = await previewStack(stack, what, ["--show-sames", "--show-replacement-steps", "--save-plan", file], held);
    // The engine writes none of a preview that it refused.
    if (!existsSync(file)) return preview;
    const plan = readFileSync(file, "utf8");
    return { ...preview, plan, inputDiffs: inputDiffsIn(plan) };
  });
}

/**
 * Reads what `pulumi preview --json` printed before.
 *
 * @param source what messages call it
 * @throws UsageError where it is something else, or a preview that failed for any other reason than protection
 */
export function readPreview(text: string, source: string): StackPreview {
  return previewIn(readPreviewOutput(text, source), "The preview failed");
}

function previewIn(output: PreviewOutput, what: string, run?: EngineRun, held?: readonly EngineResource[]): StackPreview {
  const failures = failuresIn(output, held);
  if (failures.length > 0) {
    const message = `${what}: ${failures.join("; ")}`;
    throw run ? new PreviewError(message, run, output.diagnostics) : new UsageError(message, "work");
  }
  const { steps, config = {} } = output;
  const [, , stack = "", project = ""] = /^urn:(pulumi):([^:]*)::([^:]*)::/.exec(steps[0]?.urn ?? "") ?? [];
  const adopt = stringOf(config["endpoint-monitoring:adopt"]);
  const createsFirst = config["endpoint-monitoring:replaceOrder"] === "create-first";
  return { stack, project, steps: ordered(steps), createsFirst, ...(adopt !== undefined && { adopt }) };
}

/** The steps with each replacement as one, and in which order its parts come, where they are shown. A deletion that waits stays one. */
function ordered(steps: readonly EngineStep[]): EngineStep[] {
  const replaced = new Set(steps.flatMap(({ op, oldState }) => (op === "replace" ? (oldState?.id ?? []) : [])));
  const isWaiting = ({ op, oldState }: EngineStep): boolean =>
    op === "delete-replaced" && oldState?.delete === true && !replaced.has(oldState.id ?? "");
  const parts = steps.filter((step) => /^(create-replacement|delete-replaced)$/.test(step.op) && !isWaiting(step));
  // The first part of each comes last, so that it counts.
  const firsts = new Map(parts.toReversed().map(({ urn, op }) => [urn, op]));
  const isPart = new Set(parts);
  return steps
    .filter((step) => !isPart.has(step))
    .map((step) => {
      const first = step.op === "replace" ? firsts.get(step.urn) : undefined;
      return first === undefined ? step : { ...step, createsFirst: first === "create-replacement" };
    });
}

function isRefused({ op, oldState }: EngineStep): boolean {
  return (op === "delete" || op === "replace") && oldState?.protect === true;
}

/** Changes of inputs between the state and a plan. Secrets are encrypted. */
export interface InputDiff {
  /** New values, of inputs that are added or updated. */
  added: Properties;
  deleted: string[];
}

/** Reads the file of `pulumi preview --save-plan`, by URN. @returns nothing where the text is no plan */
export function inputDiffsIn(text: string): Map<string, InputDiff> | undefined {
  const plan = parseJson(text);
  if (!isObject(plan)) return undefined;
  const plans = objectOf(plan["resourcePlans"]);
  return new Map(Object.entries(plans).map(([urn, resource]) => [urn, inputDiffOf(resource)]));
}

/** Added and updated values stand under their names; deleted ones have only their names. */
function inputDiffOf(resource: unknown): InputDiff {
  const goal = isObject(resource) ? resource["goal"] : undefined;
  const diff = objectOf(objectOf(goal)["inputDiff"]);
  const { adds, updates, deletes } = diff;
  return {
    added: { ...objectOf(adds), ...objectOf(updates) },
    deleted: Array.isArray(deletes) ? deletes.map(String) : [],
  };
}
