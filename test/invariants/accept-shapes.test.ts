/** Tests the edits that `drift --accept` writes and reverts. A script replaces the engine. The service is the emulator. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { EngineResource } from "../../engine/state";
import { Acceptor } from "../../program/acceptor";
import { ProgramSource } from "../../program/program-source";
import { DeployedProgram } from "../cli/drift-accept-support";
import { useEmulator } from "../support/emulator";

const emulator = useEmulator({ agents: 3 });
let deployed: DeployedProgram;
beforeEach(() => {
  emulator.reset();
  deployed = new DeployedProgram(emulator);
});
afterEach(() => deployed.end());

/** Runs the command. @param differing names of resources that the edited program still changes, according to the engine */
async function accept(differing: readonly string[] = [], refusing = "", refused = "") {
  const { data, calls, stderr } = await deployed.report(["--accept", "--no-unmanaged"], { differing, refusing, refused });
  if (!data.accepted) throw new Error(stderr);
  const { resources: placed, left, files, failures } = data.accepted;
  return { accepted: placed.map(({ name }) => name), left, files, failures, calls };
}

const target = ({ urn }: EngineResource): string => `--target ${urn}`;

test("drift --accept refreshes only the accepted resources", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\n' +
    'for (const [name, color] of Object.entries({ red: "#aa0000", blue: "#0000aa" })) {\n' +
    '  new Label(name, { name, color, matchType: "or", filters: [] });\n}\n';
  await deployed.deploy({ "index.ts": program });
  const blue = deployed.get("blue");
  await deployed.change("label", "blue", { color: "#0000ff" });
  const { calls, ...run } = await accept();
  expect(run).toEqual({ accepted: ["blue"], left: [], files: ["index.ts"], failures: [] });
  expect(deployed.text("index.ts")).toBe(program.replace("#0000aa", "#0000ff"));
  expect(calls.slice(-3)).toEqual([
    `preview --json --show-sames --refresh --run-program ${target(blue)} --stack dev`,
    `refresh --yes --skip-preview --run-program ${target(blue)} --json --stack dev`,
    "stack export --show-secrets --stack dev",
  ]);
});

test("drift --accept skips only the resource that the engine refuses", async () => {
  const line = (name: string, color: string): string =>
    `new Label("${name}", { name: "${name}", color: "${color}", matchType: "or", filters: [] });\n`;
  const importLine = 'import { Label } from "pulumi-endpoint-monitoring";\n';
  const program = importLine + line("red", "#aa0000") + line("blue", "#0000aa");
  await deployed.deploy({ "index.ts": program });
  await deployed.change("label", "red", { color: "#ff0000" });
  await deployed.change("label", "blue", { color: "#0000ff" });
  const { accepted, left } = await accept([], "#ff0000", "red");
  expect(accepted).toEqual(["blue"]);
  expect(left.map(({ name, reason }) => [name, reason])).toEqual([["red", expect.stringContaining("the engine refuses it: ")]]);
  expect(deployed.text("index.ts")).toBe(program.replace("#0000aa", "#0000ff"));
});

test("drift --accept edits the data file of a JavaScript program", async () => {
  const program =
    'const { Label } = require("pulumi-endpoint-monitoring");\nconst sites = require("./sites.json");\n' +
    'new Label("red", { name: "red", color: "#aa0000", matchType: "or", filters: [] });\n' +
    'for (const { name, color } of sites) new Label(name, { name, color, matchType: "or", filters: [] });\n';
  const sites = '[{ "name": "blue", "color": "#0000aa" }]\n';
  await deployed.deploy({ "index.js": program, "sites.json": sites, "other.ts": "const = no program;\n" });
  for (const name of ["red", "blue"]) await deployed.change("label", name, { color: "#0000ff" });
  const { accepted, left, files } = await accept();
  expect([accepted, files]).toEqual([["blue"], ["sites.json"]]);
  expect(left.map(({ position, reason }) => [position?.file, position?.line, reason])).toEqual([
    ["index.js", 3, 'color is in a JavaScript file: only TypeScript and data files are edited: write color: "#0000ff" by hand'],
  ]);
  expect([deployed.text("index.js"), deployed.text("sites.json")]).toEqual([program, sites.replace("#0000aa", "#0000ff")]);
});

