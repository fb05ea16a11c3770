import { stackOf, stacksOf } from "../../engine/stacks";
/** Tests the selection of the stack that a command uses, with and without the engine. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../../engine/project";
import { readConfiguration } from "../../cli/commands/validate/configuration";
import { silentIo } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { temporary } from "../support/temporary";

let folder: string;
beforeEach(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: office\nruntime: nodejs\n");
});

/** Returns the stack or the error, and the command's first output. */
async function chosen(take: () => unknown): Promise<unknown> {
  try {
    return await take();
  } catch (error) {
    return (error as Error).message;
  }
}

function opened(
  stacks: { name: string; current?: boolean }[],
  env: NodeJS.ProcessEnv = {},
): { project: Project; notes: string[] } {
  const notes: string[] = [];
  const engine = new AnsweringEngine(folder, answersOf({ "stack ls": stacks }));
  const watcher = { wait: () => undefined, answer: () => undefined, note: (text: string) => void notes.push(text) };
  const io = { ...silentIo(), cwd: folder, env: engine.env({ PULUMI_HOME: folder, ...env }), watcher };
  return { project: Project.open(io), notes };
}

const [dev, prod] = [{ name: "dev" }, { name: "prod", current: true }];

it.each<[string, { name: string; current?: boolean }[], string | undefined, string, string[]]>([
  ["uses the named stack", [dev, prod], "dev", "dev", ["Stack dev (as named)"]],
  ["uses the selected stack if the user names none", [dev, prod], undefined, "prod", ["Stack prod (the selected one)"]],
  ["uses the only stack if no stack is selected", [dev], undefined, "dev", ["Stack dev (the only one)"]],
  [
    "reports an error if none of several stacks is selected",
    [dev, { name: "qa" }],
    undefined,
    "No stack of project office is selected: use --stack NAME. Existing stacks: dev, qa",
    [],
  ],
  [
    "reports an error if the named stack does not exist",
    [dev, prod],
    "prd",
    "Project office has no stack prd. Existing stacks: dev, prod",
    [],
  ],
  [
    "reports an error if the project has no stack",
    [],
    "prd",
    "Project office has no stack prd, and no other stack: run `pulumi stack init`",
    [],
  ],
])("a command that starts the engine %s", async (_, stacks, name, expected, reported) => {
  const { project, notes } = opened(stacks);
  expect(await chosen(async () => (await stackOf(project, name)).name)).toBe(expected);
  expect(notes).toEqual(reported);
});

it("a command uses all stacks, the named stacks or the selected stack", async () => {
  const { project, notes } = opened([dev, prod]);
  expect((await stacksOf(project, [], true)).map(({ name }) => name)).toEqual(["dev", "prod"]);
  expect((await stacksOf(project, ["dev"])).map(({ name }) => name)).toEqual(["dev"]);
  expect((await stacksOf(project)).map(({ name }) => name)).toEqual(["prod"]);
  expect(notes).toEqual([
    "Stacks dev, prod (every stack of the project)",
    "Stack dev (as named)",
    "Stack prod (the selected one)",
  ]);
});

