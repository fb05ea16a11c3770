import { compare, type Change } from "../../provider/compare";
import type { ReadResource } from "../../provider/handler";
import type { Kind } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import type { KindName } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { isSame } from "../../provider/shape";
import { type Properties, compact, valueAt } from "../../provider/values";
import { shownChanges } from "../changes";
import type { Held } from "../held";
import { inOrder } from "./order";
import { propertyPath, withValue } from "./paths";
import {
  bare,
  type ChangedResource,
  type MissingResource,
  type PropertyDrift,
  type ResourceRef,
  type StackDrift,
} from "./report";

/** One resource as it is found: gone, or with what differs. */
interface Finding {
  held: Held;
  found?: ReadResource;
  /** Properties that the program declares, other than declared. */
  owned: PropertyDrift[];
  /** Properties that the program leaves to the service, other than at the last update. */
  left: PropertyDrift[];
}

/**
 * Looks at each resource of a stack the way the engine does on a refresh: the service's records against the inputs in state. Sends
 * one list a kind and account group, and a get for each record that is on none.
 *
 * @throws the client's errors
 */
export async function lookAt(stack: string, held: readonly Held[], session: Session | undefined): Promise<StackDrift> {
  const findings = session ? await Promise.all(held.map((one) => find(one, session))) : [];
  const changed = findings.filter(({ found, owned }) => found && owned.length > 0);
  const noted = findings.filter(({ found, left }) => found && left.length > 0);
  return {
    stack,
    resources: held.length,
    changed: inOrder(changed.map((finding) => changedResource(finding, finding.owned))),
    missing: inOrder(findings.filter(({ found }) => !found).map((finding) => missingResource(finding.held, held))),
    notes: inOrder(noted.map((finding) => changedResource(finding, finding.left))),
  };
}

async function find(held: Held, session: Session): Promise<Finding> {
  const found = await new Lifecycle(held.kind, session).read(held.id, compact(held.outputs));
  if (!found) return { held, owned: [], left: [] };
  const changes = compare(held.kind, found.state, held.inputs);
  const ignored = changes.filter(({ property }) => isIgnored(held, found.state, property));
  const owned = changes.filter((change) => !change.recordsOnly && !ignored.includes(change));
  return {
    held,
    found,
    owned: shown(held, owned.map(turned), "program"),
    left: shown(held, [...ignored.map(turned), ...leftToService(held, found.state)], "service"),
  };
}

/** Whether all that differs of a property is what the program tells the engine to leave as it is. */
function isIgnored({ kind, inputs, ignoreChanges }: Held, state: Properties, property: string): boolean {
  const paths = ignoreChanges.map(propertyPath).filter(([first]) => first === property || first === "*");
  if (paths.length === 0) return false;
  const taken = paths.reduce<Properties>((all, path) => {
    const within = path[0] === "*" ? [property] : path;
    return withValue(all, within, valueAt(state, within));
  }, inputs);
  return !compare(kind, state, taken).some((change) => change.property === property);
}

/** What the service has changed of the properties that are left to it. */
function leftToService({ kind, inputs, outputs }: Held, state: Properties): Change[] {
  return kind.leftToService.flatMap((property): Change[] => {
    const [before, after] = [outputs[property], state[property]];
    if (inputs[property] !== undefined || before === undefined || after === undefined) return [];
    if (isSame(kind, property, before, after)) return [];
    return [{ property, how: "changed", before, after, unknown: false, replaces: false, recordsOnly: false }];
  });
}

/** From the declaration to what the service holds: a comparison for an update is the other way round. */
function turned(change: Change): Change {
  const how = { added: "removed", removed: "added", changed: "changed" } as const;
  return { ...change, how: how[change.how], before: change.after, after: change.before };
}

function shown({ kind, secrets }: Held, changes: readonly Change[], owner: PropertyDrift["owner"]): PropertyDrift[] {
  return shownChanges(changes, secrets).map((change) => ({ ...change, ...items(kind, change), owner }));
}

/** The items that a list gained and lost. What the service folds is one item, however it is written. */
function items(kind: Kind, { property, before, after }: PropertyDrift | Omit<PropertyDrift, "owner">) {
  if (!Array.isArray(before) || !Array.isArray(after)) return {};
  const same = (a: unknown, b: unknown) => isSame(kind, property, [a], [b]);
  const without = (list: unknown[], other: unknown[]) => list.filter((item) => !other.some((one) => same(item, one)));
  return { gained: without(after, before), lost: without(before, after) };
}

function changedResource({ held, found }: Finding, properties: PropertyDrift[]): ChangedResource {
  return {
    ...referenceTo(held),
    properties,
    ...(properties.some(({ replaces }) => replaces) ? { replacementCost: held.kind.replacementCost } : {}),
    ...(found?.modified === undefined ? {} : { modified: found.modified }),
  };
}

function missingResource(held: Held, all: readonly Held[]): MissingResource {
  return {
    ...referenceTo(held),
    referredToBy: all
      .filter((one) => refersTo(one, held.kindName, held.id))
      .map(({ name }) => name)
      .toSorted(),
  };
}

function refersTo({ kind, inputs }: Held, kindName: KindName, id: string): boolean {
  return Object.entries(kind.refersTo).some(([property, target]) => {
    const value = inputs[property];
    return target === kindName && (Array.isArray(value) ? value.includes(id) : value === id);
  });
}

export function referenceTo(held: Held): ResourceRef {
  return bare({ ...held, kind: held.kindName });
}
