import { InterruptedError } from "../command";
import type { ProjectStack } from "../project";
import { previewOf, type Step } from "../review/preview";

export type { Step };

/** Steps that change nothing. */
const quiet = new Set(["same", "read", "refresh"]);

/**
 * What the engine would do now, in steps that change something. This is the one place of the import that reads a preview.
 *
 * @throws UsageError with the engine's own words where the program cannot be previewed, InterruptedError
 */
export async function previewed(stack: ProjectStack): Promise<Step[]> {
  const run = await stack.run(["preview", "--json"]);
  if (run.interrupted) throw new InterruptedError("Interrupted while the engine previewed the program.");
  return previewOf(run).steps.filter(({ op }) => !quiet.has(op));
}
