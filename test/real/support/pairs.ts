/** A property, or several related ones, with all possible values. undefined means absent. */
export type Factor = readonly (object | undefined)[];

/**
 * Returns rows that together contain each pair of values of every two factors. The algorithm is greedy and deterministic:
 * each row takes the value of each factor that makes the most new pairs.
 */
export function pairwise(factors: readonly Factor[]): object[] {
  const open = new Set<string>();
  const pair = (a: number, i: number, b: number, j: number): string => (a < b ? `${a}.${i} ${b}.${j}` : `${b}.${j} ${a}.${i}`);
  for (const [a, first] of factors.entries())
    for (let b = a + 1; b < factors.length; b += 1)
      for (const i of first.keys()) for (const j of factors[b]?.keys() ?? []) open.add(pair(a, i, b, j));
  const rows: object[] = [];
  while (open.size > 0) {
    const [seed = ""] = open;
    const row = new Map<number, number>(
      seed.split(" ").map((text): [number, number] => {
        const [factor = 0, value = 0] = text.split(".").map(Number);
        return [factor, value];
      }),
    );
    for (const [f, values] of factors.entries()) {
      if (row.has(f)) continue;
      const gain = (i: number): number => [...row].filter(([other, j]) => open.has(pair(f, i, other, j))).length;
      // Starts with another value in each row, so that ties do not always select the same value.
      const order = [...values.keys()].map((i) => (i + rows.length) % values.length);
      row.set(
        f,
        order.reduce((best, i) => (gain(i) > gain(best) ? i : best)),
      );
    }
    for (const [a, i] of row) for (const [b, j] of row) if (a < b) open.delete(pair(a, i, b, j));
    rows.push(Object.assign({}, ...[...row].map(([f, i]) => factors[f]?.[i])) as object);
  }
  return rows;
}
