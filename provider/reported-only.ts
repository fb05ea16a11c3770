import type { Failure, Kind } from "./kind";
import type { Properties } from "./values";

/** Whether a value is one that the service may report and no request may ask for. */
export function isReportedOnly(kind: Kind, property: string, value: unknown): boolean {
  return kind.properties[property]?.reportedOnly?.some((one) => one === value) ?? false;
}

/**
 * What is wrong with declared values that only the service sets: a program may declare what the service holds, as an import writes
 * it, and neither a create nor a change can ask for it.
 *
 * @param held inputs that the resource has; none of one that is to be created
 */
export function reportedOnlyFailures(kind: Kind, inputs: Properties, held: Properties): Failure[] {
  return Object.keys(kind.properties)
    .filter((property) => isReportedOnly(kind, property, inputs[property]) && held[property] !== inputs[property])
    .map((property) => ({
      path: property,
      reason:
        `is a value that only the service sets: it can be declared of an imported ${kind.noun} that has it, and no create or ` +
        "change can ask for it",
    }));
}
