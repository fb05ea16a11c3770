import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FindingData } from "../../common/finding";
import { commandIn } from "./support/command-in";
import { type Run, Stack } from "./support/stack";

interface Checked {
  code: number | null;
  checks: Record<string, FindingData>;
  failed: string[];
  skipped: string[];
}

function checkedOf({ code, stdout }: Pick<Run, "code" | "stdout">): Checked {
  const { findings } = (JSON.parse(stdout) as { data: { findings: FindingData[] } }).data;
  const of = (wanted: string): string[] => findings.filter(({ level }) => level === wanted).map(({ rule }) => rule);
  return {
    code,
    checks: Object.fromEntries(findings.map((finding) => [finding.rule, finding])),
    failed: of("error"),
    skipped: of("skipped"),
  };
}

describe("check in a project", () => {
  let stack: Stack;
  const check = async (...args: string[]): Promise<Checked> => checkedOf(await stack.cli("check", "--json", ...args));
  /** Runs check with additional environment variables. */
  const checkWith = async (env: NodeJS.ProcessEnv, ...args: string[]): Promise<Checked> => {
    const former = { ...stack.environment };
    Object.assign(stack.environment, env);
    try {
      return await check(...args);
    } finally {
      for (const name of Object.keys(env)) delete stack.environment[name];
      Object.assign(stack.environment, former);
    }
  };

  beforeAll(async () => {
    stack = await Stack.start({}, undefined, "passphrase");
    stack.declare({});
  });
  afterAll(() => stack.end());

  it("check passes and prefers the named stack's configuration to the environment", async () => {
    stack.unselect();
    const wrong = {
      ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
      ENDPOINT_MONITORING_TOKEN: "not-this-one",
      ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "1002",
    };
    const { code, checks, failed, skipped } = await checkWith(wrong, "--stack", "dev");
    stack.select("dev");
    expect([code, failed, skipped]).toEqual([0, [], []]);
    expect(checks["project"]?.text).toBe(`test in ${stack.folder}`);
    expect(checks["stack"]?.text).toBe("dev");
    expect(checks["provider"]?.text).toMatch(/^pulumi-endpoint-monitoring \d+\.\d+\.\d+$/);
    expect(checks["settings"]?.text).toBe(`baseUrl ${stack.emulator.url} from stack dev, token from stack dev`);
    expect(checks["account group"]?.text).toBe("1002 Branch offices, as configured");
    expect(checks["engine"]?.text).toMatch(/^pulumi 3\.\d+\.\d+; 3\.254\.0 or newer is needed$/);
  });

  it("`check` recommends the command that replaces a rejected token", async () => {
    await stack.secret("endpoint-monitoring:token", "wrong-token");
    const { code, failed, checks } = await check();
    expect([code, failed]).toEqual([2, ["token"]]);
    expect(checks["token"]?.fix).toContain("pulumi config set --stack dev --secret endpoint-monitoring:token");
    await stack.secret("endpoint-monitoring:token", "emulator-token");
  });

  it("check reports an undecryptable configuration", async () => {
    const closed = await checkWith({ PULUMI_CONFIG_PASSPHRASE: "wrong" });
    expect([closed.code, closed.failed]).toEqual([2, ["settings"]]);
    expect(closed.checks["settings"]).toMatchObject({
      text: "the configuration of stack dev cannot be read: Pulumi: incorrect passphrase",
      fix: expect.stringContaining("export PULUMI_CONFIG_PASSPHRASE"),
    });
  });

  it("check reports a program that cannot be previewed", async () => {
    const closed = await checkWith({ PULUMI_CONFIG_PASSPHRASE: undefined });
    expect([closed.code, closed.failed]).toEqual([2, ["state", "settings"]]);
    expect(closed.checks["state"]).toMatchObject({
      text: expect.stringMatching(/^the state of stack dev cannot be read with its secrets: .*passphrase/),
      fix: expect.stringContaining("export PULUMI_CONFIG_PASSPHRASE"),
    });
    stack.declare({ broken: { kind: "AgentToServerTest", args: { testName: "", server: "192.0.2.1" } } });
    const broken = await check();
    expect([broken.code, broken.failed]).toEqual([2, ["preview"]]);
    expect(broken.checks["preview"]?.text).toContain("stack dev cannot be previewed");
    expect(broken.checks["preview"]?.fix).toContain("endpoint-monitoring validate lists the mistakes");
    stack.declare({});
  });

  it("check reports a missing login", async () => {
    const loggedOut = await checkWith({ PULUMI_BACKEND_URL: "", PULUMI_ACCESS_TOKEN: "" });
    expect([loggedOut.code, loggedOut.failed]).toEqual([2, ["stack"]]);
    expect(loggedOut.checks["stack"]).toMatchObject({
      text: expect.stringContaining("PULUMI_ACCESS_TOKEN must be set"),
      fix: expect.stringContaining("pulumi login"),
    });
  });

  it("check reports an invalid project file", async () => {
    const file = join(stack.folder, "Pulumi.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "name: [\n");
    const { code, failed, checks } = await check();
    writeFileSync(file, text);
    expect([code, failed]).toEqual([2, ["project"]]);
    expect(checks["project"]?.fix).toContain("correct Pulumi.yaml");
    expect(checks["provider"]).toMatchObject({ level: "skipped", text: 'requires "project"' });
  });

  it("check reports a missing provider package", async () => {
    const modules = join(stack.folder, "node_modules");
    const installed = join(modules, "pulumi-endpoint-monitoring");
    const aside = join(modules, "aside");
    renameSync(installed, aside);
    const missing = await check();
    expect([missing.code, missing.failed]).toEqual([2, ["provider"]]);
    expect(missing.checks["provider"]).toMatchObject({
      text: `pulumi-endpoint-monitoring cannot be loaded from ${stack.folder}`,
      fix: expect.stringMatching(/^cd .* && npm install pulumi-endpoint-monitoring@\d/),
    });
    renameSync(aside, installed);
  });

  it("check reports an empty state file and recommends the backup that restores the stack", async () => {
    const file = join(stack.folder, "backend/.pulumi/stacks/test/dev.json");
    const state = readFileSync(file, "utf8");
    writeFileSync(`${file}.bak`, state);
    writeFileSync(file, "");
    const { code, checks } = await check();
    expect([code, checks["stack"]]).toEqual([
      2,
      {
        rule: "stack",
        level: "error",
        text: `the state file of stack dev is empty (${file}): an engine was killed while it wrote the file`,
        fix: `cp ${file}.bak ${file} && pulumi cancel --yes --stack dev, then recover as after a crash: pulumi refresh --clear-pending-creates, pulumi config set endpoint-monitoring:adopt identical, pulumi up`,
      },
    ]);
    renameSync(`${file}.bak`, file);
    await stack.must("cancel", "--yes", "--stack", "dev");
    expect((await check()).checks["stack"]?.level).toBe("passed");
  });

  it('check finds the program by the setting "main", even from a subfolder', async () => {
    mkdirSync(join(stack.folder, "infra/node_modules"), { recursive: true });
    renameSync(
      join(stack.folder, "node_modules/pulumi-endpoint-monitoring"),
      join(stack.folder, "infra/node_modules/pulumi-endpoint-monitoring"),
    );
    writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: infra/\n");
    const below = await commandIn(join(stack.folder, "infra"), stack.env, "check", "--json");
    // The folder contains no program, which the preview reports.
    expect(checkedOf(below)).toMatchObject({
      failed: ["preview"],
      checks: { provider: { level: "passed" }, stack: { level: "passed" } },
    });
  });
});
