/**
 * Runs updates in pods, where each user may rename temporary files and the home folder is not writable. One program contains
 * both provider types.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, Stack } from "./support/stack";

let stack: Stack;
const ownFolder = `pulumi-endpoint-monitoring-${process.getuid?.()}`;
const label = (name: string, front: "dynamic" | "native"): Program => ({
  [name]: { kind: "Label", front, args: { name, matchType: "and", filters: [] } },
});

/** Creates a folder like an emptyDir volume, in which each user may rename entries. */
function emptyDir(name: string): string {
  const path = join(stack.folder, name);
  mkdirSync(path);
  chmodSync(path, 0o777);
  return path;
}

beforeAll(async () => {
  stack = await Stack.startWith("native", { agents: 0 });
  stack.environment["TMPDIR"] = emptyDir("emptydir");
  stack.environment["XDG_RUNTIME_DIR"] = "";
  stack.environment["XDG_CACHE_HOME"] = emptyDir("cache");
});
afterAll(() => stack.end());

test("an update replaces and deletes records even if all users may write to the temporary folder", async () => {
  stack.declare({ ...label("a", "dynamic"), ...label("b", "native"), ...label("c", "dynamic"), ...label("d", "native") });
  await stack.up();
  stack.declare({ ...label("a", "dynamic"), ...label("b", "native") });
  expect(await stack.up()).toMatchObject({ delete: 2, same: 2 });
  expect(await stack.ids("labels")).toHaveLength(2);
  // The processes of both fronts wrote one file for each operation, in a folder of the user.
  const operations = join(stack.folder, "home", ownFolder, "operations");
  const joins = readdirSync(operations).map(
    (name) =>
      readFileSync(join(operations, name), "utf8")
        .split("\n")
        .filter((line) => line.includes('"join"')).length,
  );
  expect(joins).toEqual(joins.map(() => 2));
  expect(existsSync(join(stack.folder, "emptydir", ownFolder))).toBe(false);
});

test("adoptions and deletions fail without a private folder", async () => {
  chmodSync(join(stack.folder, "home"), 0o777);
  stack.declare({ ...label("a", "dynamic"), ...label("e", "dynamic"), ...label("f", "native") });
  const { code, text } = await stack.run("up", "--yes", "--skip-preview");
  expect(code).not.toBe(0);
  const message = text.replace(/\s+/g, " ");
  for (const fault of [
    "TMPDIR: other users may rename the contents of ",
    "PULUMI_HOME: other users may rename",
    "XDG_CACHE_HOME: other users may rename",
  ]) {
    expect(message).toContain(fault);
  }
  expect(message).toContain(
    "Set XDG_RUNTIME_DIR to a folder that only you can write to. Solve the problem with the log file, then run the operation again.",
  );
  // Both creates succeeded, and the delete did not.
  expect(Object.keys(stack.state()).toSorted()).toEqual(["a", "b", "e", "f"]);
  expect(await stack.ids("labels")).toHaveLength(4);
  const run = join(stack.folder, "emptydir/run");
  mkdirSync(run, { mode: 0o700 });
  stack.environment["XDG_RUNTIME_DIR"] = run;
  expect(await stack.up()).toMatchObject({ delete: 1 });
  expect(await stack.ids("labels")).toHaveLength(3);
  chmodSync(join(stack.folder, "home"), 0o755);
});

const noHome = { HOME: "/dev/null", TMPDIR: "", XDG_RUNTIME_DIR: "", XDG_CACHE_HOME: "" };

test("migrate labels --dry-run works with an unwritable home folder", async () => {
  const typed = await Stack.start({ agents: 0 }, "typescript");
  try {
    const args = `{ name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }`;
    const program = `import { Label } from "pulumi-endpoint-monitoring";\n\nnew Label("office", ${args});\n`;
    writeFileSync(join(typed.folder, "index.ts"), program);
    await typed.must("up", "--yes", "--skip-preview");
    Object.assign(typed.environment, noHome);
    const { code, text } = await typed.startCli("migrate", "labels", "--key", "team", "--dry-run").ended;
    expect([code, text]).toEqual([0, expect.not.stringContaining("This is a bug") as unknown]);
  } finally {
    await typed.end();
  }
});

test.each([
  ["review", 0],
  ["rehearse", 0],
  ["check", 0],
  ["drift", 0],
  ["validate", 0],
])("the command %s works with an unwritable home folder", async (command, expected) => {
  Object.assign(stack.environment, noHome);
  const { code, text } = await stack.startCli(...command.split(" ")).ended;
  expect(text).not.toContain("This is a bug");
  expect([command, code]).toEqual([command, expected]);
});
