/** Tries a few damaged inputs of each resource type. `npm run test:long` tries all of them. */
import { check } from "../../provider/check";
import { registry } from "../../provider/registry";
import { rows } from "../chaos/rows/input";
import { amount, seed } from "../support/amount";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const few: Record<string, number> = {
  "invalid input to check and diff": 500,
  "mutated service answers": 150,
  "damaged state objects": 30,
  "damaged preview files": 20,
  "damaged program and import files": 12,
};

it.each(rows.map((row) => [row.name, row] as const))(
  "damaged data causes no stack trace: %s",
  async (name, row) => {
    const count = amount(few[name] ?? 0, row.atLeast);
    const { tried, reported, wrong } = await row.run({ seed: seed(1), count, progress: () => undefined });
    // Each fault has its seed. The first ones are enough.
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(wrong).toHaveLength(0);
    expect(tried).toBe(count);
    // Rows that report no error would not test invalid data.
    expect(reported).toBeGreaterThan(count / 50);
  },
  900_000,
);

test("the provider's check rejects a property value that is an object with a member named length or size", () => {
  for (const kind of Object.values(registry)) {
    for (const property of Object.keys(kind.schema.shape)) {
      for (const measure of ["length", "size"]) {
        const { failures } = check(kind, { [property]: { [measure]: { toString: 1, valueOf: 1 } } });
        expect(failures).not.toEqual([]);
      }
    }
  }
});
