import type { Kind } from "../../provider/kind";
import { type KindName, registry } from "../../provider/registry";
import type { Held } from "../held";
import type { UnseenProperty } from "./report";
import type { Look } from "./stacks";
import type { Names } from "./words";

/** A record among all of its service. */
export function recordKey(kind: KindName, id: string): string {
  return `${kind} ${id}`;
}

/** Names in the programs of what properties refer to by id. */
export function namesIn(looks: readonly Look[]): Names {
  const names = new Map(looks.flatMap(({ held }) => held.map((one) => [recordKey(one.kindName, one.id), one.name] as const)));
  return (kindName, property, value) => {
    const kind: Kind = registry[kindName];
    const target = kind.refersTo[property];
    return target !== undefined && typeof value === "string" ? names.get(`${target} ${value}`) : undefined;
  };
}

/** Properties that can't be seen, of the kinds that the stacks hold. A run is over: nothing of it can change. */
export function unseenProperties(looks: readonly Look[]): UnseenProperty[] {
  const held = looks.flatMap((look) => look.held).filter(({ kind }) => kind.origin !== undefined);
  const counts = new Map<KindName, number>();
  for (const { kindName } of held) counts.set(kindName, (counts.get(kindName) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([kind, resources]) => {
      const properties = held.find(({ kindName }) => kindName === kind)?.kind.writeOnly ?? [];
      return properties.map((property) => ({ kind, property, resources }));
    });
}

/** Says of each record that several resources manage which ones: each undoes what the other does. */
export function managedTwice(looks: readonly Look[], elsewhere: readonly Held[]): string[] {
  const resources = new Map<string, Held[]>();
  const add = (key: string, held: Held): void => void resources.set(key, [...(resources.get(key) ?? []), held]);
  const keysOfRecord = new Map<string, Set<string>>();
  for (const { held, session } of looks) {
    for (const one of held) {
      if (one.kind.origin === undefined) continue;
      const record = recordKey(one.kindName, one.id);
      const key = `${session?.settings.client.baseUrl ?? ""} ${record}`;
      keysOfRecord.set(record, (keysOfRecord.get(record) ?? new Set()).add(key));
      add(key, one);
    }
  }
  // Which service another project's stack is for is not known: an id that is the same is taken for the same record.
  for (const one of elsewhere) for (const key of keysOfRecord.get(recordKey(one.kindName, one.id)) ?? []) add(key, one);
  return [...resources.values()].flatMap((several) => {
    const [first] = several;
    if (first === undefined || several.length < 2) return [];
    const names = several.map(({ name, stack }) => `${name} of stack ${stack}`).join(" and ");
    return [
      `the ${first.kind.noun} ${first.id} is managed by ${names}: each undoes what the other does. Keep it in one of them`,
    ];
  });
}
