import { changingSteps, previewStack } from "../engine/preview";
import type { ProjectStack } from "../engine/stack";
import { nameOfUrn } from "../engine/state";

/** What a plain preview shows: no drift is in it, only what the program would change. */
export interface ProgramPreview {
  /** Changes of the program that wait for an update. */
  pending: { op: string; name: string; urn: string }[];
  same: ReadonlySet<string>;
}

const replacementOps = new Set(["create-replacement", "delete-replaced"]);

/**
 * Previews the program as it is now.
 *
 * @param args more arguments, such as targets
 * @throws UsageError with the engine's reasons where it cannot be previewed
 */
export async function previewProgram(stack: ProjectStack, args: readonly string[] = []): Promise<ProgramPreview> {
  const what = `The program of stack ${stack.name} cannot be previewed`;
  const preview = await previewStack(stack, what, ["--show-sames", ...args]);
  const ops = new Map(changingSteps(preview).map(({ urn, op }) => [urn, replacementOps.has(op) ? "replace" : op]));
  const unchanged = preview.steps.filter(({ op, urn }) => op === "same" && !ops.has(urn));
  return {
    pending: [...ops].map(([urn, op]) => ({ op, name: nameOfUrn(urn), urn })),
    same: new Set(unchanged.map(({ urn }) => urn)),
  };
}
