import { href } from "../../../emulator/page/visit";

test("links on pages contain the account group's id, except for the default account group", () => {
  expect(href("/agents", "1001", { search: "", page: undefined })).toBe("/agents");
  expect(href("/agents", "1002", { search: "a&b", page: 2 })).toBe("/agents?aid=1002&search=a%26b&page=2");
});
