import { ApiError, UnauthorizedError } from "../../../api";
import { compare, type Change } from "../../../provider/compare";
import type { ReadResource } from "../../../provider/handler";
import type { Kind } from "../../../provider/kind";
import { Lifecycle } from "../../../provider/lifecycle";
import type { Session } from "../../../provider/session";
import { isSame } from "../../../provider/shape";
import { writtenProperty } from "../../../provider/read-lag";
import { type Properties, compact, isObject, stringOf, valueAt } from "../../../provider/values";
import type { ManagedResource } from "../../../engine/state";
import { compareText } from "../../../common/text";
import type { IgnoreEntry, IgnoreList } from "./ignore-list";
import {
  bare,
  inOrder,
  type ChangedResource,
  type IgnoredDrift,
  type MissingResource,
  type PropertyDrift,
  type RecentResource,
  type ResourceRef,
  type StackDrift,
  type UnreadResources,
} from "./data";
import { type PropertyChange, shownChanges } from "../../../plan/changes";

type ResourceDrift = Pick<StackDrift, "changed" | "missing" | "notes"> & { ignored: IgnoredDrift[]; recent: RecentResource[] };

/**
 * Compares the service's records with the inputs in a stack's state, in the same way as a refresh. Sends a list request for each resource
 * type and account group, and an additional request for each record that the lists do not contain.
 *
 * @throws API client errors, unless only some account groups refuse the requests
 */
export async function readStackDrift(
  stack: string,
  resources: readonly ManagedResource[],
  session: Session | undefined,
  ignores: IgnoreList,
): Promise<StackDrift> {
  const unread: { resource: ManagedResource; error: ApiError }[] = [];
  const toRead = session ? resources : [];
  const drifts = toRead.map(async (resource) => {
    try {
      return await driftOf(resource, resources, session as Session, ignores);
    } catch (error) {
      if (!(error instanceof ApiError) || error instanceof UnauthorizedError) throw error;
      unread.push({ resource, error });
      return [];
    }
  });
  const drift = (await Promise.all(drifts)).flat();
  const [first] = unread;
  if (first && unread.length === toRead.length) throw first.error;
  const ignored = inOrder(drift.flatMap((resourceDrift) => resourceDrift.ignored));
  const recent = inOrder(drift.flatMap((resourceDrift) => resourceDrift.recent));
  return {
    stack,
    resources: resources.length,
    changed: inOrder(drift.flatMap((resourceDrift) => resourceDrift.changed)),
    missing: inOrder(drift.flatMap((resourceDrift) => resourceDrift.missing)),
    notes: inOrder(drift.flatMap((resourceDrift) => resourceDrift.notes)),
    ...(recent.length > 0 && { recent }),
    ...(ignored.length > 0 && { ignored }),
    ...(unread.length > 0 && { unread: unreadGroups(unread) }),
  };
}

function unreadGroups(unread: readonly { resource: ManagedResource; error: ApiError }[]): UnreadResources[] {
  const groupOf = ({ outputs }: ManagedResource): string | undefined => stringOf(outputs["accountGroupId"]);
  const groups = Map.groupBy(unread, ({ resource, error }) => `${groupOf(resource) ?? ""} ${error.code}`);
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, alike]) => {
      const resources = inOrder(alike.map(({ resource }) => referenceTo(resource)));
      const [message] = alike.map(({ error }) => error.message).toSorted();
      const [accountGroupId] = alike.map(({ resource }) => groupOf(resource));
      return [{ ...(accountGroupId !== undefined && { accountGroupId }), resources, message: message ?? "" }];
    });
}

async function driftOf(
  resource: ManagedResource,
  resources: readonly ManagedResource[],
  session: Session,
  ignores: IgnoreList,
): Promise<ResourceDrift> {
  const readResource = await new Lifecycle(resource.kind, session).read(
    resource.id,
    compact({ ...resource.outputs, [writtenProperty]: resource.written }),
    resource.urn,
  );
  const none = { changed: [], missing: [], notes: [], ignored: [], recent: [] };
  if (readResource?.tooRecent !== undefined)
    return { ...none, recent: [{ ...referenceTo(resource), reason: readResource.tooRecent }] };
  if (!readResource) {
    const [entry] = ignores.entriesFor(resource);
    if (!entry) return { ...none, missing: [missingResource(resource, resources)] };
    ignores.use(entry);
    return { ...none, ignored: [ignoredDrift(resource, entry)] };
  }
  const changes = compare(resource.kind, readResource.state, resource.inputs);
  const byProgram = changes.filter(({ property }) => isIgnored(resource, readResource.state, property));
  const owned = changes.filter((change) => !change.recordsOnly && !byProgram.includes(change));
  const byList = Map.groupBy(owned, ({ property }) => entryFor(resource, readResource.state, property, ignores));
  const serviceChanges = [...byProgram.map(inverted), ...leftToService(resource, readResource.state)];
  return {
    ...none,
    changed: changedResource(resource, readResource, (byList.get(undefined) ?? []).map(inverted), "program"),
    notes: changedResource(resource, readResource, serviceChanges, "service"),
    ignored: [...byList].flatMap(([entry, ignoredChanges]) =>
      entry ? [ignoredDrift(resource, entry, shown(resource, ignoredChanges.map(inverted), "program"))] : [],
    ),
  };
}

