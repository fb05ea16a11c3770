/** The pipelines tried on one machine, as somebody does who has just got this project. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ours = join(__dirname, "../..");

describe("local.mjs", () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "local-")));
    // A copy: others run the example, too.
    for (const name of ["ci", "quickstart"])
      cpSync(join(ours, "examples", name), join(folder, "examples", name), { recursive: true });
    for (const name of ["node_modules/@pulumi", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
    symlinkSync(ours, join(folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
    symlinkSync(join(ours, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"), "dir");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Settings of the caller's that would lead it astray if it heeded them. */
  const caller = {
    PULUMI_BACKEND_URL: "file:///nowhere",
    PULUMI_ACCESS_TOKEN: "not-a-token",
    PULUMI_STACK: "other",
    ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
    CI_API_V4_URL: "http://127.0.0.1:1",
    GITHUB_STEP_SUMMARY: "/nowhere/summary",
  };
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [join(folder, "examples/ci/local.mjs"), ...args], {
      env: { ...process.env, ...caller, TMPDIR: join(folder, "tmp") },
      // A group of its own, so that a Ctrl+C reaches all of it, as at a terminal.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more: string) => (text += more));
    const ended = new Promise<{ code: number | null; text: string }>((resolve, reject) => {
      child.on("error", reject).on("close", (code) => resolve({ code, text }));
    });
    return { pid: child.pid ?? 0, ended, text: () => text };
  };
  const left = (): string[] => [
    ...readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("endpoint-monitoring-")),
    ...readdirSync(join(folder, "examples/quickstart")).filter((name) => /^Pulumi\..+\.yaml$/.test(name)),
  ];

  it("shows a comment that is edited and an issue that is opened and closed, and leaves nothing behind", async () => {
    const { code, text } = await start().ended;
    expect([code, text]).toEqual([0, expect.any(String)]);
    const headings = [...text.matchAll(/^\u2500\u2500 (.*?) \u2500+$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "A pull request: review",
      "comment on the pull request 1: new",
      "It is merged: up",
      "The next pull request changes nothing: review",
      "comment on the pull request 1: edited",
      "Somebody changes a record by hand. That night: drift",
      "issue 1: new",
      "Somebody puts it right: endpoint-monitoring drift --mend. The night after: drift",
      "issue 1: closed",
    ]);
    expect(text).toMatch(/8 created.*nothing changes.*# Drift: quickstart ci-local.*by hand.*\*\*Gone\.\*\*/s);
    expect(left()).toEqual([]);
  }, 240_000);

  it("tidies up after a Ctrl+C", async () => {
    const run = start();
    // What it works in, the stack's settings, and what the preview is to write.
    while (left().length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(run.text()).toContain("Previewing");
    process.kill(-run.pid, "SIGINT");
    const { code, text } = await run.ended;
    expect(code).toBe(1);
    expect(text.trim().split("\n").at(-1)).toMatch(/^local: bash .*run\.sh review ended with/);
    expect(left()).toEqual([]);
  }, 120_000);

  it("says in a line why it can't start", async () => {
    const elsewhere = join(folder, "tmp");
    writeFileSync(join(elsewhere, "Pulumi.yaml"), "name: empty\nruntime: nodejs\n");
    rmSync(join(folder, "node_modules"), { recursive: true });
    const { code, text } = await start(elsewhere).ended;
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/^local: pulumi-endpoint-monitoring cannot be loaded from [^\n]+: install it there[^\n]+\n$/),
    ]);
  });
});
