/** Runs drift --accept in a program with two stacks. test/invariants/program-shapes.test.ts accepts 40 changes without an engine. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { report, until } from "./support/drift";
import { Stack } from "./support/stack";

describe("drift --accept in a program with two stacks", () => {
  let stack: Stack;
  const text = (): string => readFileSync(join(stack.folder, "index.ts"), "utf8");
  const program = `import { Label } from "pulumi-endpoint-monitoring/native";

new Label("shared", { name: "Shared", matchType: "and", filters: [] });
new Label("differing", { name: "Differing", color: "#aaaaaa", matchType: "and", filters: [] });
`;
  const stacks = [
    { name: "dev", aid: 1001, color: "#0000d1" },
    { name: "prod", aid: 1002, color: "#0000e1" },
  ];
  const states = () => stacks.map(({ name }) => stack.state(name));
  /** Changes the color of a label in the service, as a user does. */
  const change = (resource: string, name: string, aid: number, color: string): Promise<void> =>
    stack.change("label", stack.state(name)[resource]?.id ?? "", { color }, `?aid=${aid}`);

  beforeAll(async () => {
    stack = await Stack.start({}, "typescript");
    stack.take("native");
    writeFileSync(join(stack.folder, "index.ts"), program);
    await stack.add("prod");
    stack.configure({ accountGroupId: "1002" }, "prod");
    for (const { name } of stacks) {
      stack.select(name);
      await stack.up();
    }
  });
  afterAll(() => stack.end());

  it.each([[["--all-stacks"]], [["--stack", "dev"]]])(
    "drift --accept does not accept a value that only one of two stacks has: %j",
    async (args) => {
      await change("shared", "dev", 1001, "#00aa00");
      const run = await stack.cli("drift", "--accept", "--json", "--no-unmanaged", ...args);
      expect(run.code).toBe(2);
      expect(report(run).accepted).toMatchObject({ resources: [], files: [], left: [{ stack: "dev", name: "shared" }] });
      expect(report(run).accepted?.left[0]?.reason).toContain("dev, prod");
      expect(text()).toBe(program);
    },
  );

  it("drift --accept restores the source after an interrupt and exits with code 130", async () => {
    for (const { name, aid } of stacks) await change("shared", name, aid, "#00aa00");
    const before = states();
    const started = stack.startCli("drift", "--all-stacks", "--accept", "--json");
    await until("the edited source", () => text() !== program);
    // The engine has started. Before that, Ctrl+C would not reach it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(text()).toContain("#00aa00");
    started.kill("SIGINT");
    const run = await started.ended;
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 130 });
    expect(text()).toBe(program);
    expect(states()).toEqual(before);
  });

  it("drift --accept edits the program only once for a change that occurs in both stacks", async () => {
    for (const { name, aid, color } of stacks) await change("differing", name, aid, color);
    const before = states();
    // The changes of the interrupted run in both stacks appear again.
    const run = await stack.cli("drift", "--all-stacks", "--accept", "--json", "--no-unmanaged");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 2 });
    const { accepted } = report(run);
    expect(accepted?.failures).toEqual([]);
    expect(accepted?.resources.map((resource) => `${resource.stack} ${resource.name}`).toSorted()).toEqual([
      "dev shared",
      "prod shared",
    ]);
    // The other label is reported with its position, and the command and value for each stack.
    expect(accepted?.left).toMatchObject(
      stacks.map(({ name, color }) => ({
        stack: name,
        name: "differing",
        reason: expect.stringMatching(new RegExp(`pulumi config set --stack ${name} .*${color}`)) as unknown,
        position: { file: "index.ts" },
      })),
    );
    expect(text()).toBe(program.replace("filters: []", 'filters: [], color: "#00aa00"'));
    // The states contain the value that both stacks now share, and otherwise the previous ones.
    for (const [at, { name }] of stacks.entries()) {
      const now = stack.state(name);
      expect(now["shared"]?.inputs).toEqual({ ...before[at]?.["shared"]?.inputs, color: "#00aa00" });
      expect(now["differing"]?.inputs).toEqual(before[at]?.["differing"]?.inputs);
      stack.select(name);
      expect(await stack.preview()).toEqual([]);
    }
  });
});