test("drift --accept edits the TypeScript source of a compiled program", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\nnew Label("a", { name: "a", matchType: "or", filters: [] });\n';
  const compiled =
    'const em = require("pulumi-endpoint-monitoring");\nnew em.Label("a", { name: "a", matchType: "or", filters: [] });\n';
  await deployed.deploy({ "index.ts": program });
  deployed.write("bin/index.js", compiled);
  deployed.write("package.json", '{ "main": "bin/index.js" }');
  deployed.write("tsconfig.json", '{ "compilerOptions": { "outDir": "bin", "lib": ["ES2020"], "types": [] } }');
  await deployed.change("label", "a", { color: "#0000ff" });
  const { files, left } = await accept();
  expect([files, left]).toEqual([["index.ts"], []]);
});

test("drift --accept reverts its edit of a resource that the program also changes", async () => {
  const label = (name: string) => `new Label("${name}", { name: "${name}", matchType: "or", filters: [] });\n`;
  const program = `import { Label } from "pulumi-endpoint-monitoring";\n${label("a")}${label("b")}`;
  await deployed.deploy({ "index.ts": program });
  for (const resourceName of ["a", "b"]) await deployed.change("label", resourceName, { color: "#0000ff" });
  const read = jest.spyOn(ProgramSource, "read");
  const { accepted, left, calls } = await accept(["b"]);
  expect(read).toHaveBeenCalledTimes(1);
  expect(accepted).toEqual(["a"]);
  expect(left.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    "b: the program also changes this resource: run `pulumi up --refresh`, or revert that change",
  ]);
  expect(deployed.text("index.ts")).toBe(
    program.replace('name: "a", matchType: "or", filters: []', 'name: "a", matchType: "or", filters: [], color: "#0000ff"'),
  );
  expect(calls.filter((call) => call.startsWith("preview"))).toHaveLength(2);
});

test("drift --accept reports values that a property's type forbids", async () => {
  const program = `import { HttpServerTest } from "pulumi-endpoint-monitoring";
const site = (name: string, interval: 60 | 120) =>
  new HttpServerTest(name, { testName: name, url: \`\${name}.example.com\`, interval });
const row = ({ name, interval }: { name: string; interval: 60 | 120 }) => site(name, interval);
const args = { testName: "e", url: "e.example.com" };
site("a", 60);
site("b", 60);
row({ name: "c", interval: 60 });
row({ name: "d", interval: 60 });
new HttpServerTest("e", args);
`;
  await deployed.deploy({ "index.ts": program });
  const args = "args: { testName: string; url: string; interval?: 60 | 120 | 300 }";
  const declaration = `export declare class HttpServerTest { constructor(name: string, ${args}); }\n`;
  deployed.write("node_modules/pulumi-endpoint-monitoring/index.d.ts", declaration);
  for (const resourceName of ["a", "c"]) await deployed.change("httpServerTest", resourceName, { interval: 120 });
  for (const other of ["b", "d", "e"]) await deployed.change("httpServerTest", other, { interval: 300 });
  const { accepted, left, failures } = await accept();
  expect([accepted, failures]).toEqual([["a", "c"], []]);
  const because = "does not compile with the service's interval: ";
  expect(left.map(({ name, reason, position }) => [name, reason.slice(0, because.length), position?.file])).toEqual(
    ["b", "d", "e"].map((name) => [name, because, "index.ts"]),
  );
  expect(deployed.text("index.ts")).toBe(
    program.replace('"a", 60', '"a", 120').replace('"c", interval: 60', '"c", interval: 120'),
  );
});

