import { stackOf as chosenStack, stacksOf } from "../../engine/stacks";
/** Tests calls of the engine and the handling of its responses. A stub records the arguments and responses. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "../../engine/io";
import { Project } from "../../engine/project";
import { silentIo, startCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { EngineStub } from "../support/engine-stub";
import { plainEnv, repository } from "../support/process";
import type { ProjectStack } from "../../engine/stack";
import { UsageError } from "../../common/errors";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => {
  folder = temporary();
  put("Pulumi.yaml", "name: test\nruntime: nodejs\n");
});

function put(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const stacks = [
  { name: "dev", current: true },
  { name: "organization/test/prod", current: false },
];
const label = { urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/endpoint-monitoring:Label::office", id: "7" };
const state = { version: 3, deployment: { resources: [{ ...label, type: label.urn.split("::")[2] }] } };

function io(env: NodeJS.ProcessEnv, cwd = folder): Io {
  return { ...silentIo(env), cwd };
}

/** A project with an engine that returns these responses. */
function opened(outputs: Record<string, unknown>): { project: Project; engine: AnsweringEngine } {
  const engine = new AnsweringEngine(folder, answersOf(outputs));
  return { project: Project.open(io(engine.env())), engine };
}

/** The engine version that the repository installs. */
const [, engineVersion] =
  /ENGINE_VERSION = "([^"]+)"/.exec(readFileSync(join(repository, "tools/engine/find.mjs"), "utf8")) ?? [];

test.each([
  [{}, engineVersion],
  [{ PULUMI_VERSION: "3.300.0" }, "3.300.0"],
])("a command with the environment %j in a clone uses engine version %s", async (env, version) => {
  const engine = new EngineStub(folder, 'echo "v$PULUMI_VERSION"');
  expect(await Project.open(io(engine.env(env))).engineVersion()).toBe(version);
});

async function stackOf(outputs: Record<string, unknown>): Promise<ProjectStack> {
  return chosenStack(opened({ "stack ls": stacks, ...outputs }).project, "dev");
}

describe("project files", () => {
  test.each<[string, string, object]>([
    ["Pulumi.yaml", "name: a\nruntime: nodejs\n", { name: "a", noTypeScript: undefined, nodeArguments: [], main: undefined }],
    [
      "Pulumi.yml",
      "name: b\nmain: src\nruntime:\n  name: nodejs\n  options: { typescript: false, nodeargs: --import tsx }\n",
      { name: "b", noTypeScript: "its Pulumi.yaml has typescript: false", nodeArguments: ["--import", "tsx"], main: "src" },
    ],
    [
      "Pulumi.json",
      '{ "name": "c", "runtime": "python" }',
      { name: "c", noTypeScript: "the runtime in its Pulumi.yaml is python" },
    ],
    [
      "Pulumi.yaml",
      `name: e\nruntime:\n  name: nodejs\n  options: { nodeargs: '--require "./my loader.js"  a\\ b "" --title=''x y''' }\n`,
      { nodeArguments: ["--require", "./my loader.js", "a b", "", "--title=x y"] },
    ],
    ["Pulumi.yaml", "name: d # of the team\n", { name: "d", noTypeScript: undefined }],
  ])("the project reader accepts the project file %s with the text %j", (name, text, expected) => {
    rmSync(join(folder, "Pulumi.yaml"));
    put(name, text);
    mkdirSync(join(folder, "below/deep"), { recursive: true });
    expect(Project.open(io({}, join(folder, "below/deep")))).toMatchObject({ folder, ...expected });
  });

  test('the setting "main" names the program\'s folder or a file in this folder', () => {
    mkdirSync(join(folder, "src"));
    for (const [main, at] of [
      ["src", "src"],
      ["src/index.ts", "src"],
      ["index.ts", "."],
    ] as const) {
      put("Pulumi.yaml", `name: test\nruntime: nodejs\nmain: ${main}\n`);
      expect(Project.open(io({})).programFolder).toBe(join(folder, at));
    }
  });

  test.each([
    ["name: [\n", /Pulumi\.yaml cannot be read \([^\n]+\)$/],
    ["runtime: nodejs\n", /Pulumi\.yaml cannot be read \(it has no project name\)$/],
    ["- a\n", /it has no project name/],
    ["", /it has no project name/],
  ])("the project reader reports the invalid project file %j", (text, message) => {
    put("Pulumi.yaml", text);
    expect(() => Project.open(io({}))).toThrow(UsageError);
    expect(() => Project.open(io({}))).toThrow(message);
  });
});

