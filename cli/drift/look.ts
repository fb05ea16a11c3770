import { compare, type Change } from "../../provider/compare";
import type { ReadResource } from "../../provider/handler";
import type { Kind } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import type { KindName } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { isSame } from "../../provider/shape";
import { type Properties, compact, isObject, valueAt } from "../../provider/values";
import type { ManagedResource } from "../engine/state";
import { type PropertyChange, shownChanges } from "../report/changes";
import type { IgnoreEntry, IgnoreList } from "./ignore-list";
import {
  bare,
  inOrder,
  type ChangedResource,
  type IgnoredDrift,
  type MissingResource,
  type PropertyDrift,
  type ResourceRef,
  type StackDrift,
} from "./report";

/** One resource as the service holds it, with what differs. */
interface ResourceFinding {
  resource: ManagedResource;
  /** Absent of one that no longer exists. */
  found?: ReadResource;
  /** Properties that the program declares, other than declared. */
  owned: PropertyDrift[];
  /** Properties that the program leaves to the service, other than at the last update. */
  left: PropertyDrift[];
  /** Drift that the ignore list names. */
  ignored: IgnoredDrift[];
}

/**
 * Looks at each resource of a stack the way the engine does on a refresh: the service's records against the inputs in state. Sends
 * one list a kind and account group, and a get for each record that is on none.
 *
 * @throws the client's errors
 */
export async function lookAt(
  stack: string,
  resources: readonly ManagedResource[],
  session: Session | undefined,
  ignores: IgnoreList,
): Promise<StackDrift> {
  const findings = session ? await Promise.all(resources.map((resource) => find(resource, session, ignores))) : [];
  const missing = findings.filter(({ found, ignored }) => !found && ignored.length === 0);
  const ignored = inOrder(findings.flatMap((finding) => finding.ignored));
  const changed = findings.filter(({ found, owned }) => found && owned.length > 0);
  const noted = findings.filter(({ found, left }) => found && left.length > 0);
  return {
    stack,
    resources: resources.length,
    changed: inOrder(changed.map((finding) => changedResource(finding, finding.owned))),
    missing: inOrder(missing.map((finding) => missingResource(finding.resource, resources))),
    notes: inOrder(noted.map((finding) => changedResource(finding, finding.left))),
    ...(ignored.length > 0 && { ignored }),
  };
}

async function find(resource: ManagedResource, session: Session, ignores: IgnoreList): Promise<ResourceFinding> {
  const found = await new Lifecycle(resource.kind, session).read(resource.id, compact(resource.outputs));
  if (!found) return { resource, owned: [], left: [], ignored: ignoredWhole(resource, ignores) };
  const changes = compare(resource.kind, found.state, resource.inputs);
  const byProgram = changes.filter(({ property }) => isIgnored(resource, found.state, property));
  const owned = changes.filter((change) => !change.recordsOnly && !byProgram.includes(change));
  const byList = Map.groupBy(owned, ({ property }) => entryFor(resource, found.state, property, ignores));
  const drift = (some: readonly Change[] = []): PropertyDrift[] => driftOf(resource, some.map(inverted), "program");
  return {
    resource,
    found,
    owned: drift(byList.get(undefined)),
    left: driftOf(resource, [...byProgram.map(inverted), ...leftToService(resource, found.state)], "service"),
    ignored: [...byList].flatMap(([entry, some]) => (entry ? [ignoredDrift(resource, entry, drift(some))] : [])),
  };
}

function ignoredWhole(resource: ManagedResource, ignores: IgnoreList): IgnoredDrift[] {
  return ignores
    .entriesFor(resource)
    .slice(0, 1)
    .map((entry) => {
      ignores.use(entry);
      return ignoredDrift(resource, entry);
    });
}

function ignoredDrift(resource: ManagedResource, { reason, until }: IgnoreEntry, properties?: PropertyDrift[]): IgnoredDrift {
  const isMissing = properties === undefined;
  return { ...referenceTo(resource), isMissing, properties: properties ?? [], reason, ...(until !== undefined && { until }) };
}

/** The entry of the ignore list for all that differs of a property: several may each name a part of it. */
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

