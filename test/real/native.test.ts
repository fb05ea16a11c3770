import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { caseLabels } from "../support/kinds";
import { type Program, Stack } from "./support/stack";

const labels: Program = Object.fromEntries(Object.entries(caseLabels).map(([name, args]) => [name, { kind: "Label", args }]));

describe("a missing plugin", () => {
  it("the engine prints the lines that Pulumi.yaml needs if the plugin is missing", async () => {
    const stack = await Stack.startWith("native");
    try {
      const project = join(stack.folder, "Pulumi.yaml");
      writeFileSync(project, readFileSync(project, "utf8").replace(/^plugins:[^]*$/m, ""));
      stack.declare(labels);
      const run = await stack.run("preview");
      expect(run.code).not.toBe(0);
      expect(run.text).toContain(
        "plugins:\n      providers:\n        - name: endpoint-monitoring\n          path: ./node_modules/pulumi-endpoint-monitoring/plugin",
      );
      expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    } finally {
      await stack.end();
    }
  });
});

describe("explicit providers", () => {
  it("an explicit provider applies its settings to its own resources and functions", async () => {
    const stack = await Stack.startWith("native");
    try {
      stack.write(`
        const { Label, Provider, getLabelOutput } = require("pulumi-endpoint-monitoring/native");
        const settings = { baseUrl: ${JSON.stringify(stack.emulator.url)}, token: "emulator-token" };
        const office = { name: "Office", matchType: "or", filters: [] };
        for (const [name, accountGroupId] of [["eu", "1001"], ["us", "1002"]]) {
          const provider = new Provider(name, { ...settings, accountGroupId, timeout: 20 });
          const label = new Label(name, office, { provider });
          exports[name] = getLabelOutput({ id: label.id }, { provider }).apply((found) => found.name);
        }`);
      await stack.up();
      const { eu, us } = stack.state();
      expect([eu, us].map((label) => label?.outputs["accountGroupId"])).toEqual(["1001", "1002"]);
      const { stdout } = await stack.must("stack", "output", "--json");
      expect(JSON.parse(stdout)).toEqual({ eu: "Office", us: "Office" });
      expect(await stack.refresh()).toMatchObject({ same: expect.any(Number) });
      expect(await stack.preview()).toEqual([]);
      const { stdout: exported } = await stack.must("stack", "export");
      expect(exported).not.toContain("emulator-token");
      await stack.destroy();
      expect(await stack.ids("labels")).toEqual([]);
    } finally {
      await stack.end();
    }
  });
});
