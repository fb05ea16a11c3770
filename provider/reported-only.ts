import type { Failure, Kind } from "./kind";
import type { Properties } from "./values";

/** Whether a value is one that the service may report and no request may ask for. */
export function isReportedOnly(kind: Kind, property: string, value: unknown): boolean {
  return kind.reportedOnly?.[property]?.some((one) => one === value) ?? false;
}

/**
 * What is wrong with declared values that only the service sets: a program may declare what the service holds, as an import writes
 * it, and neither a create nor a change can ask for it.
 *
 * @param former inputs that the resource has; none of one that is to be created
 */
export function reportedOnlyFailures(kind: Kind, inputs: Properties, former: Properties): Failure[] {
  return Object.keys(kind.reportedOnly ?? {})
    .filter((property) => isReportedOnly(kind, property, inputs[property]) && former[property] !== inputs[property])
    .map((property) => ({
      path: property,
      reason:
        `is a value that only the service sets: it can be declared of an imported ${kind.noun} that has it, and no create or ` +
        "change can ask for it",
    }));
}
