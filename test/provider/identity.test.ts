import { hasSecretTitle, titleOf, titleOfRecord } from "../../provider/identity";
import { records } from "../../provider/registry";

const members = { name: "Label a", testName: "Test a", key: "branch", value: "north" };

// Each create needs the titles of all records in the account, so a title must be cheap.
test.each(Object.values(records))("the title of a $name depends only on the properties that identify the record", (kind) => {
  const read: string[] = [];
  const record = new Proxy(members, {
    get: (target, member) => {
      read.push(String(member));
      return Reflect.get(target, member) as unknown;
    },
  });
  expect(titleOfRecord(kind, record)).toBe(titleOf(kind, members));
  expect(titleOf(kind, members)).toBeDefined();
  expect(new Set(read)).toEqual(new Set(kind.identity));
});

test.each(Object.values(records))(
  "the title of a $name is secret if any property that identifies the record is secret",
  (kind) => {
    for (const property of kind.identity) expect(hasSecretTitle(kind, new Set([property]))).toBe(true);
    expect(hasSecretTitle(kind, new Set(["color", "interval"]))).toBe(false);
  },
);
