import type { ManagedResource, Position } from "../engine/state";
import type { Instance, Instances } from "./instances";

/** The reason why the declaration of a resource is not found, with a place to look at. */
export interface Lost {
  why: string;
  position?: Position;
}

/**
 * Finds the declaration of a resource: at the place that the last update saw if that has its class and name, else the only
 * declaration of its class and name. It has several instances if a function is called more than once.
 */
export function locate(
  instances: Instances,
  { kind, name, position }: Pick<ManagedResource, "kind" | "name" | "position">,
): readonly Instance[] | Lost {
  const { all, source } = instances;
  const named = instances.find(kind.name, name);
  const seen = position && source.at(position);
  const there = named.filter(({ declaration }) => declaration === seen);
  if (there.length > 0) return there;
  const [found, ...others] = new Set(named.map(({ declaration }) => declaration));
  if (found && others.length === 0) return named;
  if (found) {
    const places = [found, ...others].map((one) => placeText(one.position)).join(", ");
    return { why: `is declared in ${others.length + 1} places (${places})`, position: found.position };
  }
  const isKind = seen?.className === kind.name;
  if (isKind && all.some((one) => one.declaration === seen && one.name === undefined)) {
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
