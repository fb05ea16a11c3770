import type { Kind } from "./kind";
import { isEqual } from "./shape";
import { type Properties, compact, isObject } from "./values";

/**
 * Name of the state property with the values that the service returned for declared values. The engine does not show properties
 * with such names.
 */
export const reshapedProperty = "__reshaped";

/**
 * A pair: a value that a program requested, and the value that the service returned for it. An absent member represents an
 * absent value.
 *
 * - The answer to a create or update adds a pair. From then on, the two values count as equal, so no update replaces the
 *   record.
 * - A read after `readLag` confirms the pair, or deletes it if the service returns a third value. A confirmed pair is kept
 *   until a write requests another value.
 * - A pair with two equal values has no effect. It contains the requested value of a property that the service later changed by
 *   itself.
 */
interface Pair {
  requested?: unknown;
  returned?: unknown;
  confirmed?: true;
}

type Pairs = Record<string, Pair>;

/** Whether a property's value in the state is the service's form of the declared value. */
export function isReshaped(kind: Kind, property: string, state: Properties, declared: unknown): boolean {
  const pair = pairsOf(state)[property];
  return (
    pair !== undefined && isEqual(kind, property, pair.returned, state[property]) && isRequested(kind, property, pair, declared)
  );
}

/** Whether the program declares another value than the one that the record was created with, as far as the state shows this. */
export function isNewRequest(kind: Kind, property: string, state: Properties, declared: unknown): boolean {
  const pair = pairsOf(state)[property];
  return pair !== undefined && !isRequested(kind, property, pair, declared);
}

/** Returns the properties that differ between service and program and that only the program can change. */
export function reshapedIn(kind: Kind, state: Properties, inputs: Properties): string[] {
  return Object.keys(pairsOf(state)).filter(
    (property) =>
      property in kind.properties &&
      isReshaped(kind, property, state, inputs[property]) &&
      !isEqual(kind, property, state[property], inputs[property]),
  );
}

/** Returns inputs that were read from a state, with the requested value wherever the service returns another form of it. */
export function asRequested(kind: Kind, state: Properties, inputs: Properties): Properties {
  const requested = Object.entries(pairsOf(state))
    .filter(([property, { requested: value }]) => property in inputs && isReshaped(kind, property, state, value))
    .map(([property, pair]) => [property, pair.requested]);
  return compact({ ...inputs, ...Object.fromEntries(requested) });
}

/**
 * Adds a pair to a state for each property that an accepted write sent: the sent value, and the value that the service returned.
 *
 * @param before state before an update. If the update did not change the value, no pair is added, because the service may have
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

/**
 * Returns a state that was read, with the pairs of the state before the read.
 *
 * @param isSettled whether reads no longer lag behind the last write
 */
export function withReadPairs(kind: Kind, properties: Properties, state: Properties, isSettled: boolean): Properties {
  const former = pairsOf(properties);
  const pairs = Object.keys(kind.properties).flatMap((property): [string, Pair][] => {
    const pair = former[property];
    const equals = (value: unknown): boolean => isEqual(kind, property, value, state[property]);
    if (!pair) {
      const departs =
        kind.createOnly.includes(property) && isCompared(kind, property, properties[property]) && !equals(properties[property]);
      return departs ? [[property, unchanged(properties[property])]] : [];
    }
    if (pair.confirmed || !isSettled) return [[property, pair]];
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

/** Returns the pairs of a state. A state that a user edited may contain any value. */
function pairsOf(state: Properties): Pairs {
  const pairs = state[reshapedProperty];
  return isObject(pairs)
    ? Object.fromEntries(Object.entries(pairs).filter((entry): entry is [string, Pair] => isObject(entry[1])))
    : {};
}

/** Whether the service returns a property and does not choose its value. */
function isCompared(kind: Kind, property: string, declared: unknown): boolean {
  const without = [kind.writeOnly, kind.localOnly, kind.providerOptions];
  if (without.some((properties) => properties.includes(property))) return false;
  return declared !== undefined || !kind.leftToService.includes(property);
}

function isRequested(kind: Kind, property: string, { requested }: Pair, declared: unknown): boolean {
  return isEqual(kind, property, requested, declared);
}
