import type { Kind } from "../provider/kind";
import { compare, type Change } from "../provider/compare";
import { titleOf } from "../provider/identity";
import type { KindName } from "../provider/registry";
import { type Properties, stable } from "../provider/values";
import { changedTokens } from "../common/token-change";
import { hidesBehindMask, holdsMask } from "./step-changes";

/** A resource or record in a comparison, such as a resource in the state. */
export interface PairSide<T> {
  readonly item: T;
  readonly kind: Kind;
  readonly kindName: KindName;
  /** Resource type. Dynamic resources never form pairs with native resources, because their types differ. */
  readonly type: string;
  readonly name: string;
  readonly key: string;
  readonly inputs: Properties;
  readonly properties: Properties;
}

export interface RecordPair<R, D> {
  readonly recorded: R;
  readonly declared: D;
}

interface CandidatePair<R, D> {
  recorded: PairSide<R>;
  declared: PairSide<D>;
  /** 0 if the names and the settings are equal, 1 if the names differ, and 2 if the settings differ. */
  level: 0 | 1 | 2;
}

type NewKeys = ReadonlyMap<string, string>;

/**
 * Pairs records with the declarations that probably describe the records.
 *
 * A record and a declaration form a pair only if their types and create-only properties are equal. The settings of a pair must be equal, or
 * nearly equal if the names are equal.
 *
 * If several pairs are possible, equal records take precedence over a common change of names, such as `hr-london` to `people-london`.
 * Ambiguous candidates stay unpaired.
 */
export function pairRecords<R, D>(recorded: readonly PairSide<R>[], declared: readonly PairSide<D>[]): RecordPair<R, D>[] {
  const [records, declarations] = [new Set(recorded), new Set(declared)];
  const pairs: RecordPair<R, D>[] = [];
  const newKeys = new Map<string, string>();
  // Tests refer to labels and tags, so each pass uses the pairs from the previous pass.
  for (let before = -1; before < pairs.length;) {
    before = pairs.length;
    const possible = candidates(records, declarations, newKeys).flatMap(([a, b]) => pairOf(a, b, newKeys) ?? []);
    for (const pair of componentsOf(possible).flatMap(decided)) {
      pairs.push({ recorded: pair.recorded.item, declared: pair.declared.item });
      records.delete(pair.recorded);
      declarations.delete(pair.declared);
      newKeys.set(pair.recorded.key, pair.declared.key);
    }
  }
  return pairs;
}

/**
 * Returns the pairs that share a name or another distinguishing value. The function never compares records and declarations without a
 * common value.
 */
function candidates<R, D>(
  records: ReadonlySet<PairSide<R>>,
  declarations: ReadonlySet<PairSide<D>>,
  newKeys: NewKeys,
): [recorded: PairSide<R>, declared: PairSide<D>][] {
  const byKey = new Map<string, PairSide<D>[]>();
  for (const side of declarations) {
    for (const key of searchKeys(side, side.inputs)) byKey.set(key, [...(byKey.get(key) ?? []), side]);
  }
  return [...records].flatMap((side) => {
    const keys = searchKeys(side, withNewKeys(side, side.inputs, newKeys));
    return [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))].map((other): [PairSide<R>, PairSide<D>] => [side, other]);
  });
}

function searchKeys({ kind, kindName }: PairSide<unknown>, values: Properties): string[] {
  const distinguishing = Object.entries(values).filter(
    ([property, value]) =>
      property in kind.properties && !kind.identity.includes(property) && isTelling({ before: value, after: undefined }),
  );
  const texts = distinguishing.map(([property, value]) => [
    property,
    Array.isArray(value) ? value.map(stable).toSorted() : value,
  ]);
  return [`${kindName} name ${titleOf(kind, values) ?? ""}`, `${kindName} values ${stable(Object.fromEntries(texts))}`];
}

