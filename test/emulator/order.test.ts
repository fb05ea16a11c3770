import fc from "fast-check";
import { Order } from "../../emulator/order";
import { amount, seed } from "../support/amount";

interface Item {
  readonly sequence: number;
  readonly figure: number | undefined;
  readonly name: string | undefined;
}

const items = fc
  .array(fc.record({ figure: fc.option(fc.nat(3), { nil: undefined }), name: fc.constantFrom(undefined, "", "a", "b") }), {
    maxLength: 30,
  })
  .map((all): Item[] => all.map((item, at) => ({ ...item, sequence: at + 1 })));
const orders = fc
  .record({ figure: fc.boolean(), name: fc.boolean(), ties: fc.constantFrom("oldest first", "newest first") })
  .map(({ figure, name, ties }) => {
    const keys = [
      { value: (item: Item) => item.figure, descending: figure },
      { value: (item: Item) => item.name, descending: name },
    ];
    return new Order<Item>(keys, ties);
  });

test("a page begins after the previous page's last record, even if a user deletes records", () => {
  fc.assert(
    fc.property(items, orders, fc.nat(29), fc.func(fc.boolean()), (all, order, at, isDeleted) => {
      const sorted = order.sorted(all);
      const last = sorted[at];
      if (!last) return;
      // The place after serialization in a cursor.
      const place = order.parsePlace(JSON.parse(JSON.stringify(order.placeOf(last)))) ?? [];
      const remaining = sorted.filter(({ sequence }) => !isDeleted(sequence));
      const expected = sorted.slice(at + 1).filter((item) => remaining.includes(item));
      expect(remaining.slice(order.indexAfter(remaining, place))).toEqual(expected);
    }),
    { numRuns: amount(100, 1000), seed: seed(7) },
  );
});

test("a sorted list ends with the records without the sort key, in both directions", () => {
  const rows = [3, undefined, 1].map((figure, at): Item => ({ figure, name: undefined, sequence: at + 1 }));
  const figures = (descending: boolean) =>
    new Order<Item>([{ value: ({ figure }) => figure, descending }], "oldest first").sorted(rows).map(({ figure }) => figure);
  expect([figures(false), figures(true)]).toEqual([
    [1, 3, undefined],
    [3, 1, undefined],
  ]);
});
