/** Runs `check` in a project, with stand-ins for the engine and for the package that the program loads. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownManifest } from "../../../../api/manifest";
import type { FindingData } from "../../../../common/finding";
import type { EngineResource } from "../../../../engine/state";
import { runCommand } from "../../../support/command";
import { AnsweringEngine, answersOf } from "../../../support/answering-engine";
import { useEmulator } from "../../../support/emulator";
import { inState, urnOf } from "../../drift-support";
import { temporary } from "../../../support/temporary";

const emulator = useEmulator({ agents: 3 });
let folder: string;
beforeEach(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  install(`module.exports = new Proxy({}, { get: () => ({ create() {} }) });`);
});

const { name: packageName, version } = ownManifest();

/** Installs a package that the program loads as ours. @param provider source of the module that exports its kinds */
function install(provider: string, installed = version): void {
  const home = join(folder, "node_modules", packageName);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: packageName, version: installed }));
  writeFileSync(join(home, "provider.js"), provider);
}

interface Checked {
  code: number;
  checks: Record<string, FindingData>;
  /** Names of the checks with a level. */
  of: (level: FindingData["level"]) => string[];
  calls: string[];
}

/** Runs `check`. @param outputs answers of the engine that differ from those of a stack in order; undefined for a call that fails */
async function check(outputs: Record<string, unknown> = {}, ...args: string[]): Promise<Checked> {
  const setting = (value: string, secret = false) => ({ value, secret });
  const inOrder = {
    version: "v3.259.0",
    "stack ls": [{ name: "dev", current: true }],
    "stack export": { deployment: { resources: [] } },
    whoami: { url: `file://${folder}/backend` },
    "config --json": {
      "endpoint-monitoring:baseUrl": setting(emulator.url),
      "endpoint-monitoring:token": setting("emulator-token", true),
    },
    preview: { steps: [], changeSummary: {} },
  };
  // The first response that fits counts.
  const known = Object.entries({
    ...outputs,
    ...Object.fromEntries(Object.entries(inOrder).filter(([words]) => !(words in outputs))),
  });
  const answered = Object.fromEntries(known.filter(([, answer]) => answer !== undefined));
  const engine = new AnsweringEngine(folder, answersOf(answered));
  const run = await runCommand(["check", "--json", ...args], { cwd: folder, env: engine.env() });
  engine.end();
  const { data } = JSON.parse(run.stdout) as { data?: { findings: FindingData[] } };
  if (!data) throw new Error(run.text);
  const of = (level: FindingData["level"]) =>
    data.findings.filter((finding) => finding.level === level).map(({ rule }) => rule);
  const checks = Object.fromEntries(data.findings.map((finding) => [finding.rule, finding]));
  return { code: run.code, checks, of, calls: engine.calls };
}

const label = (id: string, stack = "dev"): EngineResource => {
  const inputs = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] };
  const outputs = { ...inputs, accountGroupId: "1001" };
  return inState("label", "office", {}, { id, inputs, outputs, urn: urnOf("label", "office", stack) });
};

