import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApprovedResource, approvedVariable, refusalFile } from "../../provider/approved";
import { inPrivateFolder } from "../files";
import { reasonsOf } from "./diagnostics";
import { type EngineRun, interruption } from "./run";
import type { ProjectStack } from "./stack";

/** What became of an update. */
export interface UpdateOutcome {
  /** Why it failed; empty where it succeeded. */
  failures: string[];
  /** Whether the engine refused something because the plan has it otherwise, or the provider a value that nobody approved. */
  leftPlan: boolean;
}

/** How the engine begins its refusal of what a plan has otherwise. What follows quotes values, secret ones too. */
const refusal = /(violates plan).*/;

/**
 * Updates a stack within a plan: the engine does nothing that the plan does not have.
 *
 * @param plan as a preview of the same stack returned it
 * @param approved values that the plan does not know, against which the provider holds what it is to send
 * @param onLine called with each line of the engine, without values of the plan
 * @throws InterruptedError
 */
export async function updateWithin(
  stack: ProjectStack,
  plan: string,
  approved: readonly ApprovedResource[],
  onLine: (line: string) => void,
): Promise<UpdateOutcome> {
  return inPrivateFolder(async (folder) => {
    const file = join(folder, "plan.json");
    writeFileSync(file, plan, { mode: 0o600 });
    const approvedFile = join(folder, "approved.json");
    writeFileSync(approvedFile, JSON.stringify(approved), { mode: 0o600 });
    const run = await stack.run(["up", "--yes", "--skip-preview", "--suppress-progress", "--plan", file], {
      env: { [approvedVariable]: approvedFile },
      onLine: (line) => onLine(withoutValues(line)),
    });
    if (run.interrupted) throw interruption("The update was interrupted: part of it may be done.", run);
    return {
      failures: failuresOf(run),
      leftPlan: run.code !== 0 && (existsSync(refusalFile(approvedFile)) || refusal.test(`${run.stdout}\n${run.stderr}`)),
    };
  });
}

function failuresOf(run: EngineRun): string[] {
  return run.code === 0 ? [] : reasonsOf(run).map(withoutValues);
}

function withoutValues(line: string): string {
  return line.replace(refusal, "$1: this is not what its preview showed");
}
