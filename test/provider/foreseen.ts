/**
 * Compares a review with the following update, only by state and service before and afterwards, not by the engine's reports.
 */
import type { Held } from "./engine-model";
import type { ResourceData, Review } from "../../plan/judge/review";

/** A resource of ours in the state of a stack. */
type StateEntry = Pick<Held, "urn" | "id" | "delete" | "pendingReplacement">;

/** State and service at one point in time. */
export interface Observed {
  state: readonly StateEntry[];
  /** Each record and agent of the service by id, as text without times. */
  records: ReadonlyMap<string, string>;
}

/**
 * Compares each statement of a review, and its omissions, with the result.
 *
 * @param isDone whether the update succeeded. In a failed update, each part may be left undone, and nothing else may happen
 * @param targeted whether the update had targets. The engine previews all other resources as the same and asks no provider
 * about them, so a record that one of them manages is shared instead of rejected, as the review adds
 * @param refreshed whether the update refreshed first, which removes resources without a record from the state. The preview of
 * such an update only shows that it reads them
 * @param counts counts the compared statements
 * @returns the differences from the review
 */
export function disagreements(
  { resources }: Review,
  before: Observed,
  after: Observed,
  { isDone, targeted, refreshed }: { isDone: boolean; targeted: boolean; refreshed: boolean },
  counts: Record<string, number>,
): string[] {
  const wrong = resources.flatMap((resource) => {
    const what =
      resource.forgotten === undefined
        ? resource.creation && resource.creation.how !== "none"
          ? resource.creation.how
          : resource.op
        : "forget";
    counts[what] = (counts[what] ?? 0) + 1;
    const done =
      isAsPredicted(resource, what, before, after) ||
      ((targeted || !isDone) && what === "managed" && isShared(resource, after));
    return done || (!isDone && isLeft(resource, before, after))
      ? []
      : [`${what} of ${resource.urn} (${resource.id}): ${happened(resource, before, after)}`];
  });
  return [...wrong, ...unforeseen(resources, refreshed ? withRecords(before) : before, after, counts)];
}

const entryOf = ({ state }: Observed, urn: string): StateEntry | undefined =>
  state.find((entry) => entry.urn === urn && entry.delete !== true && entry.pendingReplacement !== true);

function isAsPredicted(resource: ResourceData, what: string, before: Observed, after: Observed): boolean {
  const { urn, id = "", kind } = resource;
  const now = entryOf(after, urn);
  // A pending deletion of an earlier update may have the name, and the record, of a kept resource.
  const isHeld = after.state.some(
    (entry) => entry.urn === urn && entry.id === id && (!resource.pending || entry.delete === true),
  );
  const isThere = now !== undefined && after.records.has(now.id);
  switch (what) {
    case "create":
      // An agent exists before a program adopts it.
      return isThere && (kind === "endpointAgent" || !before.records.has(now.id));
    case "adopt":
      return isThere && now.id === id && before.records.has(id);
    case "update":
    case "options":
      return isThere && now.id === id;
    case "replace": {
      const isAgent = kind === "endpointAgent";
      const stays = isAgent || /stays in the service/.test(resource.cost ?? "");
      // The replacement of an agent may adopt the same agent.
      const isReplaced = !isHeld || (isAgent && now?.id === id);
      return isThere && isReplaced && after.records.has(id) === (stays && before.records.has(id));
    }
    case "delete":
      return !isHeld && !after.records.has(id);
    case "forget":
      return !isHeld && after.records.has(id) === before.records.has(id);
    case "identical":
    case "several":
    case "managed":
    case "differs":
      // The update fails at it.
      return now === undefined;
    default:
      // The review reports that it does not know.
      return true;
  }
}

/**
 * Whether a create adopted a record that another resource manages. An update with other targets asks no provider about that
 * resource. In a parallel update, the create may come first, so that the update fails at that resource instead.
 */
function isShared({ urn, creation }: ResourceData, after: Observed): boolean {
  const id = entryOf(after, urn)?.id ?? "";
  return creation?.ids?.includes(id) === true && after.state.filter((entry) => entry.id === id).length > 1;
}

/** Whether a failed update left a part undone: all of it, or the second half of a replacement. */
function isLeft({ urn, previousUrn = urn, id = "", op }: ResourceData, before: Observed, after: Observed): boolean {
  if (op === "replace") return true;
  // An alias moves a resource in the state even if the update fails afterwards.
  const now = entryOf(after, previousUrn) ?? entryOf(after, urn);
  return entryOf(before, previousUrn)?.id === now?.id && before.records.has(id) === after.records.has(id);
}

function withRecords({ state, records }: Observed): Observed {
  return { state: state.filter(({ id }) => records.has(id)), records };
}

/** Returns changes that the review did not mention. */
function unforeseen(
  resources: readonly ResourceData[],
  before: Observed,
  after: Observed,
  counts: Record<string, number>,
): string[] {
  const [ids, urns] = [new Set(resources.map(({ id }) => id)), new Map(resources.map((resource) => [resource.urn, resource]))];
  const named = JSON.stringify(resources);
  const records = [...before.records].flatMap(([id, text]) => {
    // A property names the agent by its id.
    if (ids.has(id) || named.includes(id)) return [];
    counts["nothing"] = (counts["nothing"] ?? 0) + 1;
    return after.records.get(id) === text
      ? []
      : [`nothing of record ${id}: it was ${text}, and is ${after.records.get(id) ?? "gone"}`];
  });
  const made = [...after.records.keys()].filter((id) => !before.records.has(id));
  const makers = new Map(after.state.map((entry) => [entry.id, urns.get(entry.urn)?.op ?? "nothing"]));
  const strange = made.filter((id) => !/create|replace/.test(makers.get(id) ?? "nothing"));
  const [had, has] = [before, after].map(({ state }) => new Set(state.map(({ id }) => id))) as [Set<string>, Set<string>];
  const earlier = new Set(resources.flatMap((resource) => [resource.from?.urn, resource.previousUrn]));
  const entries = [
    // The record of a pending replacement was already deleted.
    ...before.state.filter(
      ({ id, urn, pendingReplacement }) => !pendingReplacement && !has.has(id) && !urns.has(urn) && !earlier.has(urn),
    ),
    ...after.state.filter(({ id, urn }) => !had.has(id) && !/create|adopt|replace/.test(urns.get(urn)?.op ?? "nothing")),
  ];
  return [
    ...records,
    ...strange.map((id) => `nothing of record ${id}, which was made by ${makers.get(id) ?? "nobody"}`),
    ...entries.map(({ urn, id }) => `nothing of ${urn}, which came into the state or left it with ${id}`),
  ];
}

function happened({ urn, id = "" }: ResourceData, before: Observed, after: Observed): string {
  const side = (at: Observed): string =>
    `${at.state.flatMap((entry) => (entry.urn === urn ? [`${entry.id}${entry.delete ? " (to be deleted)" : ""}`] : [])).join(", ") || "nothing"} in state, record ${at.records.has(id) ? "there" : "not there"}`;
  return `before ${side(before)}; afterwards ${side(after)}`;
}
