/** Runs commands that write programs with the native plugin. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nativeToken } from "../../sdk/token";
import { compilerSays, sourcesIn } from "./support/checked";
import { create } from "./support/fleet";
import { type Run, Stack } from "./support/stack";

let stack: Stack;
afterEach(() => stack.end());

const textOf = (path: string): string => readFileSync(join(stack.folder, path), "utf8");
const nothingToDo = { code: 0, text: expect.stringMatching(/\d+ unchanged/) as unknown };
const label = (name: string): Record<string, unknown> => ({
  name,
  matchType: "or",
  filters: [{ key: "platform", values: ["Mac"] }],
});

/** Runs a command that only writes files. */
async function command(...args: string[]): Promise<Run> {
  const run = await stack.cli(...args);
  if (run.code !== 0) throw new Error(run.text);
  return run;
}

it("init --native creates a project that is ready for a preview and an update", async () => {
  stack = await Stack.start({}, "typescript");
  for (const path of ["Pulumi.yaml", "tsconfig.json"]) rmSync(join(stack.folder, path));
  await command("init", "--native");
  // The prepared stack belongs to project "test", and init names the project after its folder.
  const projectFile = join(stack.folder, "Pulumi.yaml");
  writeFileSync(projectFile, readFileSync(projectFile, "utf8").replace(/^name: .*$/m, "name: test"));
  expect(sourcesIn(stack.folder)["index.ts"]).toContain('from "pulumi-endpoint-monitoring/native"');
  expect(compilerSays(stack.folder)).toBe("");
  expect((await stack.preview()).map(({ op }) => op)).toEqual(["create", "create"]);
  expect(await stack.up()).toMatchObject({ create: 3 });
  expect(stack.state()["computers"]?.urn).toContain(nativeToken("EndpointAgentTag"));
});

it("import uses native classes in dry runs and in partial, complete and repeated imports", async () => {
  stack = await Stack.start({ agents: 3 }, "typescript");
  const [office = "", branch = ""] = await create(stack, "label", [label("Office"), label("Branch")]);
  const selects = { agentSelectorType: "agent-labels", endpointAgentLabels: [office] };
  await create(stack, "httpServerTest", [
    { testName: "Portal", url: "https://www.example.com", authType: "basic", username: "probe", ...selects },
  ]);
  const project = textOf("Pulumi.yaml");

  const dry = await command("import", "--native", "--dry-run");
  expect(dry.stdout).toContain("Pulumi.yaml  now lists the native plugin");
  expect([textOf("Pulumi.yaml"), Object.keys(sourcesIn(stack.folder))]).toEqual([project, []]);

  // First a part, then all. The program is native by then, so the option is no longer necessary.
  await command("import", "--native", "--run", "--match", "Office");
  expect(textOf("Pulumi.yaml")).toBe(
    `${project}plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n`,
  );
  writeFileSync(join(stack.folder, "secrets.json"), JSON.stringify({ portalPassword: "s3cret-value" }));
  await stack.requests();
  const rest = await command("import", "--run", "--secrets", "secrets.json", "--json");
  expect(JSON.parse(rest.stdout)).toMatchObject({ data: { imported: 2, problems: [], next: [] } });
  const sent = await stack.requests();
  expect(Object.keys(sent).filter((operation) => !operation.endsWith(".list"))).toEqual([]);

  const sources = sourcesIn(stack.folder);
  expect(Object.keys(sources).toSorted()).toEqual(["http-server-tests.ts", "index.ts", "labels.ts"]);
  for (const path of ["http-server-tests.ts", "labels.ts"])
    expect(sources[path]).toMatch(/from ["']pulumi-endpoint-monitoring\/native["']/);
  expect(compilerSays(stack.folder)).toBe("");
  const managed = stack.resources();
  expect(managed.map(({ id }) => id)).toEqual(expect.arrayContaining([office, branch]));
  for (const { urn, protect, inputs, outputs } of managed) {
    expect(urn).toMatch(/::endpoint-monitoring:index:\w+::/);
    expect([protect, "__provider" in inputs, "__provider" in outputs]).toEqual([true, false, true]);
  }
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
  expect(await stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes")).toMatchObject(nothingToDo);
  expect(stack.output).not.toContain("s3cret-value");

  const again = await command("import", "--run", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ data: { imported: 0, files: [] } });
  expect(sourcesIn(stack.folder)).toEqual(sources);
});
