import { type Shallow, shallow } from "./shape";
import { type Properties, compact } from "./values";

/**
 * Returns properties without what the resource classes add for dynamic providers: the provider string, the name of the resource
 * (`__resource`), and in a preview `__preview`, which check removes, so that no state has it.
 */
export function withoutProtocol({ __provider, __resource, __preview, ...properties }: Properties): Properties {
  return properties;
}

/** Returns the part of the protocol that the host does not add to what a provider returns: the name of the resource. */
export function protocolOf({ __resource }: Properties): Properties {
  return compact({ __resource });
}

/** Removes what belongs to the protocol and absent members from properties, and replaces properties that are nested too deep. */
export function received(properties: Properties, standIn: unknown): Shallow {
  const { properties: rest, deep } = shallow(withoutProtocol(properties), standIn);
  return { properties: compact(rest), deep };
}

/**
 * Cleans properties of a state, or properties that were checked before. A property that is nested too deep becomes `[null]`, which no
 * kind allows.
 */
export function own(properties: Properties): Properties {
  return received(properties, [null]).properties;
}
