/** Counts the processes of the engine that each command starts, with a stand-in for the engine. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openedStack } from "../../engine/stacks";
import { Project } from "../../engine/project";
import { AnsweringEngine, answersOf, type EngineCall } from "../support/answering-engine";
import { runCommand, silentIo } from "../support/command";
import { temporary } from "../support/temporary";
import { useEmulator } from "../support/emulator";

let folder: string;
const service = useEmulator({ agents: 3 });
let engine: AnsweringEngine;
/** Resources in the exported state. */
let resources: object[];
beforeEach(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: index.ts\n");
  writeFileSync(join(folder, "index.ts"), "");
  resources = [{ urn: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev", type: "pulumi:pulumi:Stack" }];
  engine = new AnsweringEngine(folder, answer);
});
afterEach(() => engine.end());

const stacks = [{ name: "dev", current: true }, { name: "acme/qa" }];

function answer(call: EngineCall) {
  const { args } = call;
  const unknown = args.includes("--stack") && !args.some((word) => word === "dev" || word === "acme/qa");
  if (unknown) return { code: 255, stderr: "error: no stack found\n" };
  return answersOf({
    version: "v3.274.1",
    "stack ls": stacks,
    "stack export": { deployment: { resources } },
    "stack history": [],
    "stack tag ls": {},
    "config --json": {
      "endpoint-monitoring:baseUrl": { value: service.url },
      "endpoint-monitoring:token": { value: "emulator-token", secret: true },
    },
    preview: { steps: [], changeSummary: {} },
    up: "",
  })(call);
}

/** Selects a stack, as `pulumi stack select` does. */
function select(name: string, backend = "file:///backend"): void {
  const key = createHash("sha1").update(join(folder, "Pulumi.yaml")).digest("hex");
  mkdirSync(join(folder, "workspaces"), { recursive: true });
  writeFileSync(
    join(folder, `workspaces/test-${key}-workspace.json`),
    JSON.stringify({ stacks: { [backend]: `organization/test/${name}` } }),
  );
}

const env = () => engine.env({ PULUMI_HOME: folder });

/** Returns the calls without options, and the stack of an export, in alphabetical order. */
function starts(): string[] {
  const words = engine.calls.map((call) => {
    const [command = ""] = call.split(" --");
    const stack = /--stack (\S+)/.exec(call)?.[1];
    return command === "stack export" ? `${command} ${stack ?? "of the selected stack"}` : command;
  });
  return words.toSorted();
}

const digest = `sha256:${"0".repeat(64)}`;

it.each<[string, string[]]>([
  ["review", ["config", "preview", "stack export dev"]],
  [`apply --approved ${digest}`, ["config", "preview", "stack export dev"]],
  ["verify", ["config", "stack export dev", "stack history", "stack tag ls"]],
  ["rehearse", ["config", "preview", "stack export dev", "up"]],
  ["drift", ["config", "stack export acme/qa", "stack export dev", "stack ls"]],
  ["import --dry-run", ["config", "stack export acme/qa", "stack export dev", "stack ls", "version"]],
])("the command %s starts each engine process only once", async (line, expected) => {
  await runCommand([...line.split(" "), "--stack", "dev"], { cwd: folder, env: env() });
  expect(starts()).toEqual(expected);
});

it("`review` of the selected stack does not run `pulumi stack ls`", async () => {
  select("dev");
  await runCommand(["review"], { cwd: folder, env: env() });
  expect(starts()).toEqual(["config", "preview", "stack export of the selected stack"]);
});

describe("commands that run `pulumi stack ls`", () => {
  const opened = async (name?: string): Promise<string> => {
    const io = { ...silentIo(), cwd: folder, env: env() };
    return openedStack(Project.open(io), name).then(
      (stack) => stack.name,
      (error: unknown) => (error as Error).message,
    );
  };

  it("a command lists the stacks if the named stack does not exist", async () => {
    expect(await opened("qq")).toBe("Project test has no stack qq. Existing stacks: acme/qa, dev");
    expect(starts()).toContain("stack ls");
  });

  it("a command lists the stacks if the named stack belongs to another organization", async () => {
    expect(await opened("qa")).toBe("acme/qa");
  });

  it("a command lists the stacks if the stack's name includes an organization", async () => {
    expect(await opened("acme/qa")).toBe("acme/qa");
    expect(starts()).toEqual(["stack ls"]);
  });

  it("a command lists the stacks if the exported state does not contain the selected stack's name", async () => {
    select("dev");
    resources = [{ urn: "urn:pulumi:prod::test::pulumi:pulumi:Stack::test-prod", type: "pulumi:pulumi:Stack" }];
    expect(await opened()).toBe("dev");
    resources = [];
    expect(await opened()).toBe("dev");
    expect(starts().filter((call) => call === "stack ls")).toHaveLength(2);
  });

  it("a command lists the stacks if Pulumi Cloud shortens the selected stack's name", async () => {
    select("dev", "https://api.pulumi.com");
    expect(await opened()).toBe("dev");
    expect(starts()).toEqual(["stack ls"]);
  });
});
