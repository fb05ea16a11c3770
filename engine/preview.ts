import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reviewed } from "../provider/approved";
import { listOf } from "../provider/compare";
import { objectOf } from "../provider/values";
import { parseJson } from "../common/files";
import { failuresIn } from "./diagnostics";
import { type Diagnostic, type EngineStep, type InputDiff, readPreviewOutput, type StackPreview } from "./preview-output";
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
    /** Steps that the engine planned before it failed. */
    readonly steps: readonly EngineStep[] = [],
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
 * @param heldState the state, from which a failure takes the place of a resource
 * @param env variables for the engine and its providers, beyond those of this process
 * @throws PreviewError with the engine's reasons, InterruptedError
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
 * Returns the preview that a run printed. If the engine refuses to delete or replace a protected resource, the run fails, and the
 * preview is complete all the same.
 */
export function previewOfRun(
  run: EngineRun,
  what: string,
  engineResources?: readonly EngineResource[],
  folder?: string,
): StackPreview {
  if (run.interrupted) throw engineError(what, run);
  if (run.code === 0) return readPreviewOutput(run.stdout, "What the engine printed");
  const preview = readableOutput(run.stdout);
  const failures = preview ? failuresIn(preview, engineResources, folder) : [];
  if (preview && failures.length === 0 && preview.steps.some(isRefused)) return preview;
  const message = failures.length > 0 ? `${what}: ${failures.join("; ")}` : engineError(what, run).message;
  throw new PreviewError(message, preview?.diagnostics, preview?.steps);
}

/** Reads the output of a run that failed, which may have printed no preview. */
function readableOutput(text: string): StackPreview | undefined {
  try {
    return readPreviewOutput(text, "");
  } catch {
    return undefined;
  }
}

/**
 * Previews like `previewStack`, and returns the plan of the update and the changes of inputs, including secret ones. A review decides about
 * the preview, so a replacement that the program did not ask for is one of its steps.
 */
export async function previewWithSecrets(
  stack: ProjectStack,
  what: string,
  heldState: Promise<HeldState>,
): Promise<StackPreview> {
  // The engine encrypts the values in a plan, and the folder belongs to this user.
  return inPrivateFolder(async (folder) => {
    const file = join(folder, "plan.json");
    const args = ["--show-sames", "--show-replacement-steps", "--save-plan", file];
    const preview = await previewStack(stack, what, args, heldState, reviewed);
    // The engine writes no plan for a preview that it refused.
    if (!existsSync(file)) return preview;
    const plan = readFileSync(file, "utf8");
    return { ...preview, plan, inputDiffs: inputDiffsIn(plan) };
  });
}

/**
 * Reads the output of an earlier `pulumi preview --json`.
 *
 * @param source the name of the text in messages
 * @throws UsageError if it is anything else, or a preview that failed for another reason than protection
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

/** Reads the changes of inputs from a file of `pulumi preview --save-plan`, by URN. */
export function inputDiffsIn(plan: string): Map<string, InputDiff> {
  const plans = objectOf(objectOf(parseJson(plan))["resourcePlans"]);
  return new Map(
    Object.entries(plans).map(([urn, resource]) => {
      const { adds, updates, deletes } = objectOf(objectOf(objectOf(resource)["goal"])["inputDiff"]);
      return [urn, { added: { ...objectOf(adds), ...objectOf(updates) }, deleted: listOf(deletes) }];
    }),
  );
}

/** Characters of a secret: a shorter one would blank out ordinary words. The engine hides its own from the same length on. */
const minSecretLength = 3;
/** Characters of a secret that is hidden inside of words, too. */
const minLengthInsideWords = 8;

/**
 * Returns a function that masks the secrets of the environment and of the stack's configuration, as text, JSON and URLs write them: a
 * program may write them into an error of its own, and reports are published.
 */
async function maskOf(stack: ProjectStack): Promise<(text: string) => string> {
  const known = [...secretsIn(stack.project.io.env), ...(await configuredSecrets(stack))].filter(
    (secret) => secret.length >= minSecretLength,
  );
  const spelled = known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first: one may be a part of another.
  const all = [...new Set(spelled)].toSorted((a, b) => b.length - a.length).map(patternOf);
  return (text) => all.reduce((shown, pattern) => shown.replace(pattern, secretMask), text);
}

function secretsIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    /(TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|_KEY)$/i.test(name) ? [value] : [],
  );
}

/** Returns no secrets if the configuration cannot be read: then the engine could not open them either. */
async function configuredSecrets(stack: ProjectStack): Promise<string[]> {
  try {
    const values = Object.values(await stack.wholeConfiguration());
    return values.flatMap(({ value, secret }) => (secret === true && value !== undefined ? [value] : []));
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** A short secret counts as a whole word only: it may be a part of any other. */
function patternOf(secret: string): RegExp {
  const text = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(secret.length < minLengthInsideWords ? `(?<!\\w)${text}(?!\\w)` : text, "g");
}
