import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../../common/files";
import { UsageError } from "../../common/errors";
import { inPrivateFolder, newPrivateFolder } from "../../engine/private-files";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => (folder = temporary()));

it("writing a file replaces an existing file and leaves no temporary file", () => {
  const file = join(folder, "a/b/report.md");
  writeWhole(file, "first");
  writeWhole(file, "second");
  expect(readFileSync(file, "utf8")).toBe("second");
  expect(readdirSync(join(folder, "a/b"))).toEqual(["report.md"]);
});

it("only the owner can read a file with secrets", () => {
  const file = join(folder, "import.json");
  writeWhole(file, "{}", 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("writing a file keeps the file's permissions regardless of the umask", () => {
  const file = join(folder, "shared.md");
  writeFileSync(file, "first");
  chmodSync(file, 0o664);
  writeWhole(file, "second");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["second", 0o664]);
  // A file for secrets becomes private, whatever its permissions were.
  writeWhole(file, "third", 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each([
  ["to a file", true],
  ["to a file that does not exist yet", false],
])("writing a file through a symbolic link %s keeps the link", (_what, exists) => {
  mkdirSync(join(folder, "real"));
  if (exists) writeFileSync(join(folder, "real/report.md"), "first");
  symlinkSync("real/report.md", join(folder, "link.md"));
  writeWhole(join(folder, "link.md"), "second");
  expect(lstatSync(join(folder, "link.md")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "real/report.md"), "utf8")).toBe("second");
  expect(readdirSync(folder).toSorted()).toEqual(["link.md", "real"]);
  expect(readdirSync(join(folder, "real"))).toEqual(["report.md"]);
});

it("writing to a device file keeps the device", () => {
  writeWhole("/dev/null", "text");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

it("a failed write reports the path and the reason", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => writeWhole(join(folder, "file/report.md"), "text")).toThrow(UsageError);
  expect(() => writeWhole(join(folder, "file/report.md"), "text")).toThrow(
    /file\/report\.md cannot be written \(EEXIST|ENOTDIR/,
  );
  mkdirSync(join(folder, "taken"));
  expect(() => writeWhole(join(folder, "taken"), "text")).toThrow(/taken cannot be written \(EISDIR|ENOTEMPTY/);
  expect(readdirSync(folder).toSorted()).toEqual(["file", "taken"]);
});

describe("a temporary private folder", () => {
  const ownName = `pulumi-endpoint-monitoring-${process.getuid?.()}`;
  const places = () => ({ TMPDIR: join(folder, "tmp"), PULUMI_HOME: join(folder, "pulumi") });
  beforeEach(() => Object.values(places()).forEach((place) => mkdirSync(place)));

  it("only the user can read the temporary folder and its parent folders", () => {
    const path = newPrivateFolder(places());
    expect(path.startsWith(join(folder, "tmp", ownName, "work/run-"))).toBe(true);
    for (const folderPath of [path, join(path, ".."), join(path, "../..")])
      expect(statSync(folderPath).mode & 0o777).toBe(0o700);
  });

  it("a command deletes its temporary folder when the command ends, even after a failure", async () => {
    let used = "";
    const failing = inPrivateFolder((path) => {
      used = path;
      writeFileSync(join(path, "plan"), "secret");
      return Promise.reject(new Error("ended"));
    });
    await expect(failing).rejects.toThrow("ended");
    expect(() => statSync(used)).toThrow("ENOENT");
  });

  it("the temporary folder is never a link or a folder that another user created", () => {
    mkdirSync(join(folder, "theirs"), { mode: 0o700 });
    symlinkSync(join(folder, "theirs"), join(folder, "tmp", ownName));
    expect(newPrivateFolder(places()).startsWith(join(folder, "pulumi", ownName))).toBe(true);
    rmSync(join(folder, "tmp", ownName));
    mkdirSync(join(folder, "tmp", ownName));
    chmodSync(join(folder, "tmp", ownName), 0o755);
    expect(newPrivateFolder(places()).startsWith(join(folder, "pulumi", ownName))).toBe(true);
    expect(readdirSync(join(folder, "theirs"))).toEqual([]);
  });
});
