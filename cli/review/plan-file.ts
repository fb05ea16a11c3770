import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../provider/values";

/** Names of the inputs that are declared otherwise than the state has them, secret ones too, by URN. */
export type ChangedInputs = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The file that `pulumi preview --save-plan` writes: beside a preview that has the same mask for every secret it tells which of them
 * change. Their values in it are encrypted, and it lies in a folder of this user's own, as long as it is needed.
 */
export class PlanFile {
  readonly #folder = mkdtempSync(join(tmpdir(), "endpoint-monitoring-"));
  readonly path = join(this.#folder, "plan.json");

  /** What it says; nothing where the engine has not written one, as of a preview that it refused. */
  read(): ChangedInputs | undefined {
    try {
      return changedInputs(JSON.parse(readFileSync(this.path, "utf8")));
    } catch {
      // A review without it says which secrets it can't see.
      return undefined;
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function changedInputs(plan: unknown): ChangedInputs {
  const plans = isObject(plan) && isObject(plan["resourcePlans"]) ? plan["resourcePlans"] : {};
  return new Map(Object.entries(plans).map(([urn, resource]) => [urn, new Set(namesIn(inputDiffOf(resource)))]));
}

function inputDiffOf(resource: unknown): unknown {
  const goal = isObject(resource) ? resource["goal"] : undefined;
  return isObject(goal) ? goal["inputDiff"] : undefined;
}

/** Values that are added and updated stand under their names; of deleted ones only the names are there. */
function namesIn(diff: unknown): string[] {
  if (!isObject(diff)) return [];
  const { adds, updates, deletes } = diff;
  return [...(Array.isArray(deletes) ? deletes.map(String) : []), ...[adds, updates].filter(isObject).flatMap(Object.keys)];
}
