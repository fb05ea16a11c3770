import { changedTokens } from "../../common/token-change";

test.each([
  ["hr-site-01", "people-site-01", { before: "hr", after: "people" }],
  ["site-01-hr", "site-01-people", { before: "hr", after: "people" }],
  ["HR portal, London", "People portal, London", { before: "HR", after: "People" }],
  ["a-b-c", "a-c", { before: "b-", after: "" }],
  ["same", "same", { before: "", after: "" }],
  ["portal", "vpn", undefined],
  ["a-b", "c-d", undefined],
])("changedTokens() finds the words that differ between %s and %s", (before, after, change) => {
  expect(changedTokens(before, after)).toEqual(change);
});
