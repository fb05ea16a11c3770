/** A few tries of each row of damaged input; all of them in `npm run test:long`. */
import { check } from "../../provider/check";
import { registry } from "../../provider/registry";
import { rows } from "../chaos/rows/input";
import { amount, seed } from "../support/amount";

const few: Record<string, number> = {
  "bad input to check and diff": 500,
  "mutated answers of the service": 150,
  "damaged state objects": 30,
  "damaged preview files": 20,
  "damaged program and import files": 12,
};

it.each(rows.map((row) => [row.name, row] as const))(
  "%s: reported, without a crash, a stack or a value shown",
  async (name, row) => {
    const count = amount(few[name] ?? 0, row.atLeast);
    const { tried, told, wrong } = await row.run({ seed: seed(1), count, progress: () => undefined });
    // Each with its seed, by which it is repeated; the first of them say enough.
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(wrong).toHaveLength(0);
    expect(tried).toBe(count);
    // Where nothing is ever reported the row tries nothing that is wrong.
    expect(told).toBeGreaterThan(count / 50);
  },
  900_000,
);

test("check reports an object that stands for a text or a list, also if its length has no primitive value", () => {
  for (const kind of Object.values(registry)) {
    for (const property of Object.keys(kind.schema.shape)) {
      for (const measure of ["length", "size"]) {
        const { failures } = check(kind, { [property]: { [measure]: { toString: 1, valueOf: 1 } } });
        expect(failures).not.toEqual([]);
      }
    }
  }
});
