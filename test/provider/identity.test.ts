import { titleOf, titleOfRecord } from "../../provider/identity";
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