function pairOf<R, D>(recorded: PairSide<R>, declared: PairSide<D>, newKeys: NewKeys): CandidatePair<R, D> | undefined {
  const { kind } = recorded;
  if (recorded.kindName !== declared.kindName || recorded.type !== declared.type) return undefined;
  const changes = compare(kind, withNewKeys(recorded, recorded.properties, newKeys), declared.inputs).filter(
    (change) => !hidesBehindMask(change) && !kind.localOnly.includes(change.property),
  );
  if (changes.some(({ replaces, unknown }) => replaces || unknown)) return undefined;
  const isNamed = changes.some(({ property }) => kind.identity.includes(property));
  const others = changes.filter(({ property }) => !kind.identity.includes(property));
  // Records with different names form a pair only if their distinguishing values are equal.
  const most = isNamed ? 0 : 1;
  if (others.filter(isTelling).length > most || (isNamed && !hasTellingValue(recorded, declared.inputs))) return undefined;
  if (!isNamed && others.length === 0) return { recorded, declared, level: 0 };
  return { recorded, declared, level: others.length === 0 ? 1 : 2 };
}

/**
 * Whether a changed value distinguishes records, such as the target of a test or the selected agents. Numbers and booleans do not
 * distinguish records.
 */
function isTelling({ before, after }: Pick<Change, "before" | "after">): boolean {
  return [before, after].some((value) => value !== undefined && typeof value !== "number" && typeof value !== "boolean");
}

function hasTellingValue({ kind, inputs }: PairSide<unknown>, declared: Properties): boolean {
  return Object.keys(kind.properties).some((property) => {
    const value = inputs[property];
    if (kind.identity.includes(property) || value === undefined || declared[property] === undefined || holdsMask(value))
      return false;
    return Array.isArray(value) ? value.length > 0 : typeof value === "string" && !isWord(kind, property);
  });
}

function isWord(kind: Kind, property: string): boolean {
  return kind.schema.shape[property]?.safeParse(" no word of any list ").success !== true;
}

function withNewKeys({ kind }: PairSide<unknown>, properties: Properties, newKeys: NewKeys): Properties {
  const replaced = Object.keys(kind.refersTo).flatMap((property): [string, unknown][] => {
    const ids = properties[property];
    return Array.isArray(ids) ? [[property, ids.map((id: unknown) => newKeys.get(String(id)) ?? id)]] : [];
  });
  return { ...properties, ...Object.fromEntries(replaced) };
}

function componentsOf<R, D>(pairs: readonly CandidatePair<R, D>[]): CandidatePair<R, D>[][] {
  const groups = new Map<object, CandidatePair<R, D>[]>();
  for (const pair of pairs) {
    const merged = [...new Set([groups.get(pair.recorded), groups.get(pair.declared)])].flatMap((group) => group ?? []);
    const group = [...merged, pair];
    for (const { recorded, declared } of group) groups.set(recorded, group).set(declared, group);
  }
  return [...new Set(groups.values())];
}

function decided<R, D>(pairs: readonly CandidatePair<R, D>[]): CandidatePair<R, D>[] {
  const exact = pairs.filter(
    (pair) =>
      pair.level === 0 &&
      isOnlyPair(
        pair,
        pairs.filter(({ level }) => level === 0),
      ),
  );
  if (exact.length > 0) {
    const done = new Set<object>(exact.flatMap(({ recorded, declared }) => [recorded, declared]));
    const rest = pairs.filter(({ recorded, declared }) => !done.has(recorded) && !done.has(declared));
    return [...exact, ...componentsOf(rest).flatMap(decided)];
  }
  if (pairs.length === 1) return [...pairs];
  const byNames = pairs.map((pair) => ({ pair, change: changedTokens(pair.recorded.name, pair.declared.name) }));
  // A common change of names, such as `hr` to `people`, determines the pairs only if it applies to all connected candidates.
  const size = (side: (pair: CandidatePair<R, D>) => object): number => new Set(pairs.map(side)).size;
  const [records, declarations] = [size(({ recorded }) => recorded), size(({ declared }) => declared)];
  const substitutions = [...Map.groupBy(byNames, ({ change }) => change && `${change.before} ${change.after}`)].flatMap(
    ([change, alike]) => {
      const all = alike.map(({ pair }) => pair);
      const isWhole = all.length === Math.min(records, declarations) && all.every((pair) => isOnlyPair(pair, all));
      return change !== undefined && isWhole ? [all] : [];
    },
  );
  const [only, ...more] = substitutions;
  return only && more.length === 0 && records === declarations ? only : [];
}

function isOnlyPair<R, D>(pair: CandidatePair<R, D>, pairs: readonly CandidatePair<R, D>[]): boolean {
  return pairs.every((other) => other === pair || (other.recorded !== pair.recorded && other.declared !== pair.declared));
}
