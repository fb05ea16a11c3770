import type { ManagedResource, Position } from "../engine/state";
import { accept } from "../source/accept";
import type { AcceptedChange, AcceptedResource, FileEdit, Unplaced } from "../source/accepted";

/** A resource of a stack, and what of it differs from the program. */
export interface Wish {
  held: ManagedResource;
  /** Empty where it is as declared, or where that is not known. */
  changes: readonly AcceptedChange[];
}

/** Why a resource is not accepted, and what stands in the way. */
export interface Hindrance {
  reason: string;
  position?: Position;
}

export interface WholeAcceptance {
  edits: FileEdit[];
  /** The resources that the program declares as they are after the edits, with where it declares them. */
  accepted: Map<ManagedResource, Position | undefined>;
  left: Map<ManagedResource, Hindrance>;
}

/**
 * Says in the program what is real of the resources that can be placed whole: of one that is placed in part, the rest would become a
 * change of the program that nobody made, and the next update would undo it.
 *
 * @throws UsageError where the program cannot be read
 */
export async function acceptWhole(folder: string, wishes: readonly Wish[]): Promise<WholeAcceptance> {
  const managedOf = new Map<AcceptedResource, ManagedResource>(wishes.map(({ held }) => [held, held]));
  const hindered = new Map<ManagedResource, Unplaced[]>();
  for (;;) {
    const realities = wishes.map(({ held, changes }) => ({ resource: held, changes: hindered.has(held) ? [] : changes }));
    const { edits, placed, same, unplaced } = await accept(folder, realities);
    for (const one of unplaced) {
      const held = managedOf.get(one.resource);
      if (held) hindered.set(held, [...(hindered.get(held) ?? []), one]);
    }
    // Each round leaves out at least one resource more.
    if (unplaced.length > 0) continue;
    const accepted = new Map<ManagedResource, Position | undefined>();
    for (const { resource, position } of [...placed, ...same]) {
      const held = managedOf.get(resource);
      if (held && !accepted.has(held)) accepted.set(held, position);
    }
    return { edits, accepted, left: new Map([...hindered].map(([held, why]) => [held, hindranceOf(why)])) };
  }
}

function hindranceOf(unplaced: readonly Unplaced[]): Hindrance {
  const position = unplaced.find((one) => one.position)?.position;
  return { reason: unplaced.map(({ property, reason }) => `${property} ${reason}`).join("; "), ...(position && { position }) };
}
