/** Runs imports from other stacks and account groups, with older engines, and of records that programs cannot declare. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compilerSays, sourcesIn } from "./support/checked";
import { EngineWrapper } from "./support/engine-wrapper";
import { create } from "./support/fleet";
import { type Run, Stack } from "./support/stack";
import { runCommand } from "../support/command";
import { omit } from "../support/variations/start";
import { call } from "../support/call";

const nothingToDo = { code: 0, text: expect.stringMatching(/\d+ unchanged/) as unknown };
const label = (name: string): Record<string, unknown> => ({
  name,
  matchType: "and",
  filters: [{ key: "platform", values: ["Mac"] }],
});
const selecting = (...endpointAgentLabels: string[]) => ({ agentSelectorType: "agent-labels", endpointAgentLabels });
const byLabel = (testName: string, ...labels: string[]): Record<string, unknown> => ({
  testName,
  server: "vpn.example.com",
  ...selecting(...labels),
});
const pageByLabel = (testName: string, ...labels: string[]): Record<string, unknown> => ({
  testName,
  url: "https://www.example.com",
  ...selecting(...labels),
});

let stack: Stack;

async function started(options: object = {}): Promise<void> {
  stack = await Stack.start({ agents: 0, ...options }, "typescript");
}

async function imported(...args: string[]): Promise<{ data: Record<string, never>; warnings?: string[]; code: number | null }> {
  const run = await stack.cli("import", "--json", ...args);
  if (run.code === 1) throw new Error(run.text);
  return { ...(JSON.parse(run.stdout) as { data: Record<string, never>; warnings?: string[] }), code: run.code };
}

/** The files in the project's folder, without the folders of engine, provider and packages. */
const files = (): string[] =>
  readdirSync(stack.folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    .toSorted();
const textOf = (name: string): string => readFileSync(join(stack.folder, name), "utf8");

describe("an import of unusual records", () => {
  let [office, gone, aside, odd, unnamed, silent] = ["", "", "", "", "", ""];
  let run: Run;
  beforeAll(async () => {
    await started({ agents: 8 });
    const http = (account: string | undefined, ...bodies: Record<string, unknown>[]) =>
      create(stack, "httpServerTest", bodies, account);
    [office = "", gone = "", aside = ""] = await create(stack, "label", [label("Office"), label("Gone"), label("Aside")]);
    await http(undefined, pageByLabel("One", office, gone), pageByLabel("Two", gone, aside), pageByLabel("Three", office));
    await stack.api("DELETE", `/v7/endpoint/labels/${gone}`);
    const [there = ""] = await create(stack, "label", [label("Branch")], "1002");
    await http("1002", pageByLabel("Branch", there));

    [odd = "", unnamed = "", silent = ""] = await create(stack, "agentToServerTest", [
      { testName: "Odd", server: "vpn.example.com" },
      { testName: "Left", server: "vpn.example.com" },
      { testName: "Silent", server: "vpn.example.com", interval: 60 },
    ]);
    const control = (method: string, path: string, body: object): Promise<unknown> =>
      call(stack.emulator.url, method, `/_emulator/${path}`, body);
    await control("PATCH", `records/agent-to-server-tests/${odd}`, { tcpProbeMode: "prefer-secret" });
    await control("PATCH", `records/agent-to-server-tests/${unnamed}`, { ipVersion: "V9_SECRET" });
    omit(stack.emulator, "tests.agentToServer.list", ["interval", "isPrioritized", "createdDate", "agentSelectorConfig"]);
    await stack.make("label", { name: "New", matchType: "and", filters: [{ key: "future-key", values: ["x"] }] });
    await stack.make("dynamicTest", { testName: "Call", application: "future-app" });
    run = await stack.cli("import", "--all-account-groups", "--agents", "--exclude", aside, "--run");
  });
  afterAll(() => stack.end());

  test("import declares the account group of each record outside the stack's own group", () => {
    expect(run.stdout).toContain("account groups 1001, 1002, 1003");
    const sources = sourcesIn(stack.folder);
    expect(sources["labels.ts"]?.match(/accountGroupId: "1002"/g)).toHaveLength(1);
    expect(sources["labels.ts"]).not.toContain('"1001"');
    expect(sources["http-server-tests.ts"]).toContain("endpointAgentLabels: [branch.id]");
    // An agent can move, so each declares its account group.
    expect(sources["agents.ts"]?.match(/accountGroupId/g)).toHaveLength(8);
    expect(compilerSays(stack.folder)).toBe("");
  });

  test("import lists each record that a program cannot declare", () => {
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("3 agent-to-server tests: 2 new, 1 that a program cannot express");
    expect(run.stdout).toContain(`agent-to-server test "Odd" (${odd}): tcpProbeMode must be one of auto, sack, syn`);
    expect(run.stdout).toContain(`agent-to-server test "Left" (${unnamed}): ipVersion must be one of V4_ONLY`);
    expect(run.text).not.toMatch(/prefer-secret|V9_SECRET/);
    const importedTests = stack.resources().filter(({ urn }) => urn.includes(":AgentToServerTest::"));
    expect(importedTests.map(({ id }) => id).toSorted()).toEqual([unnamed, silent].toSorted());
  });

  test("import --run imports records with property values that the provider does not know", () => {
    expect(textOf("labels.ts")).toContain('key: "future-key"');
    expect(textOf("dynamic-tests.ts")).toContain('application: "future-app"');
    expect(stack.resources().map(({ name }) => name)).toEqual(expect.arrayContaining(["call", "new"]));
  });

  test("a preview with a refresh changes no imported record", async () => {
    expect(run.stdout).toContain("A preview shows no change of the imported resources.");
    expect(await stack.run("refresh", "--preview-only", "--expect-no-changes")).toMatchObject(nothingToDo);
  });

  test("an imported test refers to a deleted label by the label's id", async () => {
    const tests = textOf("http-server-tests.ts");
    expect(tests).toContain(`endpointAgentLabels: [office.id, "${gone}"]`);
    // An existing label that is not imported has its name in a comment.
    expect(tests).toContain(`endpointAgentLabels: [\n    "${gone}",\n    "${aside}", // Aside\n  ]`);

    // A user removes the label, and two tests keep it by its id: nothing else changes.
    const labels = textOf("labels.ts").replace(/export const office = [^;]+;\n/, "");
    expect(labels).not.toContain("office");
    writeFileSync(join(stack.folder, "labels.ts"), labels);
    const byId = tests.replaceAll("office.id", `"${office}"`).replace("branch, office", "branch");
    expect(byId).not.toContain("office");
    writeFileSync(join(stack.folder, "http-server-tests.ts"), byId);
    await stack.must("state", "unprotect", "--all", "--yes");
    expect((await stack.preview()).map(({ op, name }) => `${op} ${name}`)).toEqual(["delete office"]);
  });
});

describe("several imports into one program", () => {
  beforeAll(() => started());
  afterAll(() => stack.end());
  let office: string;

  test("a second import keeps the files that an earlier import without --run wrote", async () => {
    [office = ""] = await create(stack, "label", [label("Office")]);
    await create(stack, "agentToServerTest", [byLabel("Portal", office)]);
    await imported("--only", "labels");
    const labels = textOf("labels.ts");
    await imported("--only", "labels,tests");
    const { resources } = JSON.parse(textOf("import.dev.json")) as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name)).toEqual(["office", "portal"]);
    expect(textOf("labels.ts")).toBe(labels);
    expect(stack.resources().filter(({ urn }) => urn.includes("endpoint-monitoring"))).toEqual([]);
  });

  test("import without --run and without a terminal prints the commands that complete the import", async () => {
    const { code, stdout, stderr } = await stack.cli("import");
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("?")]);
    expect(stdout).toMatch(
      /Nothing was imported yet: .*\n\nNext:\n(?:- )?.*pulumi import --file import\.dev\.json .*\n.*pulumi preview/,
    );
    expect(files()).toContain("import.dev.json");
  });

  test("import on a terminal asks for confirmation", async () => {
    const answered = (stdin: string) => runCommand(["import"], { cwd: stack.folder, env: stack.env, isTTY: true, stdin });
    const question = "The program now declares 2 records. Import them into stack dev? [yes/no]";
    const refused = await answered("no\n");
    expect([refused.code, refused.stderr, refused.stdout]).toEqual([
      0,
      expect.stringContaining(question),
      expect.stringContaining("pulumi import --file import.dev.json"),
    ]);
    const accepted = await answered("yes\n");
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringContaining("Imported 2 resources into stack dev, protected."),
    ]);
    expect(accepted.stdout).toContain("A preview shows no change of the imported resources.");
    expect(accepted.stdout).not.toContain("Nothing was imported yet");
    expect(files()).not.toContain("import.dev.json");
  });

  test("import omits records that another stack of the project manages", async () => {
    const [there = ""] = await create(stack, "label", [label("Branch")], "1002");
    await create(stack, "agentToServerTest", [byLabel("Branch", there)], "1002");
    await stack.add("prod");
    stack.configure({ accountGroupId: "1002" }, "prod");

    const { portal } = stack.state();
    const { data } = await imported("--stack", "prod", "--account-group", "1001,1002", "--run");
    expect(data["managed"]).toEqual([
      { kind: "label", id: office, title: "Office", name: "office", stack: "dev" },
      { kind: "agentToServerTest", id: portal?.id, title: "Portal", name: "portal", stack: "dev" },
    ]);
    expect([data["accountGroups"], data["imported"]]).toEqual([["1001", "1002"], 2]);
    // The account group of the stack's settings is omitted.
    expect(textOf("agent-to-server-tests-prod.ts")).not.toContain("accountGroupId");
    // Both stacks share the program. This stack has not imported the other stack's records.
    const preview = await stack.run("preview", "--stack", "prod", "--target", "**Branch", "--target", "**::branch");
    expect(preview).toMatchObject(nothingToDo);
    expect(preview.text).not.toMatch(/to (create|update|delete|replace)/);
  });

  test("import --dry-run shows the planned import and writes no files", async () => {
    const [garage = ""] = await create(stack, "label", [label("Garage")]);
    const [page = ""] = await create(stack, "httpServerTest", [pageByLabel("Garage", garage, office)]);
    const contents = () => Object.fromEntries(files().map((name) => [name, textOf(name)]));
    const before = contents();
    await stack.requests();
    const run = await stack.cli("import", "--dry-run", "--exclude", "nothing");
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(`Would import from account group 1001 into stack dev:
  2 labels: 1 new, 1 managed already
  1 agent-to-server test: 1 managed already
  1 HTTP server test: 1 new

labels-dev.ts:
  garage  garage  "Garage" (${garage})

http-server-tests-dev.ts:
  garageTest  garage  "Garage" (${page})

Unknown values, because the service never returns them. The values stay unchanged until the program or the configuration sets them:
  targetResponseTime of 1 HTTP server test

Would write:
  labels-dev.ts  1 declaration
  http-server-tests-dev.ts  1 declaration
  index.ts  loads them
  import.dev.json  2 resources for the engine
`);
    expect(contents()).toEqual(before);
    expect(Object.keys(await stack.requests()).filter((operation) => !operation.endsWith(".list"))).toEqual([]);
  });
});

