/** The pipelines tried on one machine, as somebody does who has just got this project. */
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { amount } from "../support/amount";
import type { Workflow } from "./support/workflow";

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
  const start = (more: NodeJS.ProcessEnv = {}, ...args: string[]) => {
    const child = spawn(process.execPath, [join(folder, "examples/ci/local.mjs"), ...args], {
      env: { ...process.env, ...caller, ...more, TMPDIR: join(folder, "tmp") },
      // A group of its own, so that a Ctrl+C reaches all of it, as at a terminal.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const ended = new Promise<{ code: number | null; text: string }>((resolve, reject) => {
      child.on("error", reject).on("close", (code) => resolve({ code, text }));
    });
    return { pid: child.pid ?? 0, ended, text: () => text };
  };
  const left = (): string[] => [
    ...readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("endpoint-monitoring-")),
    ...readdirSync(join(folder, "examples/quickstart")).filter((name) => /^Pulumi\..+\.yaml$/.test(name)),
  ];

  /** What the jobs of GitHub's workflows run, as headings tell it. */
  const stepsOf = (file: string, ...names: string[]): string[] => {
    // The tests of the schema see to its form.
    const { jobs } = parse(
      readFileSync(join(ours, "examples/ci/github", `endpoint-monitoring-${file}.yml`), "utf8"),
    ) as Workflow;
    return Object.entries(jobs)
      .filter(([name]) => names.length === 0 || names.includes(name))
      .flatMap(([name, { steps }]) =>
        steps.flatMap(({ with: given }) => (typeof given?.["mode"] === "string" ? [`${name}: ${given["mode"]}`] : [])),
      );
  };

  // Minutes: in the long form. ci/github and ci/gitlab run the same pipelines as their forges do.
  const isLong = amount(0, 1) === 1;
  if (isLong)
    it("runs the pipelines whole, shows what they write, and leaves nothing behind", async () => {
      const forges = ["GitHub", "GitLab"];
      const { code, text } = await start().ended;
      expect([code, text]).toEqual([0, expect.any(String)]);
      const headings = [...text.matchAll(/^\u2500\u2500 (.*?) \u2500+$/gm)].map(([, heading = ""]) => heading);
      const stories = headings.map((heading) => heading.replace(/: run\.sh (\S+), which sees.*/, ": $1"));
      const [request, night] = [stepsOf("review"), stepsOf("drift")];
      const comment = (outcome: string): string[] => [...request, `comment 1: ${outcome}`];
      const pulled = (outcome: string): string[] => [...night, `pull request 1: ${outcome}`];
      const story = (forge: string): string[] => [
        `${forge}. A pull request`,
        ...comment("new"),
        "It is merged",
        ...stepsOf("up", "approval", "up"),
        "The next pull request changes nothing; before it is merged, somebody deletes a resource",
        ...comment("edited"),
        ...stepsOf("up", "approval", "up"),
        "Somebody reviews again, and approves that",
        ...stepsOf("up", "review", "up"),
        "Somebody changes a record by hand. That night",
        ...pulled("new"),
        "Somebody changes it again. The next night",
        ...pulled("edited"),
        "Somebody puts it right: endpoint-monitoring drift --mend. The night after",
        ...pulled("closed"),
      ];
      expect(stories).toEqual(forges.flatMap(story));

      // Which step sees what.
      const service = "PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE, ENDPOINT_MONITORING_BASE_URL, ENDPOINT_MONITORING_TOKEN";
      const seen = new Set(headings.flatMap((heading) => /run\.sh (\S+, which sees .*)/.exec(heading)?.[1] ?? []));
      const ofForge = (token: string) =>
        ["comment", "approval", "issue", "pull-request"].map((mode) => `${mode}, which sees ${token}`);
      expect(seen).toEqual(
        new Set([
          "install, which sees no secret and no token",
          ...["review", "rehearse", "up", "drift"].map((mode) => `${mode}, which sees ${service}`),
          ...forges.flatMap((forge) => ofForge(`${forge.toUpperCase()}_TOKEN`)),
        ]),
      );
      expect(text.match(/so nothing was applied/g)).toHaveLength(forges.length);
      expect(text).toMatch(/8 created.*nothing changes.*# Drift: quickstart ci-local.*by hand.*\*\*Gone\.\*\*/s);
      expect(left()).toEqual([]);
    }, 900_000);

  it("tidies up after a Ctrl+C", async () => {
    const run = start();
    // What it works in, and what the preview is to write.
    while (left().length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
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
    const { code, text } = await start({}, elsewhere).ended;
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/^local: pulumi-endpoint-monitoring cannot be loaded from [^\n]+: install it there[^\n]+\n$/),
    ]);
  });
});
