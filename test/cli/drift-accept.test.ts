/** `drift --accept` beside an engine that answers as the test says: what it writes, what it takes back. The service is real. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DriftReport } from "../../cli/drift/report";
import type { EngineResource } from "../../cli/engine/state";
import { ProgramSource } from "../../cli/source/program";
import { type Emulator, start } from "../../emulator";
import { check } from "../../provider/check";
import type { Kind } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import { type KindName, registry } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { runCommand } from "../support/command";
import { answers, EngineStub } from "../support/engine-stub";
import { inState } from "./drift-support";
import { sessionWith } from "./review-support";
import { declaredBy } from "./source-accept-support";

let emulator: Emulator;
let session: Session;
let folder: string;
beforeAll(async () => {
  emulator = await start({ rateLimit: "off", agents: 3 });
  session = sessionWith(emulator.url);
});
afterAll(async () => {
  await session.client.close();
  await emulator.close();
});
beforeEach(() => {
  emulator.reset();
  folder = mkdtempSync(join(tmpdir(), "drift-accept-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a program and makes what it declares. @returns the resources of its stack */
async function deployed(files: Record<string, string>): Promise<Map<string, EngineResource>> {
  for (const [path, text] of Object.entries({ "Pulumi.yaml": "name: test\nruntime: nodejs\n", ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const found = new Map<string, EngineResource>();
  for (const { kindName, name, args } of declaredBy(files)) {
    const kind: Kind = registry[kindName];
    const { inputs } = check(kind, args);
    const { id, state } = await new Lifecycle(kind, session).create(inputs);
    found.set(name, inState(kindName, name, {}, { id, inputs, outputs: state }));
  }
  return found;
}

/** Changes a record of the service as somebody does by hand. */
async function changed(
  kindName: KindName,
  { id = "", inputs = {}, outputs = {} }: EngineResource,
  values: object,
): Promise<void> {
  const kind: Kind = registry[kindName];
  await new Lifecycle(kind, session).update(id, outputs, { ...inputs, ...values });
}

/** Runs the command. @param differing names of resources that the edited program still changes, as the engine says */
async function accept(resources: ReadonlyMap<string, EngineResource>, differing: readonly string[] = []) {
  const steps = [...resources].map(([name, { urn }]) => ({ op: differing.includes(name) ? "update" : "same", urn }));
  const state = { deployment: { resources: [...resources.values()] } };
  const engine = new EngineStub(
    mkdtempSync(join(folder, ".engine-")),
    answers({
      "stack ls": [{ name: "dev", current: true }],
      "stack export --show-secrets --stack dev ": state,
      "config --json --show-secrets --stack dev ": {},
      "preview ": { steps },
      "refresh ": "",
    }),
  );
  const env = engine.env({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const run = await runCommand(["drift", "--accept", "--no-unmanaged", "--json"], { cwd: folder, env });
  const { data } = JSON.parse(run.stdout) as { data?: DriftReport };
  if (!data?.accepted) throw new Error(run.stderr);
  const { resources: placed, left, files, failures } = data.accepted;
  return { accepted: placed.map(({ name }) => name), left, files, failures, calls: engine.calls };
}

const text = (path: string): string => readFileSync(join(folder, path), "utf8");
const target = ({ urn }: EngineResource): string => `--target ${urn}`;

test("a program in JavaScript is edited, and the engine is asked of what was accepted alone", async () => {
  const program =
    'const { Label } = require("pulumi-endpoint-monitoring");\n' +
    'for (const [name, color] of Object.entries({ red: "#aa0000", blue: "#0000aa" })) {\n' +
    '  new Label(name, { name, color, matchType: "or", filters: [] });\n}\n';
  const resources = await deployed({ "index.js": program, "other.ts": "const = no program;\n" });
  const blue = resources.get("blue") ?? { urn: "", type: "" };
  await changed("label", blue, { color: "#0000ff" });
  const { calls, ...run } = await accept(resources);
  expect(run).toEqual({ accepted: ["blue"], left: [], files: ["index.js"], failures: [] });
  expect(text("index.js")).toBe(program.replace("#0000aa", "#0000ff"));
  expect(calls.slice(-3)).toEqual([
    `preview --json --show-sames --refresh --run-program ${target(blue)} --stack dev`,
    `refresh --yes --skip-preview --run-program ${target(blue)} --stack dev`,
    "stack export --show-secrets --stack dev",
  ]);
});

test("what is compiled from TypeScript is edited there", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\nnew Label("a", { name: "a", matchType: "or", filters: [] });\n';
  const compiled =
    'const em = require("pulumi-endpoint-monitoring");\nnew em.Label("a", { name: "a", matchType: "or", filters: [] });\n';
  const resources = await deployed({ "index.ts": program });
  for (const [path, content] of Object.entries({
    "bin/index.js": compiled,
    "package.json": '{ "main": "bin/index.js" }',
    "tsconfig.json": '{ "compilerOptions": { "outDir": "bin" } }',
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  await changed("label", resources.get("a") ?? { urn: "", type: "" }, { color: "#0000ff" });
  const { files, left } = await accept(resources);
  expect([files, left]).toEqual([["index.ts"], []]);
});

test("what the edited program changes in another way is left, with all else written, and the program is read once", async () => {
  const label = (name: string) => `new Label("${name}", { name: "${name}", matchType: "or", filters: [] });\n`;
  const program = `import { Label } from "pulumi-endpoint-monitoring";\n${label("a")}${label("b")}`;
  const resources = await deployed({ "index.ts": program });
  for (const one of resources.values()) await changed("label", one, { color: "#0000ff" });
  const read = jest.spyOn(ProgramSource, "read");
  const { accepted, left, calls } = await accept(resources, ["b"]);
  expect(read).toHaveBeenCalledTimes(1);
  expect(accepted).toEqual(["a"]);
  expect(left.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    "b: the program changes it in another way too: run `pulumi up --refresh`, or take that back",
  ]);
  expect(text("index.ts")).toBe(
    program.replace('name: "a", matchType: "or", filters: []', 'name: "a", matchType: "or", filters: [], color: "#0000ff"'),
  );
  expect(calls.filter((call) => call.startsWith("preview"))).toHaveLength(2);
});

test("what is left is reported in one line, with its place in the edited program and what to do", async () => {
  const program =
    'import { Label } from "pulumi-endpoint-monitoring";\nnew Label("a", { name: "a", matchType: "or", filters: [\n] });\n' +
    'new Label("b", { name: "b", matchType: "or", filters: [], color: `#0000a${Math.round(1)}` });\n';
  const resources = await deployed({ "index.ts": program });
  const filters = ["one", "two"].map((one) => ({ key: "ssid", mode: "in", values: [one] }));
  await changed("label", resources.get("a") ?? { urn: "", type: "" }, { filters });
  await changed("label", resources.get("b") ?? { urn: "", type: "" }, { color: "#0000ff" });
  const { accepted, left } = await accept(resources);
  expect(accepted).toEqual(["a"]);
  const [one] = left;
  expect(one?.reason).toBe('color is worked out by an expression: write color: "#0000ff" by hand');
  const line = text("index.ts").split("\n")[(one?.position?.line ?? 0) - 1];
  expect(line?.slice((one?.position?.column ?? 0) - 1)).toBe("`#0000a${Math.round(1)}` });");
});
