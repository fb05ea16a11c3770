import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApprovedResource, approvedVariable, refusalFile } from "../../provider/approved";
import { inPrivateFolder } from "../files";
import { engineError, interruption } from "./run";
import type { ProjectStack } from "./stack";
import { nameOfUrn } from "./state";
import { readUpdateEvents, stepIn, type UpdateStep } from "./update-events";

/** What became of an update. */
export interface UpdateOutcome {
  /** Why it failed; empty where it succeeded. */
  failures: string[];
  /** Whether the engine refused something because the plan has it otherwise, or the provider a value that nobody approved. */
  leftPlan: boolean;
}

/**
 * Updates a stack within a plan: the engine does nothing that the plan does not have.
 *
 * @param plan as a preview of the same stack returned it
 * @param approved values that the plan does not know, against which the provider holds what it is to send
 * @param onStep called with each resource that is done
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
    const run = await stack.run(["up", "--yes", "--skip-preview", "--json", "--plan", file], {
      env: { [approvedVariable]: approvedFile },
      onLine: (line) => {
        for (const step of stepIn(line)) if (step.op !== "same" && !step.failed) onStep(step);
      },
    });
    if (run.interrupted) throw interruption("The update was interrupted: part of it may be done.", run);
    if (run.code === 0) return { failures: [], leftPlan: false };
    const { steps, failures } = readUpdateEvents(run.stdout);
    const failed = new Set(steps.flatMap((step) => (step.failed ? [step.urn] : [])));
    // What the engine refuses before it asks the provider is not in its plan. Its words quote values, secret ones too.
    const isRefused = (urn = ""): boolean => urn !== "" && !urn.includes("::pulumi:pulumi:Stack::") && !failed.has(urn);
    const reasons = failures.map(({ urn, reason }) =>
      isRefused(urn) ? `${nameOfUrn(urn ?? "")}: the engine refused it, as this is not what its preview showed` : reason,
    );
    return {
      failures: reasons.length > 0 ? [...new Set(reasons)] : [engineError("pulumi up", run).message],
      leftPlan: existsSync(refusalFile(approvedFile)) || failures.some(({ urn }) => isRefused(urn)),
    };
  });
}
