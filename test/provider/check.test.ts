import { check } from "../../provider/check";
import { records } from "../../provider/registry";
import { unknownValue } from "../../provider/values";

const test = { testName: "T", url: "https://www.example.com" };

it.each([NaN, Infinity, -Infinity])(
  "the provider's check rejects the number %s and names the invalid property",
  (maxMachines) => {
    const { failures } = check(records.httpServerTest, { ...test, maxMachines });
    expect(failures).toEqual([{ path: "maxMachines", reason: `must be a finite number, not ${maxMachines}` }]);
  },
);

it.each([
  ["Portal\r", "000D"],
  ["\uFEFFPortal", "FEFF"],
  ["Portal\u00A0", "00A0"],
  ["\u200BPortal", "200B"],
])("the provider's check warns about the invisible character in the name %j", (testName, code) => {
  const { failures, advice } = check(records.httpServerTest, { ...test, testName });
  expect(failures).toEqual([]);
  expect(advice).toEqual([{ path: "testName", reason: expect.stringContaining(`invisible character (U+${code})`) as unknown }]);
});

it("the provider's check does not warn about visible characters in any script", () => {
  for (const testName of ["Portal", "B\u00fcro \u00a0 1", "\u{1F600}"])
    expect(check(records.httpServerTest, { ...test, testName }).advice).toBeUndefined();
});

it("the provider's check warns that a new test authenticates without a password", () => {
  const declared = { ...test, authType: "basic", username: "probe" };
  const advised = (properties: object, exists: boolean) =>
    check(records.httpServerTest, { ...declared, ...properties }, {}, exists).advice;
  const reason = "is not declared, so a new test authenticates with authType basic without a password";
  expect(advised({}, false)).toEqual([{ path: "password", reason }]);
  expect(advised({ password: "secret" }, false)).toBeUndefined();
  expect(advised({ password: unknownValue }, false)).toBeUndefined();
  // The existing record may have a password that the service does not return.
  expect(advised({}, true)).toBeUndefined();
  expect(advised({ authType: "none", username: undefined }, false)).toBeUndefined();
});
