import { records } from "../../provider/registry";
import type { Planned } from "./planned";

/**
 * Why a delete leaves what it is of in the service, as a sentence; nothing of one that really deletes it.
 *
 * An option of the resource may say so, or its kind.
 */
export function whyForgotten(planned: Planned): string | undefined {
  const { op, kind, old, retained } = planned;
  if (op !== "delete" || !old) return undefined;
  if (retained) return `the ${kind.noun} stays in the service`;
  if (kind.reach?.means === "agents") {
    const removal = kind.reach.removal(old.id, old.outputs);
    if (removal.some(({ deleted }) => deleted)) return undefined;
    if (removal.some(({ enabled }) => enabled === false)) return "the agent stays in the service, disabled";
    return "nothing changes in the service";
  }
  // What cannot be listed is no record.
  return kind.origin === undefined ? "the service keeps nothing of it that could be deleted" : undefined;
}

/** What a replacement costs, as a part of a sentence. */
export function replacementCost({ kind, kindName, retained }: Planned): string {
  // Of other kinds a replacement deletes nothing.
  const leaves = retained && Object.hasOwn(records, kindName);
  return leaves ? `the old ${kind.noun} is forgotten and stays in the service beside the new one` : kind.replacementCost;
}
