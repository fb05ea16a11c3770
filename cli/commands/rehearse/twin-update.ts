import { previewStack } from "../../../engine/preview";
import { kindNameOf, nameOfUrn } from "../../../engine/state";
import { stackReference, TwinStack } from "../../../engine/twin-stack";
import type { UpdateFailure, UpdateStep } from "../../../engine/update";
import type { Output } from "../../report/output";
import { counted, few } from "../../../common/text";
import type { Rehearsal } from "./report";
import { UsageError } from "../../../common/errors";
import { operationOf } from "../../../plan/steps";

const maxPasses = 5;

/**
 * Finds all failures of an update. A failure can end the program early, so the function repeats the update without the failed resources.
 */
export async function allFailures(
  stack: TwinStack,
  targets: readonly string[],
  first: readonly UpdateFailure[],
  out: Output,
): Promise<UpdateFailure[]> {
  const failures = [...first];
  let fresh = first;
  // The engine does not accept `--exclude` together with `--target`.
  for (let pass = 0; pass < maxPasses && targets.length === 0 && fresh.some(({ urn }) => urn !== undefined); pass += 1) {
    out.progress("Looking for further failures");
    const failed = new Set(failures.flatMap(({ urn }) => urn ?? []));
    const update = await stack.update([...[...failed].flatMap((urn) => ["--exclude", urn]), "--exclude-dependents"]);
    fresh = update.failures.filter(({ reason }) => failures.every((failure) => failure.reason !== reason));
    for (const failure of fresh) failures.push(failure);
  }
  return failures;
}

/**
 * Checks that the rehearsal contains all stacks that the program reads. A real update can read stacks that are missing from the rehearsal.
 * @throws UsageError if the program reads a stack that was not copied
 */
export function requireReferences(steps: readonly UpdateStep[]): void {
  const missing = steps.filter(({ type, failed }) => failed && type === stackReference).map(({ urn }) => nameOfUrn(urn));
  if (missing.length === 0) return;
  throw new UsageError(
    `The program reads ${few(missing)}. A rehearsal can copy a referenced stack only from a file backend, and only if the last update read the stack`,
    "work",
  );
}

export function isDone({ type, failed }: UpdateStep): boolean {
  return !failed && kindNameOf(type) !== undefined;
}

export function tally(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, occurrences]) => [word, occurrences.length]));
}

export async function secondUpdate(stack: TwinStack, targets: readonly string[], out: Output): Promise<Rehearsal["second"]> {
  out.progress("Previewing a second update");
  const { own } = operationOf(await previewStack(stack, "A second update would fail", targets));
  return own.filter(({ op }) => op !== "same").map(({ op, urn, name }) => ({ op, urn, name }));
}

export async function destroyNew(stack: TwinStack, steps: readonly UpdateStep[], out: Output): Promise<Rehearsal["destroy"]> {
  const created = steps.filter((step) => isDone(step) && step.op === "create").map(({ urn }) => urn);
  if (created.length === 0) return undefined;
  out.progress(`Destroying ${counted(created.length, "new resource")} of the copy`);
  const { failures, steps: done } = await stack.destroy(created);
  const deleted = done.filter(({ op, urn, failed }) => op === "delete" && !failed && created.includes(urn));
  return { resources: created.length, deleted: deleted.length, failures };
}
