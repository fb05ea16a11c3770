import { slice } from "../../../emulator/page/parts";

test.each([
  [undefined, 1],
  ["2", 2],
  ["99", 3],
  ["-1", 1],
  ["x", 1],
  ["1e999", 1],
])("the query page=%s of a list with three pages shows page %i", (page, expected) => {
  const query = new URLSearchParams(page === undefined ? {} : { page });
  expect(slice([1, 2, 3, 4, 5], query, 2)).toMatchObject({ page: expected, pages: 3, total: 5 });
});
