import type { ManagedResource, Position } from "../engine/state";
import type { Declaration } from "./declarations";
import type { ProgramSource } from "./program";

/** Why the declaration of a resource is not known, and a place to look at. */
export interface Lost {
  why: string;
  position?: Position;
}

/**
 * The declaration of a resource: the one at the place that the last update saw, where that has its class and name, else the only
 * one of its class and name.
 */
export function locate(
  source: ProgramSource,
  { kind, name, position }: Pick<ManagedResource, "kind" | "name" | "position">,
): Declaration | Lost {
  const seen = position && source.at(position);
  if (seen?.className === kind.name && seen.name === name) return seen;
  const [found, ...others] = source.find(kind.name, name);
  if (found && others.length === 0) return found;
  if (found) {
    const places = [found, ...others].map((one) => placeText(one.position)).join(", ");
    return { why: `is declared in ${others.length + 1} places (${places})`, position: found.position };
  }
  if (seen?.className === kind.name && seen.name === undefined) {
    return { why: "has a name that is worked out: its declaration may stand for several resources", position: seen.position };
  }
  const isRead = position && source.texts.has(position.file);
  const hint = position
    ? `; the last update saw it at ${placeText(position)}${isRead ? "" : ", which is not TypeScript of it"}`
    : "";
  return { why: `is declared by no new ${kind.name}("${name}", …) in the program${hint}` };
}

/** A place as people and editors write it. */
export function placeText({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
