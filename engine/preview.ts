import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reviewed } from "../provider/approved";
import { listOf } from "../provider/compare";
import { objectOf } from "../provider/values";
import { parseJson } from "../common/files";
import { failuresIn } from "./diagnostics";
import {
  type Diagnostic,
  type EngineStep,
  type InputDiff,
  parsedOutput,
  previewIn,
  readPreviewOutput,
  type StackPreview,
} from "./preview-output";
import { engineError, type EngineRun } from "./run";
import type { ProjectStack } from "./stack";
import { type EngineResource, type HeldState } from "./state";
import { secretMask } from "../common/text";
import { UsageError } from "../common/errors";
import { inPrivateFolder } from "./private-files";

/** The error of a failed preview, with the messages of the engine and the program. */
export class PreviewError extends UsageError {
  constructor(
    message: string,
    readonly diagnostics: readonly Diagnostic[] = [],
    readonly steps: readonly EngineStep[] = [],
  ) {
    super(message, "work");
  }
}

export const changesNothing: ReadonlySet<string> = new Set(["same", "read", "refresh"]);

export function changingSteps({ steps }: Pick<StackPreview, "steps">): EngineStep[] {
  return steps.filter(({ op }) => !changesNothing.has(op));
}

/**
 * Previews the next update of a stack.
 *
 * @param what beginning of the error message
 * @throws PreviewError with the engine's reasons; InterruptedError after an interrupt
 */
export async function previewStack(
  stack: ProjectStack,
  what: string,
  args: readonly string[] = [],
  heldState?: Promise<HeldState>,
  env: NodeJS.ProcessEnv = {},
): Promise<StackPreview> {
  const run = await stack.run(["preview", "--json", ...args], { env });
  const resources = (await heldState?.catch(() => undefined))?.resources;
  try {
    return previewOfRun(run, what, resources, stack.project.programFolder);
  } catch (error) {
    if (!(error instanceof PreviewError)) throw error;
    throw new PreviewError((await maskOf(stack))(error.message), error.diagnostics, error.steps);
  }
}

/**
 * Returns the preview that the engine printed. If the engine only refused to change a protected resource, the preview is
 * complete although the engine failed.
 */
export function previewOfRun(
  run: EngineRun,
  what: string,
  engineResources?: readonly EngineResource[],
  folder?: string,
): StackPreview {
  if (run.interrupted) throw engineError(what, run);
  const read = takenOutput(run);
  if (run.code === 0) return previewIn(read, "The text from the engine");
  const preview = readable(read);
  const failures = preview ? failuresIn(preview, engineResources, folder) : [];
  if (preview && failures.length === 0 && preview.steps.some(isRefused)) return preview;
  const message = failures.length > 0 ? `${what}: ${failures.join("; ")}` : engineError(what, run).message;
  throw new PreviewError(message, preview?.diagnostics, preview?.steps);
}

/** Parses the engine's output and then releases the text. The text of a large preview needs a hundred megabytes of memory. */
function takenOutput(run: EngineRun): unknown {
  const read = parsedOutput(run.stdout);
  if (read !== undefined) run.stdout = "";
  return read;
}

/** Reads the output of a failed engine run. Returns undefined if the output does not contain a preview. */
function readable(read: unknown): StackPreview | undefined {
  try {
    return previewIn(read, "");
  } catch {
    return undefined;
  }
}

/**
 * Previews a stack, and returns the preview with the engine's plan and the input changes, including secrets. A resource that
 * would fail with the error `derived-replacement` appears as a replacement.
 */
export async function previewWithSecrets(
  stack: ProjectStack,
  what: string,
  heldState: Promise<HeldState>,
): Promise<StackPreview> {
  // Writing the plan to a file is safe, because the engine encrypts secrets in the plan, and only this user can read the folder.
  return inPrivateFolder(async (folder) => {
    const file = join(folder, "plan.json");
    const args = ["--show-sames", "--show-replacement-steps", "--save-plan", file];
    const preview = await previewStack(stack, what, args, heldState, reviewed);
    // If the engine refuses the preview, the engine does not write a plan.
    if (!existsSync(file)) return preview;
    const plan = readFileSync(file, "utf8");
    return { ...preview, plan, inputDiffs: inputDiffsIn(plan) };
  });
}

/**
 * Reads the output of an earlier `pulumi preview --json`.
 *
 * @throws UsageError if the preview failed, or if the text is not the output of a preview
 */
export function readPreview(text: string, source: string): StackPreview {
  const preview = readPreviewOutput(text, source);
  const failures = failuresIn(preview);
  if (failures.length > 0) throw new UsageError(`The preview failed: ${failures.join("; ")}`, "work");
  return preview;
}

function isRefused({ op, oldState }: EngineStep): boolean {
  return (op === "delete" || op === "replace") && oldState?.protect === true;
}

/** Returns the input changes by the resource's URN, from a plan that `pulumi preview --save-plan` wrote. */
export function inputDiffsIn(plan: string): Map<string, InputDiff> {
  const plans = objectOf(objectOf(parseJson(plan))["resourcePlans"]);
  return new Map(
    Object.entries(plans).map(([urn, resource]) => {
      const { adds, updates, deletes } = objectOf(objectOf(objectOf(resource)["goal"])["inputDiff"]);
      return [urn, { added: { ...objectOf(adds), ...objectOf(updates) }, deleted: listOf(deletes) }];
    }),
  );
}

/** Minimum length of a masked secret, in characters. Masking very short secrets would also mask parts of ordinary text. */
const minSecretLength = 3;
/** Minimum length of a secret that is also masked inside words, in characters. */
const minLengthInsideWords = 8;

/**
 * Returns a function that masks the secrets of the environment and of the stack's configuration. A program may print a secret
 * in an error message, and users publish reports with error messages.
 */
async function maskOf(stack: ProjectStack): Promise<(text: string) => string> {
  const known = [...secretsIn(stack.project.io.env), ...(await configuredSecrets(stack))].filter(
    (secret) => secret.length >= minSecretLength,
  );
  const spelled = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // Longer secrets are masked first, because a longer secret may contain a shorter secret.
  const patterns = [...new Set(spelled)].toSorted((a, b) => b.length - a.length).map(patternOf);
  return (text) => patterns.reduce((shown, pattern) => shown.replace(pattern, secretMask), text);
}

function secretsIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    /(TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|_KEY)$/i.test(name) ? [value] : [],
  );
}

/**
 * Returns the secrets in the stack's configuration. If the engine cannot decrypt the configuration, the result is empty,
 * because the program cannot print encrypted secrets either.
 */
async function configuredSecrets(stack: ProjectStack): Promise<string[]> {
  try {
    const values = Object.values(await stack.wholeConfiguration());
    return values.flatMap(({ value, secret }) => (secret === true && value !== undefined ? [value] : []));
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Returns a pattern that matches a secret. A short secret matches only as a whole word. */
function patternOf(secret: string): RegExp {
  const text = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(secret.length < minLengthInsideWords ? `(?<!\\w)${text}(?!\\w)` : text, "g");
}