describe("selection of a stack without the engine", () => {
  const files = (...stacks: string[]): void => {
    for (const stack of stacks) writeFileSync(join(folder, `Pulumi.${stack}.yaml`), `config:\n  office:stack: ${stack}\n`);
  };
  /** Selects a stack like the engine: in a file with the project's name, with one stack per backend. */
  const select = (noted: object): void => {
    const key = createHash("sha1").update(join(folder, "Pulumi.yaml")).digest("hex");
    mkdirSync(join(folder, "workspaces"), { recursive: true });
    writeFileSync(join(folder, "workspaces", `office-${key}-workspace.json`), JSON.stringify(noted));
  };
  const taken = async (name?: string, env: NodeJS.ProcessEnv = {}): Promise<[unknown, string[]]> => {
    const { project, notes } = opened([], env);
    const stack = await chosen(() => {
      const { stack: readStack, values } = readConfiguration(project, name);
      return [readStack, values["office:stack"]];
    });
    return [stack, notes];
  };

  it("a command uses the named stack, otherwise the selected or only stack", async () => {
    files("dev");
    expect(await taken()).toEqual([["dev", "dev"], ["Stack dev (the only one)"]]);
    files("prod");
    expect(await taken("organization/office/prod")).toEqual([["prod", "prod"], ["Stack prod (as named)"]]);
    expect(await taken()).toEqual(["No stack of project office is selected: use --stack NAME. Existing stacks: dev, prod", []]);
    select({ stacks: { "file://a": "organization/office/dev", "file://b": "organization/office/prod" } });
    expect(await taken(undefined, { PULUMI_BACKEND_URL: "file://b" })).toEqual([
      ["prod", "prod"],
      ["Stack prod (the selected one)"],
    ]);
    select({ stack: "dev" });
    expect(await taken()).toEqual([["dev", "dev"], ["Stack dev (the selected one)"]]);
    expect(await taken(undefined, { PULUMI_STACK: "prod" })).toEqual([["prod", "prod"], ["Stack prod (the selected one)"]]);
  });

  describe("in a project that names its backend", () => {
    const [login, named] = ["file://login", "file://named"];
    beforeEach(() => {
      writeFileSync(join(folder, "Pulumi.yaml"), `name: office\nruntime: nodejs\nbackend:\n  url: ${named}\n`);
      writeFileSync(join(folder, "credentials.json"), JSON.stringify({ current: login }));
      files("dev", "prod", "qa");
    });
    const nobodySelected = "No stack of project office is selected: use --stack NAME. Existing stacks: dev, prod, qa";

    it("a command uses the stack that is selected in the project's backend", async () => {
      select({ stacks: { [login]: "organization/office/dev", [named]: "organization/office/prod" } });
      expect(await taken()).toEqual([["prod", "prod"], ["Stack prod (the selected one)"]]);
    });

    it("PULUMI_BACKEND_URL takes precedence over the project's backend", async () => {
      select({ stacks: { [login]: "dev", [named]: "prod", "file://env": "qa" } });
      const env = { PULUMI_BACKEND_URL: "file://env" };
      expect(await taken(undefined, env)).toEqual([["qa", "qa"], ["Stack qa (the selected one)"]]);
    });

    it("a command ignores a stack that is selected in another backend", async () => {
      select({ stacks: { [login]: "dev" } });
      expect(await taken()).toEqual([nobodySelected, []]);
    });

    it("a selection for the backend takes precedence over the single selection of an old engine", async () => {
      select({ stack: "dev", stacks: { [named]: "prod" } });
      expect(await taken()).toEqual([["prod", "prod"], ["Stack prod (the selected one)"]]);
      select({ stack: "dev", stacks: { [login]: "prod" } });
      expect(await taken()).toEqual([["dev", "dev"], ["Stack dev (the selected one)"]]);
    });

    it("a slash at the end of a Pulumi Cloud URL makes no difference", async () => {
      const cloud = "https://pulumi.example.com";
      writeFileSync(join(folder, "Pulumi.yaml"), `name: office\nruntime: nodejs\nbackend:\n  url: ${cloud}/\n`);
      select({ stacks: { [login]: "dev", [cloud]: "us/office/prod" } });
      expect(await taken()).toEqual([["prod", "prod"], ["Stack prod (the selected one)"]]);
    });
  });

  it("a command accepts a selected stack without settings", async () => {
    expect(await taken()).toEqual([["validate", undefined], []]);
    files("dev", "prod");
    const unknown = "Project office has no settings for stack prd (Pulumi.prd.yaml). Stacks with settings: dev, prod";
    expect(await taken("prd")).toEqual([unknown, []]);
    select({ stack: "plain" });
    expect(await taken()).toEqual([["plain", undefined], ["Stack plain (the selected one)"]]);
  });

  it("a command reads stack settings from the project's settings folder, in each format", async () => {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: office\nruntime: nodejs\nstackConfigDir: settings\n");
    expect(await taken()).toEqual([["validate", undefined], []]);
    mkdirSync(join(folder, "settings"));
    writeFileSync(join(folder, "settings/Pulumi.dev.json"), '{ "config": { "office:stack": "json" } }');
    expect(await taken()).toEqual([["dev", "json"], ["Stack dev (the only one)"]]);
    writeFileSync(join(folder, "settings/Pulumi.dev.json"), "{");
    expect(await taken()).toEqual([expect.stringMatching(/Pulumi\.dev\.json cannot be read \(/), expect.anything()]);
  });
});
