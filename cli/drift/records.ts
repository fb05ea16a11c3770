import { check } from "../../provider/check";
import { listOf } from "../../provider/compare";
import type { Kind } from "../../provider/kind";
import { type KindName, registry } from "../../provider/registry";
import { unknownValue } from "../../provider/values";
import type { Held } from "../held";
import { sameRecordText } from "../same-record";
import { order } from "../words";
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

/** Properties that can't be seen, of the resources that have them. A run is over: nothing of it can change. */
export function unseenProperties(looks: readonly Look[]): UnseenProperty[] {
  const held = looks.flatMap((look) => look.held).filter(({ kind }) => kind.origin !== undefined);
  return [...Map.groupBy(held, ({ kindName }) => kindName)]
    .toSorted(([a], [b]) => order(a, b))
    .flatMap(([kindName, all]) => {
      const kind: Kind = registry[kindName];
      const counts = kind.writeOnly.map((property) => ({
        kind: kindName,
        property,
        resources: all.filter((one) => mayHave(one, property)).length,
      }));
      return counts.filter(({ resources }) => resources > 0);
    });
}

/** Whether a resource has a property that is never returned. Where an import could not know that: whether it can have one. */
function mayHave({ kind, inputs, outputs }: Held, property: string): boolean {
  if (inputs[property] !== undefined || outputs[property] !== undefined) return true;
  if (!listOf(outputs["unknownFields"]).includes(property)) return false;
  return check(kind, { ...inputs, [property]: unknownValue }).failures.length === 0;
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
    if (new Set(several.map(({ stack }) => stack)).size === 1) {
      const { message, fix } = sameRecordText(several);
      return [`${message}. What to do: ${fix}`];
    }
    const names = several.map(({ name, stack }) => `${name} of stack ${stack}`).join(" and ");
    return [
      `the ${first.kind.noun} ${first.id} is managed by ${names}: each undoes what the other does. Keep it in one of them`,
    ];
  });
}