describe("calls to the engine", () => {
  test("a command starts the engine only once to list the stacks", async () => {
    const config = {
      "endpoint-monitoring:baseUrl": { value: "http://127.0.0.1:1", secret: false },
      "endpoint-monitoring:token": { value: "t0ken", secret: true },
      "test:site": { value: "Berlin", secret: false },
    };
    const { project, engine } = opened({ "stack ls": stacks, "config --json --show-secrets --stack dev": config });
    expect(await project.stackNames()).toEqual(["dev", "organization/test/prod"]);
    expect((await stacksOf(project, [], true)).map(({ name }) => name)).toEqual(["dev", "organization/test/prod"]);
    expect((await chosenStack(project, "prod")).name).toBe("organization/test/prod");
    const stack = await chosenStack(project, undefined);
    const { settings, client } = await stack.session();
    expect(settings.client).toMatchObject({ baseUrl: "http://127.0.0.1:1", token: "t0ken" });
    await client.close();
    expect(await stack.configuration()).toEqual({ site: "Berlin" });
    expect(engine.calls).toEqual(["stack ls --json", "config --json --show-secrets --stack dev"]);
  });

  test("a command decrypts only the selected stack's secrets", async () => {
    const { project, engine } = opened({ "stack ls": stacks, "stack export": state });
    expect(await (await chosenStack(project, "dev")).managed()).toMatchObject([{ name: "office", id: "7" }]);
    expect(await project.foreign("prod")).toMatchObject([{ name: "office", stack: "prod" }]);
    expect(engine.calls.slice(1)).toEqual(["stack export --show-secrets --stack dev", "stack export --stack prod"]);
  });

  test("a command parses the engine's version", async () => {
    expect(await opened({ version: "v3.254.0-alpha.1" }).project.engineVersion()).toBe("3.254.0-alpha.1");
    expect(await opened({ version: "what?" }).project.engineVersion()).toBeUndefined();
  });

  test("a command turns off the engine's streamed preview output", async () => {
    const engine = new EngineStub(folder, 'echo "[$PULUMI_ENABLE_STREAMING_JSON_PREVIEW]"');
    const run = await Project.open(io(engine.env({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" }))).run(["preview"]);
    expect(run.stdout).toBe("[]\n");
  });

  test("a command reports a missing engine with installation instructions", async () => {
    const asked = Project.open(io(plainEnv({ PATH: folder }))).stackNames();
    await expect(asked).rejects.toMatchObject({ name: "UsageError", about: "work" });
    await expect(asked).rejects.toThrow(/^The Pulumi engine is not on PATH\. Install it: https:/);
  });

  test("a command reports the engine's own error message", async () => {
    const engine = new EngineStub(folder, 'echo "error: incorrect passphrase" >&2; exit 255');
    const asked = Project.open(io(engine.env())).stackNames();
    await expect(asked).rejects.toMatchObject({ name: "UsageError", about: "work", message: "Pulumi: incorrect passphrase" });
  });

  test.each<[string, Record<string, unknown>, (stack: ProjectStack) => Promise<unknown>]>([
    ["text that is not JSON", { config: "nothing" }, (stack) => stack.configured()],
    ["a configuration that is not an object", { config: "[]" }, (stack) => stack.configured()],
    ["a configuration of another form", { config: { a: 1 } }, (stack) => stack.configuration()],
    ["a state that is not an object", { "stack export": { version: 3 } }, (stack) => stack.managed()],
    ["a history that is not a list", { "stack history": { a: 1 } }, (stack) => stack.lastUpdate()],
  ])("a command reports an error if the engine's output contains %s", async (_, outputs, ask) => {
    await expect(ask(await stackOf(outputs))).rejects.toThrow(/: unexpected output \(/);
  });

  test("a command reports an error if the engine lists stacks without names", async () => {
    await expect(opened({ "stack ls": [{ current: true }] }).project.stackNames()).rejects.toThrow(
      'Pulumi: unexpected output ([{"current":true}])',
    );
  });

  test("a command forwards the interrupt to the engine and waits until the engine exits", async () => {
    const engine = new EngineStub(
      folder,
      "trap 'echo \"error: stopped\" >&2; exit 3' INT; echo going; while :; do sleep 0.05; done",
    );
    const command = startCommand(["verify"], { cwd: folder, env: engine.env() });
    while (engine.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    // Wait until the trap is set.
    await new Promise((resolve) => setTimeout(resolve, 200));
    command.interrupt("SIGINT");
    const { code, stderr } = await command.ended;
    expect([code, stderr]).toEqual([
      130,
      "endpoint-monitoring verify: Pulumi: interrupted. The engine finished its pending operations first.\n",
    ]);
    expect(command.listeners()).toBe(0);
  });

  test("a command mentions the lock that a killed engine may leave", async () => {
    const engine = new EngineStub(folder, "exec sleep 60");
    const command = startCommand(["drift"], { cwd: folder, env: engine.env() });
    while (engine.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    command.interrupt("SIGTERM");
    const { code, stderr } = await command.ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringContaining("The engine stopped immediately. If the stack is locked now"),
    ]);
  });
});
