import type { PropertyChange } from "../changes";
import type { Held, Position } from "../held";
import { FileAcceptance, type Job, type Outcome } from "./accept-file";
import { locate } from "./locate";
import { ProgramSource } from "./program";
import { References } from "./references";

/** What accepting has to know of a resource of ours. A `Held` is one. */
export type AcceptedResource = Pick<Held, "stack" | "name" | "kind" | "kindName" | "id" | "inputs" | "secrets" | "position">;

/** A property that differs from what the program says: `after` is what the service holds. */
export type AcceptedChange = Pick<PropertyChange, "property" | "how" | "after" | "secret">;

/** A resource, and where reality differs from what the program says of it. */
export interface Reality {
  resource: AcceptedResource;
  /** Empty for a resource that is as declared. */
  changes: readonly AcceptedChange[];
}

/** What a program file becomes. */
export interface FileEdit {
  /** Path from the project's folder. */
  path: string;
  before: string;
  after: string;
}

/** A property that the program says now, or says already, and where: in the text after the edits. */
export interface Placed {
  resource: AcceptedResource;
  property: string;
  position: Position;
}

/** A property that the program goes on saying otherwise. */
export interface Unplaced {
  resource: AcceptedResource;
  property: string;
  /** Why, after "it": `is worked out by an expression`. It never holds a value. */
  reason: string;
  /** What stands in the way, in the text after the edits. */
  position?: Position;
}

export interface Acceptance {
  /** Files that change; nothing is written yet. */
  edits: FileEdit[];
  /** What the edits say. */
  placed: Placed[];
  /** What the program says already, such as after accepting the same before. */
  same: Placed[];
  unplaced: Unplaced[];
}

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
