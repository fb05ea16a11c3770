import { type Shallow, shallow } from "./shape";
import { type Properties, compact } from "./values";

/**
 * Returns properties without the members that the resource classes add for dynamic providers: the provider string, the
 * resource's name (`__resource`), and `__preview` in a preview. Check removes `__preview`, so no state has it.
 */
export function withoutProtocol({ __provider, __resource, __preview, ...properties }: Properties): Properties {
  return properties;
}

/** Returns the protocol member that the host does not add to a provider's result: the resource's name. */
export function protocolOf({ __resource }: Properties): Properties {
  return compact({ __resource });
}

/** Removes protocol members and absent members from properties, and replaces properties that are nested too deep. */
export function received(properties: Properties, standIn: unknown): Shallow {
  const { properties: rest, deep } = shallow(withoutProtocol(properties), standIn);
  return { properties: compact(rest), deep };
}

/**
 * Cleans properties from a state, or properties that have been checked. A property that is nested too deep becomes `[null]`,
 * which no kind allows.
 */
export function own(properties: Properties): Properties {
  return received(properties, [null]).properties;
}
