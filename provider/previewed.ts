import type { Kind } from "./kind";
import { unmanagedFields } from "./state";
import { type Properties, unknownValue } from "./values";

/** Returns the outputs of a resource that a preview would create: its inputs, and all that only the service knows as unknown. */
export function createdPreview(kind: Kind, inputs: Properties): Properties {
  const unknown = Object.fromEntries(Object.keys(kind.outputSchema.shape).map((output) => [output, unknownValue]));
  return { ...unknown, ...leftToService(kind, inputs), ...declared(kind, inputs) };
}

/**
 * Returns the outputs of a resource that a preview would update: its inputs over its state. The further outputs of a record are facts
 * that stay; those of other resources are what an action results in.
 */
export function updatedPreview(kind: Kind, state: Properties, inputs: Properties): Properties {
  const results = kind.origin === undefined ? Object.keys(kind.outputSchema.shape).filter((output) => output in state) : [];
  const unknown = Object.fromEntries(results.map((output) => [output, unknownValue]));
  const kept = Object.entries(state).filter(([name]) => !(name in kind.properties) || kind.leftToService.includes(name));
  return { ...Object.fromEntries(kept), ...unknown, ...declared(kind, inputs) };
}

/** Properties whose value the service chooses are known after the create only. */
function leftToService(kind: Kind, inputs: Properties): Properties {
  return Object.fromEntries(unmanagedFields(kind, inputs).map((property) => [property, unknownValue]));
}

function declared(kind: Kind, inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !kind.providerOptions.includes(name)));
}
