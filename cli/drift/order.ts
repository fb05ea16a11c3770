import { order } from "../words";
import { registry, type KindName } from "../../provider/registry";

const places = new Map(Object.keys(registry).map((name, at) => [name, at]));

/** In the order of the registry, then by what else tells them apart: the same drift is always told in the same words. */
export function inOrder<T extends { kind: KindName; id: string; name: string }>(items: readonly T[]): T[] {
  const place = ({ kind }: T): number => places.get(kind) ?? 0;
  const text = ({ name, id }: T): string => `${name}\n${id}`;
  return items.toSorted((a, b) => place(a) - place(b) || order(text(a), text(b)));
}
