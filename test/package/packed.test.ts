import { publishedModules } from "../support/imports";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
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
  });

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

  it("dist contains one compiled file and one declaration file for each source file", () => {
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
});
