import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../cli/command";
import { writeWhole } from "../../cli/files";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "files-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("writes a new file, makes its folder, and replaces what was there; nothing else stays", () => {
  const file = join(folder, "a/b/report.md");
  writeWhole(file, "first");
  writeWhole(file, "second");
  expect(readFileSync(file, "utf8")).toBe("second");
  expect(readdirSync(join(folder, "a/b"))).toEqual(["report.md"]);
});

it("keeps a file with secrets to its owner", () => {
  const file = join(folder, "import.json");
  writeWhole(file, "{}", 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("says which place cannot be written to, and why, and leaves no litter", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => writeWhole(join(folder, "file/report.md"), "text")).toThrow(UsageError);
  expect(() => writeWhole(join(folder, "file/report.md"), "text")).toThrow(
    /file\/report\.md cannot be written \(EEXIST|ENOTDIR/,
  );
  mkdirSync(join(folder, "taken"));
  expect(() => writeWhole(join(folder, "taken"), "text")).toThrow(/taken cannot be written \(EISDIR|ENOTEMPTY/);
  expect(readdirSync(folder).toSorted()).toEqual(["file", "taken"]);
});