describe("`check` in a project", () => {
  it("`check` examines the stack, provider package, state, lock, settings, shared records and preview", async () => {
    const { code, checks, of } = await check({ "stack export": { deployment: { resources: [label("1")] } } });
    expect([code, of("error"), of("warning"), of("skipped")]).toEqual([0, [], [], []]);
    const texts = ["project", "stack", "provider", "state", "lock", "preview"].map((name) => checks[name]?.text);
    expect(texts).toEqual([
      `test in ${folder}`,
      "dev",
      `${packageName} ${version}`,
      "1 resource of this package, and its secrets can be decrypted",
      "the stack is not locked",
      "stack dev can be previewed",
    ]);
    expect(checks["settings"]?.text).toBe(`baseUrl ${emulator.url} from stack dev, token from stack dev`);
    expect(checks["shared records"]?.text).toBe("each record of stack dev exists once, and no other stack manages it");
  });

  it("`check` runs each Pulumi command at most once", async () => {
    const { calls } = await check();
    expect(calls.map((call) => call.replace(/ --.*/, "")).toSorted()).toEqual([
      "config",
      "preview",
      "stack export",
      "stack ls",
      "version",
      "whoami",
    ]);
  });

  it.each([
    [[], "project test has no stack", "pulumi stack init dev"],
    [
      [{ name: "dev" }, { name: "prod" }],
      "no stack is selected; its stacks are dev, prod",
      "pulumi stack select dev, or --stack dev",
    ],
  ])("`check` does not examine a stack if the project has the stacks %j and none is selected", async (listed, text, fix) => {
    const { code, checks, of } = await check({ "stack ls": listed });
    expect([code, of("error")]).toEqual([2, ["stack"]]);
    expect(checks["stack"]).toMatchObject({ text, fix });
    expect(of("passed")).toContain("provider");
    expect(of("skipped")).toContain("settings");
    expect(checks["preview"]).toBeUndefined();
  });

  it("`check` lists the existing stacks if the named stack does not exist", async () => {
    const { checks } = await check({}, "--stack", "prod");
    expect(checks["stack"]).toMatchObject({
      level: "error",
      text: "project test has no stack prod; its stack is dev",
      fix: "--stack dev",
    });
  });

  it.each([
    ["throw new Error('broken');\n", version, "error", `${packageName} cannot be loaded from FOLDER: broken`],
    ["module.exports = { label: { create() {} } };", version, "error", / in FOLDER does not support EndpointAgentTag, /],
    ["process.exit(3);", version, "error", /loading pulumi-endpoint-monitoring ended the process/],
    [
      "module.exports = new Proxy({}, { get: () => ({ create() {} }) });",
      "0.0.9",
      "warning",
      /is 0\.0\.9 in FOLDER, but this command is /,
    ],
  ])("`check` tests the provider package that the program loads: %j, version %s", async (source, installed, level, text) => {
    install(source, installed);
    const { code, checks } = await check();
    const { text: shown = "", fix, level: reported } = checks["provider"] ?? {};
    expect([code, reported]).toEqual([level === "error" ? 2 : 0, level]);
    expect(shown.replaceAll(folder, "FOLDER")).toMatch(text);
    expect(fix).toContain(`npm install ${packageName}@${version}`);
  });

  it("`check` shows how to set a missing setting in the stack configuration", async () => {
    const { code, checks, of } = await check({ "config --json": {} });
    expect([code, of("error")]).toEqual([2, ["settings"]]);
    expect(checks["settings"]?.fix).toContain("pulumi config set --stack dev endpoint-monitoring:baseUrl ...");
    expect(checks["preview"]).toMatchObject({ level: "skipped", text: 'requires "settings"' });
  });

  it.each([
    ["state", "stack export", /^the state of stack dev cannot be read with its secrets: /],
    ["settings", "config --json", /^the configuration of stack dev cannot be read: /],
  ])("`check` shows how to set the passphrase if the engine cannot read the stack's %s", async (name, call, text) => {
    const { code, checks, of } = await check({ [call]: undefined });
    expect([code, of("error")]).toEqual([2, [name]]);
    expect(checks[name]).toMatchObject({
      text: expect.stringMatching(text),
      fix: expect.stringContaining("export PULUMI_CONFIG_PASSPHRASE"),
    });
    expect(checks["preview"]).toMatchObject({ level: "skipped" });
  });

  it("`check` reports a locked stack in a file backend", async () => {
    const locks = join(folder, "backend/.pulumi/locks/organization/test/dev");
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, "1.json"), "{}");
    const { code, checks, of } = await check();
    expect([code, of("error")]).toEqual([2, ["lock"]]);
    expect(checks["lock"]?.fix).toContain("pulumi cancel --stack dev");
  });

  it("`check` reports a record that another stack of the project also manages", async () => {
    const { code, checks, of } = await check({
      "stack ls": [{ name: "dev", current: true }, { name: "prod" }],
      "stack export --stack prod": { deployment: { resources: [label("1", "prod")] } },
      "stack export": { deployment: { resources: [label("1")] } },
    });
    expect([code, of("error")]).toEqual([2, ["shared records"]]);
    expect(checks["shared records"]?.text).toMatch(/^adopts-foreign: /);
  });

  it("`check` reports a failed preview of the program", async () => {
    const { code, checks, of } = await check({ preview: undefined });
    expect([code, of("error")]).toEqual([2, ["preview"]]);
    expect(checks["preview"]).toMatchObject({
      text: expect.stringMatching(/^stack dev cannot be previewed: /),
      fix: expect.stringContaining("endpoint-monitoring validate"),
    });
  });
});
