import { FileAcceptance, type Job, type Outcome } from "./accept-file";
import type { Acceptance, Reality } from "./accepted";
import { locate } from "./locate";
import { ProgramSource } from "./program";
import { References } from "./references";

/**
 * Says in a program what is real: finds the declaration of each resource, and changes the members of its arguments where they
 * are plain values, with everything else byte for byte as it was.
 *
 * @param folder folder of the project
 * @param realities every resource of ours in the stack: those without changes tell which ids the program's references stand for.
 * Of several stacks, those that share a declaration have to agree
 * @throws UsageError where the program cannot be read
 */
export async function accept(folder: string, realities: readonly Reality[]): Promise<Acceptance> {
  return acceptInto(await ProgramSource.read(folder), realities);
}

/** The same for a program that has been read. */
export function acceptInto(source: ProgramSource, realities: readonly Reality[]): Acceptance {
  const acceptance: Acceptance = { edits: [], placed: [], same: [], unplaced: [] };
  const located = realities.map((reality) => ({ ...reality, found: locate(source, reality.resource) }));
  const references = new References(
    source,
    located.map(({ resource, found }) => ({ resource, declaration: "node" in found ? found : undefined })),
  );
  const jobs = new Map<object, Job>();
  for (const { resource, changes, found } of located) {
    if ("node" in found) {
      const job = jobs.get(found) ?? { declaration: found, realities: [] };
      job.realities.push({ resource, changes });
      jobs.set(found, job);
      continue;
    }
    for (const { property } of changes) {
      acceptance.unplaced.push({ resource, property, reason: found.why, ...(found.position && { position: found.position }) });
    }
  }
  const changed = [...jobs.values()].filter((job) => job.realities.some(({ changes }) => changes.length > 0));
  for (const [path, own] of Map.groupBy(changed, ({ declaration }) => declaration.position.file)) {
    const { outcomes, edit } = new FileAcceptance(source, references, path, own).run();
    if (edit) acceptance.edits.push(edit);
    for (const outcome of outcomes) record(acceptance, outcome);
  }
  return acceptance;
}

function record(acceptance: Acceptance, { resource, property, position, result }: Outcome): void {
  if (typeof result === "string") acceptance[result].push({ resource, property, position });
  else acceptance.unplaced.push({ resource, property, reason: result.why, position });
}
