import { commands as allTables } from "../../../../cli/command/list";
import { main } from "../../../../cli/run";
/** Finds the project that `dev` runs: in its folder, in a parent folder, or a new project. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { DevValues } from "../../../../cli/commands/dev/options";
import { projectToRun } from "../../../../cli/commands/dev/project";
import type { Io } from "../../../../engine/io";
import { Output } from "../../../../cli/report/output";
import { runCommand, silentIo } from "../../../support/command";
import { repository } from "../../../support/process";
import { temporary } from "../../../support/temporary";

let root: string;
let folder: string;
beforeEach(() => {
  root = temporary();
  folder = join(root, "infra/new");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "Pulumi.yaml"), "name: above\nruntime: nodejs\n");
  // Packages are already installed.
  symlinkSync(repository, join(root, "node_modules/pulumi-endpoint-monitoring"));
  for (const name of ["@pulumi", "typescript"])
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
});

/** Chooses the project on a terminal with lines that a user types. */
async function onTerminal(lines: readonly string[], values: DevValues = {}): Promise<{ project: string; printed: string }> {
  let printed = "";
  const stderr = { isTTY: true, write: (text: string) => (printed += text) };
  const stdin = Object.assign(Readable.from(lines.map((line) => Buffer.from(line))), { isTTY: true });
  const io: Io = { ...silentIo(), stderr, stdin, cwd: folder };
  const project = await projectToRun(values, { out: new Output(false, io), io, rest: [], commands: allTables, invoke: main });
  return { project: project.folder, printed };
}

it("`dev` repeats its question about the parent folder's project until the answer is valid", async () => {
  const { project, printed } = await onTerminal(["perhaps\n", "\n", "r\n"]);
  expect(project).toBe(root);
  expect(printed.match(/Run the existing project, or create a project in this folder\? \[run\/create\]/g)).toHaveLength(3);
  expect(printed).toContain(`${folder} does not contain a Pulumi project, but ${root} does.`);
  expect(readdirSync(folder)).toEqual([]);
});

it("`dev --here` creates a project in the current folder", async () => {
  expect((await onTerminal(["create\n"])).project).toBe(folder);
  expect(readdirSync(folder)).toContain("Pulumi.yaml");
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const { project, printed } = await onTerminal([], { here: true });
  expect([project, printed]).toEqual([folder, expect.not.stringContaining("?")]);
});

it("`dev` prints the command for each choice if it cannot ask the user", async () => {
  const commands = [
    `${folder} does not contain a Pulumi project, but ${root} does.`,
    "dev -C ../..` to run the existing project",
    "`npx endpoint-monitoring dev --here` to create a project",
  ];
  const runs = [await runCommand(["dev"], { cwd: folder }), await runCommand(["dev", "--json"], { cwd: folder, isTTY: true })];
  for (const { code, stderr } of runs) {
    expect(code).toBe(1);
    for (const text of commands) expect(stderr).toContain(text);
  }
  await expect(onTerminal([])).rejects.toThrow("dev --here");
  expect(readdirSync(folder)).toEqual([]);
});

it("`dev` creates a project in an empty folder inside another package", async () => {
  writeFileSync(join(root, "package.json"), '{ "main": "program.js" }');
  writeFileSync(join(root, "program.js"), "");
  expect((await onTerminal([], { here: true })).project).toBe(folder);
});

it("`dev` runs the project in the current folder without a question", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: own\nruntime: nodejs\n");
  expect(await onTerminal([])).toEqual({ project: folder, printed: "" });
});
