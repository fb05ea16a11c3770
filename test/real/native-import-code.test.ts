/** Runs `pulumi import` with its own language host, or with the generator of a locally built engine. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, nativePackageFiles, nativePackageName, type Words } from "../../tools/release/native-package";
import { nativeToken } from "../../sdk/token";
import { kindCases, recordKinds } from "../support/kinds";
import { repository } from "../support/process";
import { compilerSays } from "./support/checked";
import { Stack } from "./support/stack";

let stack: Stack;
const textOf = (path: string): string => readFileSync(join(stack.folder, path), "utf8");

beforeAll(async () => {
  execFileSync(process.execPath, [join(repository, "tools/engine/generator.mjs")], { stdio: "pipe" });
  stack = await Stack.start({}, "typescript");
  stack.take("native");
  // The generated code imports the native package, which has the classes of this package.
  const installed = join(stack.folder, "node_modules", nativePackageName);
  mkdirSync(installed);
  const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as Manifest;
  // Without the download URL, because the project names the plugin.
  const schema = JSON.parse(readFileSync(join(repository, "plugin/schema.json"), "utf8")) as Words;
  const files = nativePackageFiles(manifest, schema);
  const { pulumi: _plugin, ...own } = JSON.parse(files["package.json"] ?? "") as { pulumi: object };
  files["package.json"] = JSON.stringify(own);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(installed, name), text);
  writeFileSync(join(stack.folder, "index.ts"), 'import "pulumi-endpoint-monitoring/native";\n');
});
afterAll(() => stack.end());

/** Runs an import that must succeed. @returns the code */
async function imported(...args: string[]): Promise<string> {
  await stack.must("import", ...args, "--yes", "--protect=false", "--out", "generated.ts");
  return textOf("generated.ts");
}

it("the code that pulumi import prints for each resource type needs no update", async () => {
  const office = await stack.make("label", {
    name: "Office",
    matchType: "or",
    filters: [{ key: "platform", values: ["Mac"] }],
  });
  const code = await imported(nativeToken("Label"), "office", office);
  expect(code).toContain(`from "${nativePackageName}"`);
  expect(code).toContain('Label("office", {');
  const resources = await Promise.all(
    recordKinds.map(async (kind) => {
      const { className, full } = kindCases[kind];
      return { type: nativeToken(className), name: className, id: await stack.make(kind, full) };
    }),
  );
  writeFileSync(join(stack.folder, "import.json"), JSON.stringify({ resources }));
  const all = await imported("--file", "import.json");
  for (const { name } of resources) expect(all).toContain(`${name}("${name}", {`);
  writeFileSync(join(stack.folder, "index.ts"), `${code}\n${all.replace(/^import .*$/gm, "")}`);
  // Pulumi's generator leaves unused imports.
  const mistakes = compilerSays(stack.folder)
    .split("\n")
    .filter((line) => line !== "" && !line.includes("TS6133"));
  expect(mistakes).toEqual([]);
  expect((await stack.preview()).map(({ op, name }) => `${op} ${name}`)).toEqual([]);
  expect(stack.state()["office"]?.id).toBe(office);
  const elsewhere = await stack.make("label", { name: "There", matchType: "or", filters: [] }, "?aid=1002");
  expect(await imported(nativeToken("Label"), "there", `1002/${elsewhere}`)).toContain('accountGroupId: "1002"');
});