describe("an import into a separate project", () => {
  beforeEach(() => started());
  afterEach(() => stack.end());

  test("import rejects an outdated Pulumi engine before it writes files", async () => {
    await create(stack, "label", [label("Office")]);
    const engine = new EngineWrapper(stack.folder, { version: "3.253.0" });
    try {
      const { code, stderr } = await stack.cli("import");
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          "Pulumi 3.253.0 cannot import the resources of this package. Install Pulumi 3.254.0 or newer",
        ) as unknown,
      ]);
    } finally {
      engine.end();
    }
    expect(files()).not.toContain("labels.ts");
  });

  test("import extends a program of ES modules that Node runs directly", async () => {
    writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    writeFileSync(join(stack.folder, "package.json"), '{ "type": "module" }\n');
    const [office = ""] = await create(stack, "label", [label("Office")]);
    await create(stack, "agentToServerTest", [byLabel("Office", office)]);
    const { warnings } = await imported();
    expect(warnings).toBeUndefined();
    // The next import follows the existing style.
    await create(stack, "dynamicTest", [{ testName: "Calls", application: "webex" }]);
    const { data, warnings: more } = await imported("--run");
    expect([more, data["imported"]]).toEqual([undefined, 3]);
    expect(textOf("index.ts")).toContain('import "./dynamic-tests.ts";');
    expect(data["problems"]).toEqual([]);
  });

  test.each([
    ["runtime: python\n", "the runtime in its Pulumi.yaml is python"],
    ["runtime:\n  name: nodejs\n  options: { typescript: false }\n", "its Pulumi.yaml has typescript: false"],
  ])("import refuses a project that cannot run the generated code: %j", async (runtime, why) => {
    await create(stack, "label", [label("Office")]);
    writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: test\n${runtime}`);
    const before = files();
    const { code, stderr } = await stack.cli("import", "--run");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`Project test cannot run the TypeScript that this command writes: ${why}`),
    ]);
    expect(await stack.cli("import", "--dry-run")).toMatchObject({ code: 1, stderr: expect.stringContaining(why) as unknown });
    expect(files()).toEqual(before);
  });
});
