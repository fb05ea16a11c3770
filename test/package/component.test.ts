/**
 * Installs a component package that depends on this package into a project without that dependency. pnpm links this package
 * only for the component.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { ownManifest } from "../../api/manifest";
import { endAll } from "../support/process";
import { pack, packOwn } from "./support/installed";
import { Shell } from "./support/shell";
import { temporary } from "../support/temporary";

const component = `
const pulumi = require("@pulumi/pulumi");
const { Label } = require("pulumi-endpoint-monitoring");
exports.Site = class extends pulumi.ComponentResource {
  constructor(name, { network }, opts) {
    super("acme:monitoring:Site", name, {}, opts);
    const filters = [{ key: "local-network", values: [network] }];
    this.label = new Label(name, { name, matchType: "or", filters }, { parent: this });
    this.registerOutputs({});
  }
};
`;

let emulator: Emulator;
let shell: Shell;
let tarballs: string;

beforeAll(async () => {
  tarballs = temporary();
  const { name, version, peerDependencies } = ownManifest();
  const sdk = { "@pulumi/pulumi": peerDependencies["@pulumi/pulumi"] };
  const source = join(tarballs, "source");
  for (const folder of ["source", "acme"]) mkdirSync(join(tarballs, folder));
  writeFileSync(join(source, "index.js"), component);
  writeFileSync(
    join(source, "package.json"),
    JSON.stringify({
      name: "acme-monitoring",
      version: "1.0.0",
      dependencies: { [name]: `^${version}` },
      peerDependencies: sdk,
    }),
  );
  shell = new Shell();
  const put = (file: string, text: string): void => writeFileSync(join(shell.folder, file), text);
  const ownPackage = `file:${packOwn()}`;
  const acme = `file:${pack(source, join(tarballs, "acme"))}`;
  put("package.json", JSON.stringify({ private: true, dependencies: { ...sdk, "acme-monitoring": acme } }));
  put("pnpm-workspace.yaml", `allowBuilds:\n  protobufjs: false\noverrides:\n  ${name}: ${ownPackage}\n`);
  put("Pulumi.yaml", "name: sites\nruntime: { name: nodejs, options: { typescript: false } }\nmain: program/\n");
  mkdirSync(join(shell.folder, "program"));
  put("program/index.js", `new (require("acme-monitoring").Site)("Office", { network: "10.20.0.0/16" });\n`);
  emulator = await start({ rateLimit: "off" });
  put(
    "Pulumi.dev.yaml",
    `config:\n  endpoint-monitoring:baseUrl: ${emulator.url}\n  endpoint-monitoring:token: emulator-token\n`,
  );
});
afterAll(async () => {
  await shell.end();
  await endAll();
  await emulator.close();
});

test("the engine creates, refreshes and destroys the component's resources", async () => {
  await shell.run("pnpm install");
  // The test requires that the project cannot load the package.
  expect(existsSync(join(shell.folder, "node_modules/acme-monitoring"))).toBe(true);
  expect(existsSync(join(shell.folder, "node_modules/pulumi-endpoint-monitoring"))).toBe(false);
  await shell.run("pulumi stack init dev");
  expect((await shell.run("pulumi up --skip-preview")).stdout).toContain("+ 3 created");
  // Neither command runs the program, so both know only the state.
  expect((await shell.run("pulumi refresh --skip-preview --expect-no-changes")).stdout).toContain("3 unchanged");
  expect((await shell.run("pulumi destroy --skip-preview")).stdout).toContain("- 3 deleted");
  expect(emulator.requests()).toMatchObject({ "labels.create": 1, "labels.delete": 1 });
});
