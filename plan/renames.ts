import { compare, type Change } from "../provider/compare";
import { records } from "../provider/registry";
import { titleOf } from "../provider/identity";
import { type Properties, stable } from "../provider/values";
import { typeOfUrn } from "../sdk/token";
import { compareText } from "../common/text";
import type { Step } from "./model";
import { withKeys } from "./stand-ins";
import { hidesBehindMask, holdsMask } from "./step-changes";
import { changedTokens } from "../common/token-change";
import { stepsByUrn } from "./unknown";

/** A resource that the program declares under another name or parent, without an alias: its record is deleted and created again. */
export interface Rename {
  from: Step;
  to: Step;
}

/** A delete and a create of what may be the same record. */
interface CandidatePair extends Rename {
  /** 0 if the records are equal, 1 if they differ in their names only, and 2 if they differ in settings. */
  level: 0 | 1 | 2;
}

/**
 * Returns the pairs of a deleted and a created resource that are probably the same resource after a rename or a move.
 *
 * A pair has one type, and an alias would keep its record: no property differs that only a create sets. The records have equal settings,
 * or equal names and nearly equal settings. If several pairs are possible, the equal records come first, then pairs with names that all
 * differ in the same words (`hr-london` → `people-london`). Anything else is ambiguous and is left out.
 *
 * @param steps settled steps, so that an adopted record does not count as deleted
 */
export function renamesIn(steps: readonly Step[]): Rename[] {
  const byUrn = stepsByUrn(steps);
  const isRecord = ({ kindName }: Step): boolean => Object.hasOwn(records, kindName);
  const left = new Set(steps.filter((step) => step.op === "delete" && isRecord(step) && !step.retained && !step.pending));
  const fresh = new Set(steps.filter((step) => step.op === "create" && isRecord(step)));
  const renames: Rename[] = [];
  const newKeys = new Map<string, string>();
  // Tests are compared by their labels and tags, so each round knows the renamed labels and tags of the round before.
  for (let before = -1; before < renames.length;) {
    before = renames.length;
    const pairs = candidates(left, fresh, byUrn, newKeys).flatMap(([from, to]) => pairOf(from, to, byUrn, newKeys) ?? []);
    for (const { from, to } of componentsOf(pairs).flatMap(decided)) {
      renames.push({ from, to });
      left.delete(from);
      fresh.delete(to);
      newKeys.set(from.state?.id ?? "", to.urn);
    }
  }
  return renames.toSorted((a, b) => compareText(a.to.urn, b.to.urn));
}

/** Returns the deletes and creates that share a name, or all values that distinguish records: few of all possible pairs. */
function candidates(
  left: ReadonlySet<Step>,
  fresh: ReadonlySet<Step>,
  byUrn: ReadonlyMap<string, Step>,
  newKeys: ReadonlyMap<string, string>,
): [from: Step, to: Step][] {
  const keysOf = (step: Step, values: Properties): string[] => {
    const telling = Object.entries(values).filter(([property, value]) => {
      const { properties, identity } = step.kind;
      return property in properties && !identity.includes(property) && isTelling({ before: value, after: undefined });
    });
    const texts = telling.map(([property, value]) => [property, Array.isArray(value) ? value.map(stable).toSorted() : value]);
    return [
      `${step.kindName} name ${titleOf(step.kind, values) ?? ""}`,
      `${step.kindName} values ${stable(Object.fromEntries(texts))}`,
    ];
  };
  const byKey = new Map<string, Step[]>();
  for (const to of fresh) {
    for (const key of keysOf(to, withKeys(to, to.declared?.inputs ?? {}, byUrn)))
      byKey.set(key, [...(byKey.get(key) ?? []), to]);
  }
  return [...left].flatMap((from) => {
    const keys = keysOf(from, withNewKeys(from, from.state?.inputs ?? {}, newKeys));
    return [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))].map((to): [Step, Step] => [from, to]);
  });
}

