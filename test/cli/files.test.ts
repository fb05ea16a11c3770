import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../common/files";
import { UsageError } from "../../common/errors";
import { inPrivateFolder, newPrivateFolder } from "../../engine/private-files";

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

it("keeps the permissions that a file has, whatever the user's mask", () => {
  const file = join(folder, "shared.md");
  writeFileSync(file, "first");
  chmodSync(file, 0o664);
  writeWhole(file, "second");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["second", 0o664]);
  // What is to hold secrets is closed, however open it was.
  writeWhole(file, "third", 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  ["to a file", true],
  ["to a file that does not exist yet", false],
])("leaves a symbolic link %s what it is, and writes where it leads", (_what, exists) => {
  mkdirSync(join(folder, "real"));
  if (exists) writeFileSync(join(folder, "real/report.md"), "first");
  symlinkSync("real/report.md", join(folder, "link.md"));
  writeWhole(join(folder, "link.md"), "second");
  expect(lstatSync(join(folder, "link.md")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "real/report.md"), "utf8")).toBe("second");
  expect(readdirSync(folder).toSorted()).toEqual(["link.md", "real"]);
  expect(readdirSync(join(folder, "real"))).toEqual(["report.md"]);
});

it("writes to what is no file, and leaves it there", () => {
  writeWhole("/dev/null", "text");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
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

describe("a folder that is deleted afterwards", () => {
  const own = `pulumi-endpoint-monitoring-${process.getuid?.()}`;
  const places = () => ({ TMPDIR: join(folder, "tmp"), PULUMI_HOME: join(folder, "pulumi") });
  beforeEach(() => Object.values(places()).forEach((place) => mkdirSync(place)));

  it("is the user's alone, as are those above it", () => {
    const path = newPrivateFolder(places());
    expect(path.startsWith(join(folder, "tmp", own, "work/run-"))).toBe(true);
    for (const one of [path, join(path, ".."), join(path, "../..")]) expect(statSync(one).mode & 0o777).toBe(0o700);
  });

  it("is gone when what it is for has ended, also in a failure", async () => {
    let used = "";
    const failing = inPrivateFolder((path) => {
      used = path;
      writeFileSync(join(path, "plan"), "secret");
      return Promise.reject(new Error("ended"));
    });
    await expect(failing).rejects.toThrow("ended");
    expect(() => statSync(used)).toThrow("ENOENT");
  });

  it("is never one that somebody else has put there: a link, or a folder that is open to others", () => {
    mkdirSync(join(folder, "theirs"), { mode: 0o700 });
    symlinkSync(join(folder, "theirs"), join(folder, "tmp", own));
    expect(newPrivateFolder(places()).startsWith(join(folder, "pulumi", own))).toBe(true);
    rmSync(join(folder, "tmp", own));
    mkdirSync(join(folder, "tmp", own));
    chmodSync(join(folder, "tmp", own), 0o755);
    expect(newPrivateFolder(places()).startsWith(join(folder, "pulumi", own))).toBe(true);
    expect(readdirSync(join(folder, "theirs"))).toEqual([]);
  });
});