/** Whether all that differs of a property is what the program has the engine leave as it is. */
function isIgnored(resource: ManagedResource, state: Properties, property: string): boolean {
  const paths = resource.ignoreChanges.map(propertyPath).filter(([first]) => first === property || first === "*");
  return paths.length > 0 && isCovered(resource, state, property, paths);
}

/** Whether a property no longer differs once all that is at some paths is taken for declared. */
function isCovered(
  { kind, inputs }: Pick<ManagedResource, "kind" | "inputs">,
  state: Properties,
  property: string,
  paths: readonly string[][],
): boolean {
  const taken = paths.reduce<Properties>((all, path) => {
    const within = path[0] === "*" ? [property] : path;
    return withValue(all, within, valueAt(state, within));
  }, inputs);
  return !compare(kind, state, taken).some((change) => change.property === property);
}

/** Changes that the service made to properties that are left to it. */
function leftToService({ kind, inputs, outputs }: ManagedResource, state: Properties): Change[] {
  return kind.leftToService.flatMap((property): Change[] => {
    const [before, after] = [outputs[property], state[property]];
    if (inputs[property] !== undefined || before === undefined || after === undefined) return [];
    if (isSame(kind, property, before, after)) return [];
    return [{ property, how: "changed", before, after, unknown: false, replaces: false, recordsOnly: false }];
  });
}

/** From the declaration to what the service holds: a comparison for an update is the other way round. */
function inverted(change: Change): Change {
  const how = { added: "removed", removed: "added", changed: "changed" } as const;
  return { ...change, how: how[change.how], before: change.after, after: change.before, recordsOnly: false };
}

function driftOf(
  { kind, secrets }: ManagedResource,
  changes: readonly Change[],
  owner: PropertyDrift["owner"],
): PropertyDrift[] {
  return shownChanges(changes, secrets).map((change) => ({ ...change, ...itemsOf(kind, change), owner }));
}

/** The items that a list gained and lost. What the service folds is one item, however it is written. */
function itemsOf(kind: Kind, { property, before, after }: PropertyChange) {
  if (!Array.isArray(before) || !Array.isArray(after)) return {};
  const same = (a: unknown, b: unknown) => isSame(kind, property, [a], [b]);
  const without = (list: unknown[], other: unknown[]) => list.filter((item) => !other.some((one) => same(item, one)));
  return { gained: without(after, before), lost: without(before, after) };
}

function changedResource({ resource, found }: ResourceFinding, properties: PropertyDrift[]): ChangedResource {
  return {
    ...referenceTo(resource),
    properties,
    ...(properties.some(({ replaces }) => replaces) ? { replacementCost: resource.kind.replacementCost } : {}),
    ...(found?.modified === undefined ? {} : { modified: found.modified }),
  };
}

function missingResource(resource: ManagedResource, all: readonly ManagedResource[]): MissingResource {
  return {
    ...referenceTo(resource),
    referredToBy: all
      .filter((one) => refersTo(one, resource.kindName, resource.id))
      .map(({ name }) => name)
      .toSorted(),
  };
}

function refersTo({ kind, inputs }: ManagedResource, kindName: KindName, id: string): boolean {
  return Object.entries(kind.refersTo).some(([property, target]) => {
    const value = inputs[property];
    return target === kindName && (Array.isArray(value) ? value.includes(id) : value === id);
  });
}

export function referenceTo(resource: ManagedResource): ResourceRef {
  return bare({ ...resource, kind: resource.kindName });
}

/** A property path as the engine writes it, `filters[0].values` or `tags["a.b"]`, in parts. */
export function propertyPath(text: string): string[] {
  const parts = text.matchAll(/\["(?<quoted>(?:[^"\\]|\\.)*)"\]|\[(?<index>\d+|\*)\]|(?<plain>[^.[\]]+)/g);
  return [...parts].map(
    ({ groups = {} }) => groups["quoted"]?.replace(/\\(.)/g, "$1") ?? groups["index"] ?? groups["plain"] ?? "",
  );
}

/** The properties with another value at a path; as they were where the path leads nowhere. */
export function withValue(properties: Properties, path: readonly string[], value: unknown): Properties {
  const copy = structuredClone(properties);
  const place = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && (isObject(place) || Array.isArray(place))) Reflect.set(place, last, value);
  return copy;
}
