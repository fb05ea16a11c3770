import { importsOf, sourcesOf, type Import } from "./imports";

/** The groups of files of some rooms in which each leads to every other by imports. @param counts the imports that count */
export function circlesOf(rooms: readonly string[], counts: (one: Import) => boolean): string[][] {
  const files = new Set(rooms.flatMap((room) => sourcesOf(room)));
  const fileOf = (target: string): string | undefined =>
    [".ts", ".mjs", ".cjs", "/index.ts", ""].map((ending) => target + ending).find((file) => files.has(file));
  const imports = new Map(
    [...files].map((file) => [
      file,
      importsOf(file)
        .filter((one) => one.internal && counts(one))
        .flatMap(({ target }) => fileOf(target) ?? []),
    ]),
  );
  return circlesIn(imports);
}

/** The circles of a graph, by what each of its nodes leads to: Tarjan's algorithm. A node that leads to itself is one, too. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const [numbers, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const open: string[] = [];
  const visit = (node: string): void => {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.get(node) ?? 0);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== numbers.get(node)) return;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1 || graph.get(node)?.includes(node)) found.push(circle.toSorted());
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return found;
}
