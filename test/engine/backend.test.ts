import { stackOf } from "../../engine/stacks";
/** Tests files in the local backend other than states: locks, and empty states of a killed engine. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FileBackend } from "../../engine/backend";
import { importInto } from "../../cli/commands/import/steps";
import { Output } from "../../cli/report/output";
import { Project } from "../../engine/project";
import type { FindingData } from "../../common/finding";
import { runCommand, silentIo } from "../support/command";
import { AnsweringEngine, type Answer, answersOf } from "../support/answering-engine";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => {
  folder = temporary();
  put("Pulumi.yaml", "name: test\nruntime: nodejs\n");
});

const state = "backend/.pulumi/stacks/test/dev.json";

function put(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const whoami = (url: string): Record<string, unknown> => ({ "whoami --json": { user: "me", url } });
const here = (): Record<string, unknown> => whoami(`file://${join(folder, "backend")}`);
const stacks = { "stack ls": [{ name: "organization/test/dev", current: true }] };

const opened = (answer: Answer): Project =>
  Project.open({ ...silentIo(new AnsweringEngine(folder, answer).env()), cwd: folder });
const backend = (outputs: Record<string, unknown>): Promise<FileBackend | undefined> =>
  FileBackend.of(opened(answersOf(outputs)));

test.each(["https://api.pulumi.com", "s3://states", "postgres://db"])("the backend %s does not count as local", async (url) => {
  expect(await backend(whoami(url))).toBeUndefined();
});

test("a backend without a reported URL does not count as local", async () => {
  expect(await backend({})).toBeUndefined();
  expect(await backend({ "whoami --json": "me" })).toBeUndefined();
});

test.each([
  ["a path from the project", () => "file://./backend"],
  ["an absolute path", () => `file://${join(folder, "backend")}`],
  ["a path with URL escapes and options", () => `file://${folder}/%62ackend?no_tmp_dir=true`],
])("`check` finds an empty state file if the backend's URL is %s", async (_, url) => {
  const file = put(state, "");
  put("backend/.pulumi/stacks/test/prod.json", "{}");
  put("backend/.pulumi/stacks/other/dev.json", "");
  const local = await backend(whoami(url()));
  expect(local?.emptyStates()).toEqual([{ stack: "dev", file, backup: undefined }]);
  // The newest backup with content is the one to restore.
  const old = put("backend/.pulumi/backups/test/dev/dev.2.json", "{}");
  utimesSync(old, 1, 1);
  const newer = put("backend/.pulumi/backups/test/dev/dev.1.json", "{}");
  put("backend/.pulumi/backups/test/dev/dev.3.json", "");
  put(`${state}.bak`, "");
  expect(local?.emptyStates()).toEqual([{ stack: "dev", file, backup: newer }]);
  const copy = put(`${state}.bak`, "{}");
  expect(local?.emptyStates()).toEqual([{ stack: "dev", file, backup: copy }]);
});

describe("`check` after the engine failed to read the state", () => {
  async function stackCheck(outputs: Record<string, unknown>): Promise<FindingData | undefined> {
    const engine = new AnsweringEngine(folder, answersOf({ version: "v3.259.0", ...outputs }));
    const { stdout } = await runCommand(["check", "--json"], { cwd: folder, env: engine.env() });
    const { findings } = (JSON.parse(stdout) as { data: { findings: FindingData[] } }).data;
    return findings.find(({ rule }) => rule === "stack");
  }

  test("`check` names the empty state file and the command that restores its backup", async () => {
    const file = put(state, "");
    expect(await stackCheck(here())).toMatchObject({
      level: "error",
      text: `the state file of stack dev is empty (${file}): an engine was killed while it wrote the file`,
      fix: expect.stringContaining("there is no backup") as unknown,
    });
    const copy = put(`${state}.bak`, "{}");
    expect((await stackCheck(here()))?.fix).toBe(
      `cp ${copy} ${file} && pulumi cancel --yes --stack dev, then recover as after a crash: pulumi refresh --clear-pending-creates, pulumi config set endpoint-monitoring:adopt identical, pulumi up`,
    );
  });

  test("`check` reports the engine's error if no state file is empty", async () => {
    put(state, "{}");
    const refused = { level: "error", text: expect.stringContaining("the stacks cannot be listed: ") as unknown };
    expect(await stackCheck(here())).toMatchObject(refused);
    put(state, "");
    expect(await stackCheck(whoami("s3://states"))).toMatchObject(refused);
  });
});

describe("import after the engine failed", () => {
  const locked = { code: 255, stderr: "error: the stack is currently locked by 1 lock(s).\n" };
  const imported = async (): Promise<void> => {
    const others = answersOf({ ...here(), ...stacks });
    const project = opened((call) => (call.args[0] === "import" ? locked : others(call)));
    return importInto(await stackOf(project, "dev"), "import.json", 1, new Output(true, project.io));
  };

  test("`import` names the lock file that blocks the import, and the command that deletes the file", async () => {
    const lock = put("backend/.pulumi/locks/organization/test/dev/1-2-3.json", "{}");
    await expect(imported()).rejects.toMatchObject({
      name: "UsageError",
      message:
        "The files were written, but the import into stack organization/test/dev failed: the stack is currently locked by 1 lock(s). " +
        `Stack organization/test/dev is locked by ${lock}: if no other pulumi uses it, unlock it with ` +
        "`pulumi cancel --yes --stack organization/test/dev`, then run the command again",
    });
  });

  test("`import` does not mention a lock if the engine reports an unrelated error", async () => {
    put("backend/.pulumi/locks/organization/test/prod/1-2-3.json", "{}");
    await expect(imported()).rejects.toThrow(/currently locked by 1 lock\(s\)\.$/);
  });
});
