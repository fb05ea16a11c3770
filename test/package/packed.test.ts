import { publishedModules } from "../support/imports";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../../provider/registry";
import { installPackage, repository } from "./support/installed";

/** The package as npm publishes it, installed with its dependencies. */
describe("the packed package", () => {
  let folder: string;
  let files: string[];
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

  beforeAll(() => {
    folder = installPackage();
    files = readdirSync(join(folder, "node_modules/pulumi-endpoint-monitoring"), { recursive: true, encoding: "utf8" });
  }, 60_000);

  it("the package contains no development files", () => {
    for (const entry of [
      "sdk/index.js",
      "sdk/index.d.ts",
      "provider/index.js",
      "api/index.js",
      "emulator/index.js",
      "testing/index.js",
      "policy/index.js",
      "cli/main.js",
    ]) {
      expect(files).toContain(join("dist", entry));
    }
    expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE", "CHANGELOG.md"]));
    const top = new Set(files.map((name) => name.split("/")[0]));
    // The pages and examples that the README links to: links.test.ts.
    const pages = [
      "README.md",
      "CHANGELOG.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
      "docs",
      "examples",
      "skills",
      "llms.txt",
    ];
    expect(top).toEqual(new Set(["package.json", "LICENSE", "dist", "plugin", ...pages, "emulator"]));
    expect(files.filter((name) => name.startsWith("emulator/"))).toEqual(["emulator/DIFFERENCES.md"]);
    // The pipelines that `init --ci` writes.
    for (const name of readdirSync(join(repository, "examples/ci"), { recursive: true, encoding: "utf8" }))
      expect(files).toContain(join("examples/ci", name));
    const rooms = new Set(files.flatMap((name) => (name.startsWith("dist/") ? (name.split("/")[1] ?? []) : [])));
    expect(rooms).toEqual(new Set(publishedModules));
    expect(files.filter((name) => name.startsWith("plugin/")).toSorted()).toEqual([
      "plugin/PulumiPlugin.yaml",
      "plugin/package.json",
      "plugin/pulumi-resource-endpoint-monitoring",
      "plugin/pulumi-resource-endpoint-monitoring.cmd",
      "plugin/schema.json",
    ]);
    const executable = join(folder, "node_modules/pulumi-endpoint-monitoring/plugin/pulumi-resource-endpoint-monitoring");
    expect(statSync(executable).mode & 0o111).toBe(0o111);
    expect(files.filter((name) => name.endsWith(".map") || (/\.test\./.test(name) && !name.startsWith("examples/")))).toEqual(
      [],
    );
  });

  it("dist contains one compiled file and one types file for each source file", () => {
    const sources = publishedModules.flatMap((room) =>
      readdirSync(join(repository, room), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap((name) => [".js", ".d.ts"].map((end) => join("dist", room, name.replace(/\.ts$/, end)))),
    );
    const compiled = files.filter((name) => statSync(join(folder, "node_modules/pulumi-endpoint-monitoring", name)).isFile());
    expect(compiled.filter((name) => name.startsWith("dist/")).toSorted()).toEqual(sources.toSorted());
  });

  it("npm runs no script of the package during the installation", () => {
    const installed = join(folder, "node_modules/pulumi-endpoint-monitoring/package.json");
    const { scripts = {} } = JSON.parse(readFileSync(installed, "utf8")) as { scripts?: Record<string, string> };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare|publish)$|^prepublish/.test(name))).toEqual([]);
  });

  it("a program can load each export of the package by name", () => {
    const script = `
      const provider = require("pulumi-endpoint-monitoring/provider");
      const { createClient } = require("pulumi-endpoint-monitoring/api");
      const { start } = require("pulumi-endpoint-monitoring/emulator");
      (async () => {
        const emulator = await start();
        const client = createClient({ baseUrl: emulator.url, token: "emulator-token" });
        await client.labels.create({ body: { name: "Office", matchType: "or", filters: [] } });
        const { labels } = await client.labels.list();
        console.log(Object.keys(provider).join(), labels.length);
        await client.close();
        await emulator.close();
      })();`;
    expect(run(process.execPath, "-e", script).trim()).toBe(`${Object.keys(registry).join()} 1`);
  });

  it("import and require return the same exported names", () => {
    const script = `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      const own = require("pulumi-endpoint-monitoring/package.json");
      for (const path of Object.keys(own.exports).filter((one) => !one.endsWith(".json"))) {
        const name = own.name + path.slice(1);
        const { default: whole, "module.exports": _, ...named } = await import(name);
        console.log(name, Object.keys(whole).filter((key) => !(key in named)).join(), Object.keys(named).length > 0);
      }`;
    const names = ["", "/native", "/provider", "/api", "/emulator", "/testing", "/policy"];
    const answers = run(process.execPath, "--input-type=module", "-e", script).trim().split("\n");
    expect(answers).toEqual(names.map((name) => `pulumi-endpoint-monitoring${name}  true`));
  });

  it("the compiled files refer to no source map", () => {
    const scripts = files.filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(500);
    const text = (name: string): string => readFileSync(join(folder, "node_modules/pulumi-endpoint-monitoring", name), "utf8");
    expect(scripts.filter((name) => /^\/\/[#@] sourceMappingURL=/m.test(text(name)))).toEqual([]);
  });

  it("the compiler rejects a program with mistakes", () => {
    const good = `
      import * as pulumi from "@pulumi/pulumi";
      import { AgentToServerTest, Label, type LabelArgs } from "pulumi-endpoint-monitoring";
      import { start } from "pulumi-endpoint-monitoring/emulator";
      import { monitoringMocks } from "pulumi-endpoint-monitoring/testing";
      const mocks: pulumi.runtime.Mocks = monitoringMocks({ functions: { getLabels: ({ limit = 1 }) => [{ id: String(limit), name: "Office" }] } });
      const args: LabelArgs = { name: pulumi.output("Office"), matchType: "or", filters: [{ key: "ssid", values: ["a", pulumi.output("b")] }] };
      const label = new Label("office", args, { protect: true });
      const color: pulumi.Output<string> = label.color;
      const found: AgentToServerTest = AgentToServerTest.get("found", "1", { accountGroupId: "2" });
      const interval: pulumi.Output<60 | 120 | 300 | 600 | 900 | 1800 | 3600> = found.interval;
      new AgentToServerTest("t", { testName: "T", server: "example.com", interval: 300, agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] });
      const other: unknown = label;
      if (Label.isInstance(other)) other.matchType.apply((match) => match === "and");
      export { color, interval, mocks, start };`;
    const bad = `
      import { Label } from "pulumi-endpoint-monitoring";
      new Label("office", { name: "Office", matchType: "xor", filters: [{ key: "hostname", values: ["a"] }] });
      new Label("excess", { name: "Office", matchType: "or", filters: [], colr: "#000000" });
      new Label("none", { name: "None" });`;
    writeFileSync(join(folder, "good.ts"), good);
    writeFileSync(join(folder, "bad.ts"), bad);
    const said = compile("good.ts", "bad.ts");
    const errors = said.split("\n").filter((line) => line.includes("error TS"));
    expect(errors.filter((line) => !line.startsWith("bad.ts("))).toEqual([]);
    for (const part of ['"xor"', "colr", "matchType"]) expect(said).toContain(part);
    for (const line of [3, 4, 5]) expect(said).toContain(`bad.ts(${line},`);
  }, 60_000);

  /** The compiler's errors for programs with strict checks. */
  function compile(...programs: string[]): string {
    const args = ["--noEmit", "--strict", "--module", "node16", "--moduleResolution", "node16", "--target", "es2023"];
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...args, "--types", "node", ...programs], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(status).not.toBeNull();
    return stdout;
  }
});
