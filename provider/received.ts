import { type Shallow, shallow } from "./shape";
import { type Properties, compact } from "./values";

/** Removes the provider string and absent members from properties, and replaces properties that are nested too deep. */
export function received({ __provider, ...properties }: Properties, standIn: unknown): Shallow {
  const { properties: rest, deep } = shallow(properties, standIn);
  return { properties: compact(rest), deep };
}

/**
 * Cleans properties of a state, or properties that were checked before. A property that is nested too deep becomes `[null]`, which no
 * kind allows.
 */
export function own(properties: Properties): Properties {
  return received(properties, [null]).properties;
}