test("drift --accept reverts only the edit that makes the program fail", async () => {
  const label = (name: string) =>
    `new Label("${name}", { name: "${name}", color: "#aaaaaa", matchType: "or", filters: [] });\n`;
  const names = ["a", "b", "c", "d", "e"];
  const program = `import { Label } from "pulumi-endpoint-monitoring";\n${names.map(label).join("")}`;
  await deployed.deploy({ "index.ts": program });
  for (const [i, resourceName] of names.entries()) await deployed.change("label", resourceName, { color: `#00000${i}` });
  const { accepted, left, failures } = await accept([], "#000003");
  expect([accepted, failures]).toEqual([["a", "b", "c", "e"], []]);
  expect(left.map(({ name, reason }) => [name, reason])).toEqual([
    ["d", expect.stringMatching(/^the program does not run with the service's values: .*TypeError: no/)],
  ]);
  expect(deployed.text("index.ts")).toBe(
    names.reduce(
      (text, name, i) => (name === "d" ? text : text.replace(`"${name}", color: "#aaaaaa"`, `"${name}", color: "#00000${i}"`)),
      program,
    ),
  );
});

test("drift --accept changes nothing if the program fails before the edits", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\nnew Label("a", { name: "a", matchType: "or", filters: [] });\n';
  await deployed.deploy({ "index.ts": program });
  await deployed.change("label", "a", { color: "#000000" });
  const { accepted, left, failures } = await accept([], "import");
  expect([accepted, left, failures]).toEqual([[], [], [expect.stringContaining("TypeError: no")]]);
  expect(deployed.text("index.ts")).toBe(program);
});

test("drift --accept reports each unaccepted property on one line", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\nnew Label("a", { name: "a", matchType: "or", filters: [\n] });\n' +
    'new Label("b", { name: "b", matchType: "or", filters: [], color: `#0000a${Math.round(1)}` });\n';
  await deployed.deploy({ "index.ts": program });
  // A program without a tsconfig.json is compiled with Pulumi's settings.
  rmSync(join(deployed.folder, "tsconfig.json"));
  const filters = ["one", "two"].map((value) => ({ key: "ssid", mode: "in", values: [value] }));
  await deployed.change("label", "a", { filters });
  await deployed.change("label", "b", { color: "#0000ff" });
  const { accepted, left } = await accept();
  expect(accepted).toEqual(["a"]);
  const [notAccepted] = left;
  expect(notAccepted?.reason).toBe('color is computed by an expression: write color: "#0000ff" by hand');
  const line = deployed.text("index.ts").split("\n")[(notAccepted?.position?.line ?? 0) - 1];
  expect(line?.slice((notAccepted?.position?.column ?? 0) - 1)).toBe("`#0000a${Math.round(1)}` });");
});

test("drift --accept --keep-state edits only properties that update in place", async () => {
  const test = (name: string): string =>
    `new AgentToServerTest("${name}", { testName: "${name}", server: "www.example.com", interval: 60, maxMachines: 5 });\n`;
  const program = `import { AgentToServerTest } from "pulumi-endpoint-monitoring";\n${test("vpn")}${test("mail")}`;
  await deployed.deploy({ "index.ts": program });
  await deployed.change("agentToServerTest", "vpn", { interval: 300 });
  // The update after the merge would replace the test, so the program is not edited.
  const record = `/_emulator/records/agent-to-server-tests/${deployed.get("mail").id}`;
  await emulator.call("PATCH", record, { maxMachines: 7 });
  const { code, data, calls } = await deployed.report(["--accept", "--keep-state", "--no-unmanaged"]);
  expect([code, data.accepted?.files, data.accepted?.failures]).toEqual([2, ["index.ts"], []]);
  expect(data.accepted?.left).toMatchObject([
    { name: "mail", reason: expect.stringContaining("maxMachines is set only at creation") },
  ]);
  expect(deployed.text("index.ts")).toBe(program.replace("interval: 60", "interval: 300"));
  expect(calls.filter((call) => call.startsWith("refresh"))).toEqual([]);
  expect((await deployed.drift(["--keep-state"])).stderr).toContain("--keep-state requires --accept");
});

test("drift --accept reports an unexpected failure of its edits", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\nnew Label("a", { name: "a", matchType: "or", filters: [] });\n';
  await deployed.deploy({ "index.ts": program });
  await deployed.change("label", "a", { color: "#000000" });
  jest.spyOn(Acceptor.prototype, "accept").mockImplementationOnce(() => {
    throw new RangeError("nested too deep");
  });
  const { accepted, failures } = await accept();
  expect([accepted, failures]).toEqual([[], ["nested too deep"]]);
  expect(deployed.text("index.ts")).toBe(program);
});
