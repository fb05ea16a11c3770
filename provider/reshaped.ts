import type { Kind } from "./kind";
import { isEqual } from "./shape";
import { type Properties, compact, isObject } from "./values";

/**
 * State property that stores each declared value together with the different value that the service returned. The engine
 * hides properties that begin with two underscores.
 */
export const reshapedProperty = "__reshaped";

/**
 * A value that a program declared, and the different value that the service returned after the write:
 * - A write adds the pair of values to the state. The next update treats the declared value and the returned value as equal, so it does not
 *   change the record.
 * - A read after `readLag` confirms the pair if the service returns the same value again. If the service returns the declared value, the
 *   read deletes the pair.
 * - A confirmed pair stays in the state until a write requests a different value.
 * - If the service later changes a value by itself, both members of the pair become the declared value. The service's change then counts as
 *   drift.
 */
interface Pair {
  requested?: unknown;
  returned?: unknown;
  confirmed?: true;
}

type Pairs = Record<string, Pair>;

/** Whether the service returned the value in the state when the provider requested the declared value. */
export function isReshaped(kind: Kind, property: string, state: Properties, declared: unknown): boolean {
  const pair = pairsOf(state)[property];
  return (
    pair !== undefined && isEqual(kind, property, pair.returned, state[property]) && isRequested(kind, property, pair, declared)
  );
}

/** Whether the program declares a different value than the last write requested. */
export function isNewRequest(kind: Kind, property: string, state: Properties, declared: unknown): boolean {
  const pair = pairsOf(state)[property];
  return pair !== undefined && !isRequested(kind, property, pair, declared);
}

/** Returns the properties that the service always returns in a different form than the program declares. */
export function reshapedIn(kind: Kind, state: Properties, inputs: Properties): string[] {
  return Object.keys(pairsOf(state)).filter(
    (property) =>
      property in kind.properties &&
      isReshaped(kind, property, state, inputs[property]) &&
      !isEqual(kind, property, state[property], inputs[property]),
  );
}

/** Returns inputs from a state. If the service returned a value in a different form, the declared value replaces the returned value. */
export function asRequested(kind: Kind, state: Properties, inputs: Properties): Properties {
  const requested = Object.entries(pairsOf(state))
    .filter(([property, { requested: value }]) => property in inputs && isReshaped(kind, property, state, value))
    .map(([property, pair]) => [property, pair.requested]);
  return compact({ ...inputs, ...Object.fromEntries(requested) });
}

/**
 * Adds the declared value and the returned value of each written property to the state, if the two values differ.
 *
 * @param before state before an update. If the update did not change a value, the function stores no pair, because the service may have
 * ignored the request
 */
export function withLearned(
  kind: Kind,
  state: Properties,
  inputs: Properties,
  sent: (property: string) => boolean,
  before?: Properties,
): Properties {
  const former = pairsOf(before ?? {});
  const learned = Object.keys(kind.properties).flatMap((property): [string, Pair][] => {
    const pair = former[property];
    const [requested, returned] = [inputs[property], state[property]];
    if (!sent(property)) return pair ? [[property, pair]] : [];
    if (isEqual(kind, property, requested, returned) || !isCompared(kind, property, requested)) return [];
    if (pair && isReshaped(kind, property, { ...state, [reshapedProperty]: former }, requested)) return [[property, pair]];
    if (before && isEqual(kind, property, before[property], returned)) return [];
    return [[property, compact({ requested, returned })]];
  });
  return withPairs(state, learned);
}

/** Copies the pairs of declared and returned values from the previous state to the state that a read returned. */
export function withReadPairs(kind: Kind, properties: Properties, state: Properties, showsLastWrite: boolean): Properties {
  const former = pairsOf(properties);
  const pairs = Object.keys(kind.properties).flatMap((property): [string, Pair][] => {
    const pair = former[property];
    const equals = (value: unknown): boolean => isEqual(kind, property, value, state[property]);
    if (!pair) {
      const departs =
        kind.createOnly.includes(property) && isCompared(kind, property, properties[property]) && !equals(properties[property]);
      return departs ? [[property, unchanged(properties[property])]] : [];
    }
    if (pair.confirmed || !showsLastWrite) return [[property, pair]];
    if (equals(pair.requested)) return [];
    if (equals(pair.returned)) return [[property, { ...pair, confirmed: true }]];
    return [[property, unchanged(pair.requested)]];
  });
  return withPairs(state, pairs);
}

function unchanged(requested: unknown): Pair {
  return compact({ requested, returned: requested });
}

function withPairs(state: Properties, pairs: readonly [string, Pair][]): Properties {
  const { [reshapedProperty]: _, ...others } = state;
  return pairs.length === 0 ? others : { ...others, [reshapedProperty]: Object.fromEntries(pairs) };
}

/**
 * Returns the valid pairs of declared and returned values in a state. The function ignores invalid entries, because a user may have edited
 * the state.
 */
function pairsOf(state: Properties): Pairs {
  const pairs = state[reshapedProperty];
  return isObject(pairs)
    ? Object.fromEntries(Object.entries(pairs).filter((entry): entry is [string, Pair] => isObject(entry[1])))
    : {};
}

/** Whether a property is comparable: the service returns the property, and the program determines its value. */
function isCompared(kind: Kind, property: string, declared: unknown): boolean {
  const without = [kind.writeOnly, kind.localOnly, kind.providerOptions];
  if (without.some((properties) => properties.includes(property))) return false;
  return declared !== undefined || !kind.leftToService.includes(property);
}

function isRequested(kind: Kind, property: string, { requested }: Pair, declared: unknown): boolean {
  return isEqual(kind, property, requested, declared);
}