/** Returns a pair if the records of two resources are equal or nearly equal. */
function pairOf(
  from: Step,
  to: Step,
  byUrn: ReadonlyMap<string, Step>,
  newKeys: ReadonlyMap<string, string>,
): CandidatePair | undefined {
  const { kind, state } = from;
  if (!state || !to.declared || from.kindName !== to.kindName || typeOfUrn(from.urn) !== typeOfUrn(to.urn)) return undefined;
  const declared = withKeys(to, to.declared.inputs, byUrn);
  const before = withNewKeys(from, state.outputs, newKeys);
  const changes = compare(kind, before, declared).filter(
    (change) => !hidesBehindMask(change) && !kind.localOnly.includes(change.property),
  );
  if (changes.some(({ replaces, unknown }) => replaces || unknown)) return undefined;
  const isNamed = changes.some(({ property }) => kind.identity.includes(property));
  const others = changes.filter(({ property }) => !kind.identity.includes(property));
  // Under another name, only equal values that distinguish records show that they are the same.
  const most = isNamed ? 0 : 1;
  if (others.filter(isTelling).length > most || (isNamed && !hasTellingValue(from, declared))) return undefined;
  if (!isNamed && others.length === 0) return { from, to, level: 0 };
  return { from, to, level: others.length === 0 ? 1 : 2 };
}

/** Whether a change distinguishes records, such as one of a target or a selection. Numbers and switches are settings. */
function isTelling({ before, after }: Pick<Change, "before" | "after">): boolean {
  return [before, after].some((value) => value !== undefined && typeof value !== "number" && typeof value !== "boolean");
}

/** Whether a record has a target, a selection or filters. */
function hasTellingValue({ kind, state }: Step, declared: Properties): boolean {
  return Object.keys(kind.properties).some((property) => {
    const value = state?.inputs[property];
    if (kind.identity.includes(property) || value === undefined || declared[property] === undefined || holdsMask(value))
      return false;
    return Array.isArray(value) ? value.length > 0 : typeof value === "string" && !isWord(kind, property);
  });
}

/** Whether a property takes one word of a list. */
function isWord(kind: Step["kind"], property: string): boolean {
  return kind.schema.shape[property]?.safeParse(" no word of any list ").success !== true;
}

/** Returns properties with the keys of renamed resources in place of their old ids. */
function withNewKeys({ kind }: Step, properties: Properties, newKeys: ReadonlyMap<string, string>): Properties {
  const replaced = Object.keys(kind.refersTo).flatMap((property): [string, unknown][] => {
    const ids = properties[property];
    return Array.isArray(ids) ? [[property, ids.map((id: unknown) => newKeys.get(String(id)) ?? id)]] : [];
  });
  return { ...properties, ...Object.fromEntries(replaced) };
}

/** Returns the groups of pairs that share a resource, directly or through others. */
function componentsOf(pairs: readonly CandidatePair[]): CandidatePair[][] {
  const groups = new Map<Step, CandidatePair[]>();
  for (const pair of pairs) {
    const merged = [...new Set([groups.get(pair.from), groups.get(pair.to)])].flatMap((group) => group ?? []);
    const group = [...merged, pair];
    for (const { from, to } of group) groups.set(from, group).set(to, group);
  }
  return [...new Set(groups.values())];
}

/** Returns the pairs of a component that are not ambiguous. */
function decided(pairs: readonly CandidatePair[]): CandidatePair[] {
  const exact = pairs.filter(
    (pair) =>
      pair.level === 0 &&
      isOnlyPair(
        pair,
        pairs.filter(({ level }) => level === 0),
      ),
  );
  if (exact.length > 0) {
    const done = new Set(exact.flatMap(({ from, to }) => [from, to]));
    const rest = pairs.filter(({ from, to }) => !done.has(from) && !done.has(to));
    return [...exact, ...componentsOf(rest).flatMap(decided)];
  }
  if (pairs.length === 1) return [...pairs];
  const byNames = pairs.map((pair) => ({ pair, change: changedTokens(pair.from.name, pair.to.name) }));
  // One change of names must pair off all resources of the component.
  const size = (side: (pair: CandidatePair) => Step): number => new Set(pairs.map(side)).size;
  const [deleted, created] = [size(({ from }) => from), size(({ to }) => to)];
  const substitutions = [...Map.groupBy(byNames, ({ change }) => change && `${change.before} ${change.after}`)].flatMap(
    ([change, alike]) => {
      const all = alike.map(({ pair }) => pair);
      const isWhole = all.length === Math.min(deleted, created) && all.every((pair) => isOnlyPair(pair, all));
      return change !== undefined && isWhole ? [all] : [];
    },
  );
  const [only, ...more] = substitutions;
  return only && more.length === 0 && deleted === created ? only : [];
}

function isOnlyPair(pair: CandidatePair, pairs: readonly CandidatePair[]): boolean {
  return pairs.every((other) => other === pair || (other.from !== pair.from && other.to !== pair.to));
}
