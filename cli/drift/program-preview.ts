import { changesNothing, previewStack } from "../engine/preview";
import type { ProjectStack } from "../engine/stack";
import { nameOfUrn } from "../engine/state";
import { operationOf } from "../operation/operation";

/** The operation of the program on each resource, by URN: `same` for no change. Drift is not included. */
export type ProgramOps = ReadonlyMap<string, string>;

/**
 * Previews the program as it is now.
 *
 * @param args more arguments, such as targets
 * @throws UsageError with the engine's reasons if it cannot be previewed
 */
export async function previewProgram(stack: ProjectStack, args: readonly string[] = []): Promise<ProgramOps> {
  const what = `The program of stack ${stack.name} cannot be previewed`;
  const { steps } = operationOf(await previewStack(stack, what, ["--show-sames", ...args]));
  // A resource has several steps if it is refreshed first, or if an older one of its name is deleted. The step that changes it counts.
  const rank = (op: string): number => (op === "same" ? 1 : changesNothing.has(op) ? 0 : 2);
  return new Map(steps.toSorted((a, b) => rank(a.op) - rank(b.op)).map(({ urn, op }) => [urn, op]));
}

/** Changes of the program that wait for an update. */
export function pendingIn(ops: ProgramOps): { op: string; name: string; urn: string }[] {
  return [...ops].flatMap(([urn, op]) => (changesNothing.has(op) ? [] : [{ op, name: nameOfUrn(urn), urn }]));
}
