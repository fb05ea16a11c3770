import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApprovedResource, approvedVariable, refusalFile } from "../../provider/approved";
import { isObject, stringOf } from "../../provider/values";
import { inPrivateFolder, parseJson } from "../files";
import { reasonOfDiagnostic, summary } from "./diagnostics";
import { type EngineRun, interruption, reasonOfRun } from "./run";
import type { ProjectStack } from "./stack";
import { nameOfUrn } from "./state";

/** Something that was done to a resource, or could not be done. */
export interface UpdateStep {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly failed: boolean;
  /** Id that it had before, if it had one. */
  readonly id?: string | undefined;
}

/** The reason why a part of it failed. */
export interface UpdateFailure {
  /** Resource that it is about; absent where it is about the program. */
  readonly urn?: string;
  /** With the resource's name before it. */
  readonly reason: string;
}

/** An update, a refresh, an import or a destruction, as far as it came. */
export interface Carried {
  readonly run: EngineRun;
  readonly steps: readonly UpdateStep[];
  /** Empty where it succeeded. */
  readonly failures: readonly UpdateFailure[];
}

/**
 * Has the engine carry something out.
 *
 * @param onStep called with each resource that is done
 */
export async function carryOut(
  stack: ProjectStack,
  args: readonly string[],
  onStep: (step: UpdateStep) => void = () => undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<Carried> {
  const run = await stack.run([...args, "--json"], {
    // Else a preview that comes first would print no events, but a document of its own.
    env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true", ...env },
    onLine: (line) => {
      const [step] = line.includes('"resOutputsEvent":') ? readEvents(line).steps : [];
      if (step) onStep(step);
    },
  });
  const { steps, failures } = readEvents(run.stdout);
  if (failures.length > 0 || (run.code === 0 && !run.interrupted)) return { run, steps, failures };
  const reason = run.interrupted ? interruption("interrupted.", run).message : reasonOfRun(run);
  return { run, steps, failures: [{ reason }] };
}

/** The program repeats each failure of a resource by such a message. */
const echo = /^(?:error: )?Error: resource .* \[.*\] failed to register\n/;

/** Reads the events that `--json` prints, one a line. Lines that are none are left out, and so is what a preview only plans. */
export function readEvents(printed: string): Pick<Carried, "steps" | "failures"> {
  const events = printed.split("\n").map(parseJson).filter(isObject);
  const found = events.flatMap(failureIn);
  const failures = found.filter(({ reason }, at) => found.findIndex((one) => one.reason === reason) === at);
  return { steps: events.flatMap(stepOf), failures };
}

function stepOf({ resOpFailedEvent, resOutputsEvent }: Record<string, unknown>): UpdateStep[] {
  const given = resOpFailedEvent ?? resOutputsEvent;
  const metadata = isObject(given) && given["planning"] !== true ? given["metadata"] : undefined;
  if (!isObject(metadata)) return [];
  const [op = "", urn = "", type = ""] = [metadata["op"], metadata["urn"], metadata["type"]].map(stringOf);
  const { old } = metadata;
  return [{ op, urn, type, failed: resOpFailedEvent !== undefined, id: isObject(old) ? stringOf(old["id"]) : undefined }];
}

function failureIn({ diagnosticEvent: diagnostic }: Record<string, unknown>): UpdateFailure[] {
  if (!isObject(diagnostic) || diagnostic["severity"] !== "error") return [];
  const [message, urn] = [stringOf(diagnostic["message"]) ?? "", stringOf(diagnostic["urn"])];
  if (echo.test(message) || summary.test(message.trim())) return [];
  return [{ ...(urn !== undefined && urn !== "" && { urn }), reason: reasonOfDiagnostic({ urn, message, severity: "error" }) }];
}

const partsOfReplacement = new Set(["replace", "create-replacement", "import-replacement"]);

/** Sums up the steps of an update, one for each resource, in the words of a preview: the parts of a replacement are one. */
export function carriedOut(steps: readonly UpdateStep[]): UpdateStep[] {
  const replaced = new Set(steps.flatMap(({ op, id }) => (partsOfReplacement.has(op) ? (id ?? []) : [])));
  const done = steps.flatMap((step): UpdateStep[] => {
    if (partsOfReplacement.has(step.op)) return [{ ...step, op: "replace" }];
    if (step.op !== "delete-replaced") return [step];
    // Without a replacement, an earlier update left it to be deleted.
    return replaced.has(step.id ?? "") && !step.failed ? [] : [{ ...step, op: "delete" }];
  });
  return [...Map.groupBy(done, ({ op, urn }) => `${op} ${urn}`).values()].flatMap(
    (parts) => parts.find(({ failed }) => failed) ?? parts.at(-1) ?? [],
  );
}

export interface UpdateOutcome {
  /** Reasons of a failure. Empty if the update succeeded. */
  failures: string[];
  /** Whether the engine refused something because the plan has it otherwise, or the provider a value that nobody approved. */
  leftPlan: boolean;
}

/**
 * Updates a stack within a plan: the engine does nothing that the plan does not have.
 *
 * @param plan as a preview of the same stack returned it
 * @param approved values that the plan does not know, against which the provider holds what it is to send
 * @param onStep called with each resource that changed
 * @throws InterruptedError
 */
export async function updateWithin(
  stack: ProjectStack,
  plan: string,
  approved: readonly ApprovedResource[],
  onStep: (step: UpdateStep) => void,
): Promise<UpdateOutcome> {
  return inPrivateFolder(async (folder) => {
    const [file, approvedFile] = [join(folder, "plan.json"), join(folder, "approved.json")];
    writeFileSync(file, plan, { mode: 0o600 });
    writeFileSync(approvedFile, JSON.stringify(approved), { mode: 0o600 });
    const onChange = (step: UpdateStep): void => (step.op === "same" ? undefined : onStep(step));
    const args = ["up", "--yes", "--skip-preview", "--plan", file];
    const { run, steps, failures } = await carryOut(stack, args, onChange, { [approvedVariable]: approvedFile });
    if (run.interrupted) throw interruption("The update was interrupted: part of it may be done.", run);
    if (run.code === 0) return { failures: [], leftPlan: false };
    const failed = new Set(steps.flatMap((step) => (step.failed ? [step.urn] : [])));
    // The engine refuses steps outside its plan before it asks the provider. Its message quotes values, secret ones too.
    const isRefused = (urn = ""): boolean => urn !== "" && !urn.includes("::pulumi:pulumi:Stack::") && !failed.has(urn);
    const reasons = failures.map(({ urn, reason }) =>
      isRefused(urn) ? `${nameOfUrn(urn ?? "")}: the engine refused it, as this is not what its preview showed` : reason,
    );
    return {
      failures: [...new Set(reasons)],
      leftPlan: existsSync(refusalFile(approvedFile)) || failures.some(({ urn }) => isRefused(urn)),
    };
  });
}
