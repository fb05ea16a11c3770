import { registry, type KindName } from "../../provider/registry";

const places = new Map(Object.keys(registry).map((name, at) => [name, at]));

/** In the order of the registry, then by what else tells them apart: the same drift is always told in the same words. */
export function inOrder<T extends { kind: KindName; id: string; name: string }>(items: readonly T[]): T[] {
  const place = ({ kind, name, id }: T): [number, string] => [places.get(kind) ?? 0, `${name}\n${id}`];
  return items.toSorted((a, b) => {
    const [[kindA, textA], [kindB, textB]] = [place(a), place(b)];
    if (kindA !== kindB) return kindA - kindB;
    return textA < textB ? -1 : Number(textA > textB);
  });
}
