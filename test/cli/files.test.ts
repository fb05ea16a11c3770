import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../cli/command";
import { writeWhole } from "../../cli/files";

const root = join(__dirname, "../..");
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

it.each(Array.from({ length: 8 }, (_, i) => i))(
  "killed while it writes (%i), the file is the old one or a new one, whole",
  async (i) => {
    const file = join(folder, "big.txt");
    const script = `
    const { writeWhole } = require(${JSON.stringify(join(root, "dist/cli/files.js"))});
    for (let n = 0; ; n += 1) {
      writeWhole(${JSON.stringify(file)}, String(n % 10).repeat(3_000_000));
      if (n === 1) process.stdout.write("going\\n");
    }`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    // Not a bound on anything: eight kills at different points of a write.
    await new Promise((resolve) => setTimeout(resolve, i * 7));
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, "utf8");
    expect(text).toHaveLength(3_000_000);
    expect(new Set(text).size).toBe(1);
  },
);
