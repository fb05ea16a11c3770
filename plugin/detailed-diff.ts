import type { Change } from "../provider/compare";
import { hasUnknown, isObject, sameValue, stable } from "../provider/values";

export interface PropertyPlace {
  path: string;
  how: Change["how"];
}

/**
 * Returns the paths of the changed parts of a property. The engine uses the paths of changed parts for the options
 * `replaceOnChanges` and `hideDiffs`, and for the display of changes. A moved list item is not a change, because the service
 * ignores the order of lists.
 */
export function placesOf({ property, how, before, after }: Change): PropertyPlace[] {
  if (how !== "changed" || hasUnknown(after)) return [{ path: property, how }];
  const places = within(property, before, after);
  // If only the order of a list differs, no part of the value has changed, so the whole property counts as changed.
  return places.length > 0 ? places : [{ path: property, how }];
}

function within(path: string, before: unknown, after: unknown): PropertyPlace[] {
  if (before === undefined) return [{ path, how: "added" }];
  if (after === undefined) return [{ path, how: "removed" }];
  if (sameValue(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => within(`${path}${member(name)}`, before[name], after[name]));
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ path, how: "changed" }];
  const [left, come] = [withoutThoseOf(after, before), withoutThoseOf(before, after)];
  const places = [...new Set([...left.keys(), ...come.keys()])].toSorted((a, b) => a - b);
  return places.flatMap((at) => within(`${path}[${at}]`, left.get(at), come.get(at)));
}

function withoutThoseOf(other: readonly unknown[], list: readonly unknown[]): Map<number, unknown> {
  const counts = new Map<string, number>();
  for (const item of other) counts.set(stable(item), (counts.get(stable(item)) ?? 0) + 1);
  return new Map(
    [...list.entries()].filter(([, item]) => {
      const count = counts.get(stable(item)) ?? 0;
      counts.set(stable(item), count - 1);
      return count < 1;
    }),
  );
}

const member = (name: string): string => (/^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
