import { DerivedReplacementError, PartialFailure } from "./failures";
import { protocolOf } from "./received";
import { reshapedProperty } from "./reshaped";
import { type Properties, compact, isObject, secretOf, stringOf } from "./values";

/**
 * Marks the kind's secret inputs, as the resource class does. A transform changes inputs after the class has marked them, and
 * the engine would store the transform's values as plain text.
 */
export function withSecrets(inputs: Properties, secrets: readonly string[]): Properties {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, secrets.includes(name) ? secretOf(value) : value]),
  );
}

/**
 * Marks the returned forms of secret values. The engine recognizes secret inputs by name, but passes no marks to a dynamic
 * provider.
 *
 * @param secrets names of secret properties; true if any property may be secret
 */
export function withSecretPairs(state: Properties, secrets: true | readonly string[]): Properties {
  const pairs = state[reshapedProperty];
  if (!isObject(pairs)) return state;
  return { ...state, [reshapedProperty]: secrets === true ? secretOf(pairs) : withSecrets(pairs, secrets) };
}

/**
 * Wraps a function so that its errors are messages for users.
 *
 * @param messageFor returns the message of an error; undefined for a bug
 * @param discreet whether messages must show neither names nor values
 * @param marked marks the secrets of a state
 */
export function guarded<A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
  messageFor: (error: unknown, ...args: A) => string | undefined,
  { discreet, marked }: { discreet: boolean; marked: (state: Properties) => Properties },
): (...args: A) => Promise<T> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (thrown) {
      const hasValues = thrown instanceof PartialFailure || thrown instanceof DerivedReplacementError;
      const error: unknown = discreet && hasValues ? thrown.discreetly() : thrown;
      const message = messageFor(error, ...args);
      if (message === undefined) throw thrown;
      // With these three members, the engine keeps the object in state and prints the reasons.
      const partial = error instanceof PartialFailure ? partialOf(error, args.at(-1) as Properties, marked) : {};
      // The host prints `${error}: ${error.stack}` in addition to the engine's message. A user's mistake needs no stack.
      throw Object.assign(new Error(message), { stack: "", toString: () => "", ...partial });
    }
  };
}

/**
 * Returns the members that the host passes on from a partial failure. The host adds the provider string to results only.
 * Without it, the resource could neither be refreshed nor deleted.
 */
function partialOf(
  { id, state, reasons }: PartialFailure,
  inputs: Properties,
  marked: (state: Properties) => Properties,
): object {
  const { __provider } = inputs;
  return { id, properties: compact({ ...marked(compact(state)), ...protocolOf(inputs), __provider }), reasons };
}

/** Returns the name of a resource, which its class adds to the inputs. A state from an older version lacks the name. */
export function resourceOf(properties: Properties): string {
  return stringOf(properties["__resource"]) ?? "";
}