function ignoredDrift(resource: ManagedResource, { reason, until }: IgnoreEntry, properties?: PropertyDrift[]): IgnoredDrift {
  const isMissing = properties === undefined;
  return { ...referenceTo(resource), isMissing, properties: properties ?? [], reason, until };
}

/**
 * Returns the first ignore entry that matches a property. If the matching entries together do not cover the whole difference, the result is
 * undefined.
 */
function entryFor(
  resource: ManagedResource,
  state: Properties,
  property: string,
  ignores: IgnoreList,
): IgnoreEntry | undefined {
  const entries = ignores.entriesFor(resource, property);
  const paths = entries.map((entry) => [property, ...propertyPath(entry.property ?? property).slice(1)]);
  if (entries.length === 0 || !isCovered(resource, state, property, paths)) return undefined;
  for (const entry of entries) ignores.use(entry);
  return entries[0];
}

function isIgnored(resource: ManagedResource, state: Properties, property: string): boolean {
  const paths = resource.ignoreChanges.map(propertyPath).filter(([first]) => first === property || first === "*");
  return paths.length > 0 && isCovered(resource, state, property, paths);
}

/** Whether all differences within a property are at or below the given paths. */
function isCovered(
  { kind, inputs }: Pick<ManagedResource, "kind" | "inputs">,
  state: Properties,
  property: string,
  paths: readonly string[][],
): boolean {
  const taken = paths.reduce<Properties>((merged, path) => {
    const within = path[0] === "*" ? [property] : path;
    return withValue(merged, within, valueAt(state, within));
  }, inputs);
  return !compare(kind, state, taken).some((change) => change.property === property);
}

/** Returns changes to properties that the program omits because the service chooses their values. */
function leftToService({ kind, inputs, outputs }: ManagedResource, state: Properties): Change[] {
  return kind.leftToService.flatMap((property): Change[] => {
    const [before, after] = [outputs[property], state[property]];
    if (inputs[property] !== undefined || before === undefined || after === undefined) return [];
    if (isSame(kind, property, before, after)) return [];
    return [{ property, how: "changed", before, after, unknown: false, replaces: false, recordsOnly: false }];
  });
}

/** Swaps the two values of a change, because reports show the declared value first and the service's value second. */
function inverted(change: Change): Change {
  const how = { added: "removed", removed: "added", changed: "changed" } as const;
  return { ...change, how: how[change.how], before: change.after, after: change.before, recordsOnly: false };
}

function shown({ kind, secrets }: ManagedResource, changes: readonly Change[], owner: PropertyDrift["owner"]): PropertyDrift[] {
  return shownChanges(changes, secrets).map((change) => ({ ...change, ...itemsOf(kind, change), owner }));
}

/** Returns the added and deleted items of a list. Items that the service treats as equal count as one item. */
function itemsOf(kind: Kind, { property, before, after }: PropertyChange) {
  if (!Array.isArray(before) || !Array.isArray(after)) return {};
  const same = (a: unknown, b: unknown) => isSame(kind, property, [a], [b]);
  const without = (list: unknown[], otherList: unknown[]) =>
    list.filter((item) => !otherList.some((candidate) => same(item, candidate)));
  return { gained: without(after, before), lost: without(before, after) };
}

function changedResource(
  resource: ManagedResource,
  { modified }: ReadResource,
  changes: readonly Change[],
  owner: PropertyDrift["owner"],
): ChangedResource[] {
  if (changes.length === 0) return [];
  const replacementCost = changes.some(({ replaces }) => replaces) ? resource.kind.replacementCost : undefined;
  return [{ ...referenceTo(resource), properties: shown(resource, changes, owner), replacementCost, modified }];
}

function missingResource(resource: ManagedResource, resources: readonly ManagedResource[]): MissingResource {
  const referring = resources.filter(({ kind, inputs }) =>
    Object.entries(kind.refersTo).some(
      ([property, target]) => target === resource.kindName && [inputs[property]].flat().includes(resource.id),
    ),
  );
  return { ...referenceTo(resource), referredToBy: referring.map(({ name }) => name).toSorted() };
}

export function referenceTo(resource: ManagedResource): ResourceRef {
  return bare({ ...resource, kind: resource.kindName });
}

/** Splits a property path in the engine's syntax into keys and indexes. Examples of paths are `filters[0].values` and `tags["a.b"]`. */
export function propertyPath(text: string): string[] {
  const parts = text.matchAll(/\["(?<quoted>(?:[^"\\]|\\.)*)"\]|\[(?<index>\d+|\*)\]|(?<plain>[^.[\]]+)/g);
  return [...parts].map(
    ({ groups = {} }) => groups["quoted"]?.replace(/\\(.)/g, "$1") ?? groups["index"] ?? groups["plain"] ?? "",
  );
}

/** Returns a copy of the properties with a new value at a path. If the path does not exist, the copy is equal to the original. */
export function withValue(properties: Properties, path: readonly string[], value: unknown): Properties {
  const copy = structuredClone(properties);
  const place = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && (isObject(place) || Array.isArray(place))) Reflect.set(place, last, value);
  return copy;
}
