/** Runs Pulumi's own commands with the plugin's folder in an installed package. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endAll } from "../support/process";
import { packOwn, repository } from "./support/installed";
import { Shell } from "./support/shell";

const folder = "./node_modules/pulumi-endpoint-monitoring/plugin";
const project = `name: monitoring
runtime: nodejs
plugins:
  providers:
    - name: endpoint-monitoring
      path: ${folder}
`;

interface Schema {
  version: string;
  resources: object;
  functions: object;
}

let shell: Shell;

beforeAll(async () => {
  shell = new Shell();
  const tarball = packOwn();
  await shell.installOnce(`npm install pulumi-endpoint-monitoring@file:${tarball}`, tarball);
  const write = (name: string, text: string): void => writeFileSync(join(shell.folder, name), text);
  write("Pulumi.yaml", project);
  write(
    "index.js",
    'const { Label } = require("pulumi-endpoint-monitoring/native");\nnew Label("a", { name: "A", matchType: "or", filters: [] });\n',
  );
});
afterAll(async () => {
  await shell.end();
  await endAll();
});

it.each([folder, `${folder}/pulumi-resource-endpoint-monitoring`])(
  "pulumi package get-schema prints the plugin's schema: %s",
  async (path) => {
    const { stdout } = await shell.run(`pulumi package get-schema ${path}`);
    // The output of the folder's package manager comes first.
    const schema = JSON.parse(stdout.slice(stdout.indexOf("{\n"))) as Schema;
    const ownSchema = JSON.parse(readFileSync(join(repository, "plugin/schema.json"), "utf8")) as Schema;
    expect(schema.version).toBe(ownSchema.version);
    expect(Object.keys(schema.resources)).toEqual(Object.keys(ownSchema.resources));
    expect(Object.keys(schema.functions)).toEqual(Object.keys(ownSchema.functions));
  },
);

it("pulumi install does not change the files of a project with the plugin", async () => {
  const manifest = readFileSync(join(shell.folder, "package.json"), "utf8");
  await shell.run("pulumi install");
  expect(readFileSync(join(shell.folder, "package.json"), "utf8")).toBe(manifest);
  expect(readFileSync(join(shell.folder, "Pulumi.yaml"), "utf8")).toBe(project);
  await shell.run("pulumi stack init dev");
  const settings = { previewReach: "off", baseUrl: "http://127.0.0.1:1", token: "a-token" };
  for (const [name, value] of Object.entries(settings))
    await shell.run(`pulumi config set --plaintext endpoint-monitoring:${name} ${value}`);
  expect((await shell.run("pulumi preview")).stdout).toContain("+ 2 to create");
});
