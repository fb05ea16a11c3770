import { type Shallow, shallow } from "./shape";
import { type Properties, compact } from "./values";

/** Removes the members that resource classes add for dynamic providers. */
export function withoutProtocol({ __provider, __resource, __preview, ...properties }: Properties): Properties {
  return properties;
}

/**
 * Returns the member that contains the resource's name. Every result must contain the resource's name, because Pulumi's provider host does
 * not add it.
 */
export function protocolOf({ __resource }: Properties): Properties {
  return compact({ __resource });
}

/**
 * Removes the members that resource classes add, and members without a value. A placeholder replaces each property that is nested too
 * deeply.
 */
export function received(properties: Properties, standIn: unknown): Shallow {
  const { properties: rest, deep } = shallow(withoutProtocol(properties), standIn);
  return { properties: compact(rest), deep };
}

/**
 * Removes the members that resource classes add from the properties of a state. A property that is nested too deeply becomes `[null]`,
 * which no resource type allows.
 */
export function own(properties: Properties): Properties {
  return received(properties, [null]).properties;
}
