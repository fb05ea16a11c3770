import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApprovedResource, approvedVariable, refusalFile, reviewed } from "../provider/approved";
import { isObject, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import { reasonOfDiagnostic, summary } from "./diagnostics";
import { type EngineRun, interruption, reasonOfRun } from "./run";
import type { ProjectStack } from "./stack";
import { nameOfUrn } from "./state";
import { inPrivateFolder } from "./private-files";

export interface UpdateStep {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly failed: boolean;
  readonly id?: string | undefined;
}

export interface UpdateFailure {
  /** URN of the failed resource; undefined if the program itself failed. */
  readonly urn?: string;
  /** Reason for the failure, which begins with the resource's name. */
  readonly reason: string;
}

export interface Carried {
  /** Exit code of the engine, and the engine's output without the events. */
  readonly run: EngineRun;
  /** Operations on resources. The create and delete steps of a replacement count as a single operation. */
  readonly steps: readonly UpdateStep[];
  readonly failures: readonly UpdateFailure[];
  readonly isSilent: boolean;
}

/** Runs an engine operation that changes resources or the state. */
export async function carryOut(
  stack: ProjectStack,
  args: readonly string[],
  onStep?: (step: UpdateStep) => void,
  env: NodeJS.ProcessEnv = {},
): Promise<Carried> {
  const events = new Events();
  const finished = await stack.run([...args, "--json"], {
    // `PULUMI_ENABLE_STREAMING_JSON_PREVIEW` makes the engine print a preview as events instead of a single document.
    env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true", ...env },
    keepsOutput: false,
    onLine: (line) => {
      const step = events.read(line);
      if (step?.failed === false) onStep?.(step);
    },
  });
  const run = { ...finished, stdout: events.otherLines.join("\n") };
  const { steps, failures, isSilent } = events;
  if (failures.length > 0 || (run.code === 0 && !run.interrupted)) return { run, steps, failures, isSilent };
  const reason = run.interrupted ? interruption("interrupted.", run).message : reasonOfRun(run);
  return { run, steps, failures: [{ reason }], isSilent };
}

function refusal(name: string): string {
  return `${name}: the engine refused the operation, because it differs from the preview`;
}

/** Matches an error message of the program that only repeats the failure of a resource. */
const echo = /^(?:error: )?Error: resource .* \[.*\] failed to register\n/;

/**
 * Matches the names of the events that the class `Events` reads. Most of the engine's output consists of events that `Events` does not
 * parse.
 */
const readEvent = /"(?:resOutputsEvent|resOpFailedEvent|diagnosticEvent|summaryEvent)":/;

/**
 * Reads the engine's events while the engine is running, and skips the steps of previews. With the option `--json`, the
 * engine prints each event on a separate line.
 */
class Events {
  readonly #steps: UpdateStep[] = [];
  readonly #failures = new Map<string, UpdateFailure>();
  #isFailed = false;
  #hasErrors = false;
  /** Output lines that are not events, such as an error message before the first event. */
  readonly otherLines: string[] = [];

  read(line: string): UpdateStep | undefined {
    if (!line.startsWith("{")) this.otherLines.push(line);
    const event = readEvent.test(line) ? parseJson(line) : undefined;
    if (!isObject(event)) return undefined;
    const { summaryEvent, diagnosticEvent } = event;
    if (isObject(summaryEvent) && summaryEvent["result"] === "failed") this.#isFailed = true;
    if (isObject(diagnosticEvent) && diagnosticEvent["severity"] === "error") this.#hasErrors = true;
    for (const failure of failureIn(event))
      if (!this.#failures.has(failure.reason)) this.#failures.set(failure.reason, failure);
    const [step] = stepOf(event);
    if (step) this.#steps.push(step);
    return step;
  }

  get steps(): UpdateStep[] {
    return byResource(this.#steps);
  }

  get failures(): UpdateFailure[] {
    return [...this.#failures.values()];
  }

  get isSilent(): boolean {
    return this.#isFailed && !this.#hasErrors;
  }
}

/** Reads the engine's events from the output of `--json`, and skips all other lines. */
export function readEvents(printed: string): Pick<Carried, "steps" | "failures"> {
  const events = new Events();
  for (const line of printed.split("\n")) events.read(line);
  const { steps, failures } = events;
  return { steps, failures };
}

function stepOf({ resOpFailedEvent, resOutputsEvent }: Record<string, unknown>): UpdateStep[] {
  const event = resOpFailedEvent ?? resOutputsEvent;
  const metadata = isObject(event) && event["planning"] !== true ? event["metadata"] : undefined;
  if (!isObject(metadata)) return [];
  const [op = "", urn = "", type = ""] = [metadata["op"], metadata["urn"], metadata["type"]].map(stringOf);
  const { old } = metadata;
  return [{ op, urn, type, failed: resOpFailedEvent !== undefined, id: isObject(old) ? stringOf(old["id"]) : undefined }];
}

function failureIn({ diagnosticEvent: diagnostic }: Record<string, unknown>): UpdateFailure[] {
  if (!isObject(diagnostic) || diagnostic["severity"] !== "error") return [];
  const [message, urn] = [stringOf(diagnostic["message"]) ?? "", stringOf(diagnostic["urn"])];
  if (echo.test(message) || summary.test(message.trim())) return [];
  return [{ ...(urn !== undefined && urn !== "" && { urn }), reason: reasonOfDiagnostic({ urn, message }) }];
}

const partsOfReplacement = new Set(["replace", "create-replacement", "import-replacement"]);

/** Combines the create and delete steps of each replacement into one step, as in a preview. */
function byResource(steps: readonly UpdateStep[]): UpdateStep[] {
  const replaced = new Set(steps.flatMap(({ op, id }) => (partsOfReplacement.has(op) ? (id ?? []) : [])));
  const done = steps.flatMap((step): UpdateStep[] => {
    if (partsOfReplacement.has(step.op)) return [{ ...step, op: "replace" }];
    if (step.op !== "delete-replaced") return [step];
    // A `delete-replaced` step without a replacement in the same update completes a replacement that an earlier update began.
    return replaced.has(step.id ?? "") && !step.failed ? [] : [{ ...step, op: "delete" }];
  });
  return [...Map.groupBy(done, ({ op, urn }) => `${op} ${urn}`).values()].flatMap(
    (parts) => parts.find(({ failed }) => failed) ?? parts.at(-1) ?? [],
  );
}

/**
 * Updates a stack according to the plan of a preview. The engine refuses steps that the plan does not contain.
 *
 * @param approved approved values of the inputs that are unknown in the plan. For these inputs, the provider refuses any value that
 * `approved` does not contain
 * @returns the error messages; `leftPlan` is true if the engine or the provider refused a change that was not planned or approved
 * @throws InterruptedError
 */
export async function updateWithin(
  stack: ProjectStack,
  plan: string,
  approved: readonly ApprovedResource[],
  onStep: (step: UpdateStep) => void,
): Promise<{ failures: string[]; leftPlan: boolean }> {
  return inPrivateFolder(async (folder) => {
    const [file, approvedFile] = [join(folder, "plan.json"), join(folder, "approved.json")];
    writeFileSync(file, plan, { mode: 0o600 });
    writeFileSync(approvedFile, JSON.stringify(approved), { mode: 0o600 });
    const onChange = (step: UpdateStep): void => (step.op === "same" ? undefined : onStep(step));
    const args = ["up", "--yes", "--skip-preview", "--plan", file];
    const { run, steps, failures, isSilent } = await carryOut(stack, args, onChange, {
      ...reviewed,
      [approvedVariable]: approvedFile,
    });
    if (run.interrupted) throw interruption("The update was interrupted: part of it may be done.", run);
    if (run.code === 0) return { failures: [], leftPlan: false };
    // If the engine fails without an error message, it refused a change to the stack's outputs.
    if (isSilent) return { failures: [refusal("the outputs of the stack")], leftPlan: true };
    const failed = new Set(steps.flatMap((step) => (step.failed ? [step.urn] : [])));
    // The engine refuses a step outside the plan before it calls the provider. This package replaces the engine's error message, which
    // quotes property values, including secrets.
    const isRefused = (urn = ""): boolean => urn !== "" && !urn.includes("::pulumi:pulumi:Stack::") && !failed.has(urn);
    const reasons = failures.map(({ urn, reason }) => (isRefused(urn) ? refusal(nameOfUrn(urn ?? "")) : reason));
    return {
      failures: [...new Set(reasons)],
      leftPlan: existsSync(refusalFile(approvedFile)) || failures.some(({ urn }) => isRefused(urn)),
    };
  });
}
