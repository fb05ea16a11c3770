import type { CheckFailure, Kind } from "./kind";
import type { Properties } from "./values";

export function isReportedOnly(kind: Kind, property: string, value: unknown): boolean {
  return kind.properties[property]?.reportedOnly?.some((reported) => reported === value) ?? false;
}

/**
 * Returns a failure for each declared value that only the service can set. A program may declare a service-only value only if
 * the record already has the value.
 *
 * @param properties inputs of the existing resource, or an empty object for a new resource
 */
export function reportedOnlyFailures(kind: Kind, inputs: Properties, properties: Properties): CheckFailure[] {
  return Object.keys(kind.properties)
    .filter((property) => isReportedOnly(kind, property, inputs[property]) && properties[property] !== inputs[property])
    .map((property) => ({
      path: property,
      reason:
        `is a value that only the service can set. An imported ${kind.noun} that has this value may declare it, but a create or change ` +
        "cannot request it",
    }));
}
