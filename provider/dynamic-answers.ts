import { DerivedReplacementError, PartialFailure } from "./failures";
import { protocolOf } from "./received";
import { reshapedProperty } from "./reshaped";
import { type Properties, compact, isObject, secretOf, stringOf } from "./values";

/**
 * Marks secret inputs again, because a Pulumi transform may have replaced a marked value with plain text. The engine stores
 * an unmarked value in plain text.
 */
export function withSecrets(inputs: Properties, secrets: readonly string[]): Properties {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, secrets.includes(name) ? secretOf(value) : value]),
  );
}

/**
 * Marks secret values that the service returned in a different form, because the engine marks only inputs as secrets.
 *
 * @param secrets names of secret properties, or true if any property may be secret
 */
export function withSecretPairs(state: Properties, secrets: true | readonly string[]): Properties {
  const pairs = state[reshapedProperty];
  if (!isObject(pairs)) return state;
  return { ...state, [reshapedProperty]: secrets === true ? secretOf(pairs) : withSecrets(pairs, secrets) };
}

/**
 * Wraps a function, and converts its errors to messages for users.
 *
 * @param messageFor function that returns a message, or undefined if the error is a bug in this package
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
      // If an error has the members `id`, `properties` and `reasons`, the engine keeps the resource in the state and prints
      // the reasons.
      const partial = error instanceof PartialFailure ? partialOf(error, args.at(-1) as Properties, marked) : {};
      // Pulumi's provider host would print a stack trace, but a user's mistake needs no stack trace.
      throw Object.assign(new Error(message), { stack: "", toString: () => "", ...partial });
    }
  };
}

/**
 * Returns the error members that the engine needs to store a resource after a partial success. Pulumi's provider host adds the provider
 * string to results, but not to errors. Without the provider string, the engine could neither refresh nor delete the resource.
 */
function partialOf(
  { id, state, reasons }: PartialFailure,
  inputs: Properties,
  marked: (state: Properties) => Properties,
): object {
  const { __provider } = inputs;
  return { id, properties: compact({ ...marked(compact(state)), ...protocolOf(inputs), __provider }), reasons };
}

/**
 * Returns the resource's name, which the resource class adds to the inputs. A state from an older version of this package
 * lacks the resource's name.
 */
export function resourceOf(properties: Properties): string {
  return stringOf(properties["__resource"]) ?? "";
}
