/** Checks the workflows of this repository: their form, their permissions, and the checks of a release. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validateWorkflow } from "@action-validator/core";
import { parse } from "yaml";
import { blocksIn } from "../package/support/readme";
import { temporary } from "../support/temporary";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: object;
}
interface Job {
  strategy?: { matrix: { os: string[] } };
  permissions?: Record<string, string>;
  needs?: string | string[];
  environment?: string;
  steps: Step[];
  "timeout-minutes": number;
}
interface Workflow {
  on: Record<string, { tags?: string[]; branches?: string[] } | null>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const root = join(__dirname, "../..");
const folder = join(root, ".github/workflows");
const files = readdirSync(folder);
const text = (file: string): string => readFileSync(join(folder, file), "utf8");
// The first tests below validate them with the schema.
const workflow = (file: string): Workflow => parse(text(file)) as Workflow;
const jobs = files.flatMap((file) => Object.entries(workflow(file).jobs).map(([name, job]) => ({ name, file, ...job })));
const steps = jobs.flatMap((job) => job.steps);

test("the repository has exactly three workflows", () =>
  expect(files.toSorted()).toEqual(["ci.yml", "range.yml", "release.yml"]));

test("a weekly workflow runs the tests of the supported version range", () => {
  const { on, jobs: rangeJobs } = workflow("range.yml");
  expect(on).toEqual({ schedule: [{ cron: "17 4 * * 1" }], workflow_dispatch: null });
  expect(Object.values(rangeJobs).flatMap((job) => job.steps.flatMap(({ run }) => run ?? []))).toEqual([
    "npm ci --no-audit --no-fund",
    "npm run range",
  ]);
});

test("the recorded version tests succeeded with the oldest versions that README.md names", () => {
  const columns = ["sdk", "engine", "node", "typescript"] as const;
  const rows = JSON.parse(readFileSync(join(root, "test/range/results.json"), "utf8")) as (Record<string, string> & {
    wrong: number;
  })[];
  const oldest = (column: string): string =>
    rows.map((row) => row[column] ?? "").toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))[0] ?? "";
  const promised = /Node (\d+\.\d+) or newer and the \[Pulumi CLI\]\([^)]*\) (\d+\.\d+) or newer/.exec(
    readFileSync(join(root, "README.md"), "utf8"),
  );
  expect([oldest("node"), oldest("engine")].map((version) => version.split(".").slice(0, 2).join("."))).toEqual(
    promised?.slice(1),
  );
  const { engines, peerDependencies: peers } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    engines: { node: string };
    peerDependencies: Record<string, string>;
  };
  expect([`>=${oldest("node")}`, `^${oldest("sdk")}`]).toEqual([engines.node, peers["@pulumi/pulumi"]]);
  expect(rows.filter(({ wrong }) => wrong > 0)).toEqual([]);
  for (const first of columns) {
    for (const other of columns.slice(columns.indexOf(first) + 1)) {
      const count = (column: string): number => new Set(rows.map((row) => row[column])).size;
      const pairs = new Set(rows.map((row) => `${row[first]} ${row[other]}`));
      expect([first, other, pairs.size]).toEqual([first, other, count(first) * count(other)]);
    }
  }
});

describe.each(files)("the workflow %s", (file) => {
  it("the workflow matches GitHub's schema for workflows", () => {
    // The schema is older than this permission, which GitHub's attestations need.
    const known = text(file).replace(/^ +attestations: write\n/m, "");
    expect(validateWorkflow(known)).toEqual({ actionType: "workflow", errors: [] });
    expect(validateWorkflow(text(file).replace("runs-on", "runs-at")).errors).not.toEqual([]);
  });

  it("the workflow has only read permission and a timeout for each job", () => {
    expect(workflow(file).permissions).toEqual({ contents: "read" });
    for (const job of Object.values(workflow(file).jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(120);
  });

  it("the workflow pins each action to a commit and names the action's version", () => {
    const used = [...text(file).matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(used.length).toBeGreaterThan(0);
    const pins = {
      "actions/checkout": "de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2",
      "actions/setup-node": "53b83947a5a98c8d113130e565377fae1a50d02f # v6.3.0",
      "actions/upload-artifact": "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0",
      "actions/download-artifact": "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1",
      "actions/attest-build-provenance": "a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32 # v4.1.0",
    };
    for (const pin of used) expect(Object.entries(pins).map((pair) => pair.join("@"))).toContain(pin);
  });

  it("the workflow uses no secrets and no GitHub expressions in scripts", () => {
    expect(text(file)).not.toMatch(/secrets\.|pull_request_target|workflow_run/);
    const inputsOf = (action: string) => steps.flatMap((step) => (step.uses?.startsWith(`${action}@`) ? [step.with] : []));
    for (const inputs of inputsOf("actions/checkout")) expect(inputs).toHaveProperty("persist-credentials", false);
    for (const setup of inputsOf("actions/setup-node")) expect(setup).toMatchObject({ "package-manager-cache": false });
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });
});

/** The commands that README.md shows for a clone, one in each block. */
const ofClone = blocksIn(readFileSync(join(root, "README.md"), "utf8")).slice(0, 2);

test("the two commands that README.md shows for a cloned repository are valid", () => {
  expect(ofClone).toEqual([["npm ci && npm run demo"], ["npm ci && npm test"]]);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
  const lines = readFileSync(join(root, ".ci/run"), "utf8").trimEnd().split("\n");
  expect(lines.filter((line) => /\bnpm\b/.test(line))).toEqual([ofClone[1]?.[0], "npm run test:more"]);
});

test("README.md shows how to use a clone in a project", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const { node = "", pulumi = "" } = devDependencies;
  const [install = ""] = blocksIn(readFileSync(join(root, "README.md"), "utf8"))[2] ?? [];
  expect(install).toBe(`npm install ../pulumi-endpoint-monitoring node@${node.split(".")[0]} pulumi@${pulumi.split(".")[0]}`);
});

test("CI runs .ci/run in a clean checkout", () => {
  const { on, jobs: ciJobs } = workflow("ci.yml");
  expect(Object.keys(on)).toEqual(["push", "pull_request"]);
  expect(ciJobs["test"]?.steps.flatMap(({ run }) => run ?? [])).toEqual([".ci/run"]);
  expect(ciJobs["systems"]?.strategy?.matrix.os).toEqual(["macos-15", "windows-2025"]);
});

test("a release requires a tag, runs the long tests and publishes with provenance", () => {
  const { on, jobs: releaseJobs } = workflow("release.yml");
  expect(on).toEqual({ push: { tags: ["v*"] } });
  const commands = (job?: Job) => job?.steps.flatMap(({ run }) => run ?? []);
  expect(releaseJobs["test"]?.steps[0]?.with).toHaveProperty("fetch-depth", 0);
  expect(commands(releaseJobs["test"])).toEqual([
    // Only from main.
    "git merge-base --is-ancestor HEAD origin/main",
    "node .ci/repository.mjs",
    'node .ci/version.mjs "$GITHUB_REF_NAME"',
    "git restore package.json",
    "npm ci --no-audit --no-fund",
    "npm run test:long",
  ]);
  const needs = Object.fromEntries(Object.entries(releaseJobs).map(([name, job]) => [name, job.needs]));
  expect(needs).toEqual({ test: undefined, packages: "test", archive: "test", publish: ["packages", "archive"] });
  // The jobs together create all parts of the script.
  const made = Object.values(releaseJobs).flatMap(
    (job) =>
      commands(job)
        ?.join("\n")
        .match(/(?<=--part )\w+/g) ?? [],
  );
  expect(made).toEqual(["packages", "sdks", "archive"]);
  expect(releaseJobs["archive"]?.strategy?.matrix.os).toHaveLength(5);
  expect(releaseJobs["publish"]).toMatchObject({ environment: "npm" });
  expect(commands(releaseJobs["publish"])).toEqual([
    "node .ci/repository.mjs",
    'node .ci/version.mjs "$GITHUB_REF_NAME"',
    "cd release-files && sha256sum -- * > ../SHA256SUMS && mv ../SHA256SUMS .",
    'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" --notes-file CHANGELOG.md release-files/*',
    'npm publish --ignore-scripts --provenance --access public "release-files/pulumi-endpoint-monitoring-${GITHUB_REF_NAME#v}.tgz"',
    'npm publish --ignore-scripts --provenance --access public "release-files/pulumi-endpoint-monitoring-native-${GITHUB_REF_NAME#v}.tgz"',
  ]);
  // Each file has its provenance before it is published.
  const published = releaseJobs["publish"]?.steps ?? [];
  const attested = published.findIndex(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
  expect(published[attested]?.with).toEqual({ "subject-checksums": "release-files/SHA256SUMS" });
  expect(published.findIndex(({ run }) => run?.includes("> ../SHA256SUMS"))).toBe(attested - 1);
  expect(published.findIndex(({ run }) => run?.startsWith("gh release create"))).toBe(attested + 1);
  // The package tests use the published file, which is packed once.
  expect(commands(releaseJobs["packages"])?.at(-1)).toMatch(
    /^RELEASE_FILES="\$PWD\/release-files" .*--testPathPatterns package\/packed$/,
  );
  expect(commands(releaseJobs["publish"])?.join("\n")).not.toMatch(/npm (?:ci|install|pack|run)|release\/run/);
  const more = jobs.flatMap(({ name, permissions }) => (permissions ? [[name, permissions]] : []));
  expect(more).toEqual([["publish", { contents: "write", "id-token": "write", attestations: "write" }]]);
});

describe("the version check of a release", () => {
  const good = {
    tag: "v1.2.3",
    version: "1.2.3",
    locked: "1.2.3",
    heading: "1.2.3 (2026-01-31)",
    url: "git+https://github.com/owner/name.git",
  };
  let project: string;
  beforeEach(() => (project = temporary()));

  /** Returns the output of the check, which is empty if the release may continue. */
  const problems = (changed: Partial<typeof good>): string => {
    const { tag, version, locked, heading, url } = { ...good, ...changed };
    writeFileSync(join(project, "package.json"), JSON.stringify({ version, repository: { type: "git", url } }));
    writeFileSync(join(project, "package-lock.json"), JSON.stringify({ version: locked }));
    writeFileSync(join(project, "CHANGELOG.md"), `# Changelog\n\n## ${heading}\n\n- One.\n\n## 1.2.2\n`);
    try {
      const env = { ...process.env, GITHUB_REPOSITORY: "owner/name" };
      execFileSync(process.execPath, [join(root, ".ci/version.mjs"), tag], { cwd: project, env, stdio: "pipe" });
      return "";
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr);
    }
  };

  it.each([{}, { heading: "1.2.3" }, { url: "git@github.com:owner/name.git" }])(
    "the check accepts consistent versions: %j",
    (changed) => {
      expect(problems(changed)).toBe("");
    },
  );

  it.each([
    [{ tag: "v1.2.4" }, "The tag is v1.2.4, and package.json has version 1.2.3."],
    [{ tag: "1.2.3" }, "The tag is 1.2.3,"],
    [{ locked: "1.2.2" }, "package-lock.json has version 1.2.2"],
    [{ heading: "1.2.3 (unreleased)" }, 'CHANGELOG.md is "1.2.3 (unreleased)"'],
    [{ heading: "1.2.4" }, 'CHANGELOG.md is "1.2.4"'],
    [{ url: "git+https://github.com/owner/name-2.git" }, "npm refuses such a provenance"],
    [{ url: "" }, '"repository" of package.json is missing'],
  ])("the check rejects inconsistent versions: %j", (changed, problem) => expect(problems(changed)).toContain(problem));
});

describe("the repository of a release", () => {
  let project: string;
  const path = () => join(project, "package.json");
  beforeEach(() => (project = temporary()));

  const run = (script: string, env: NodeJS.ProcessEnv, ...args: string[]): string => {
    const { GITHUB_SERVER_URL: _server, GITHUB_REPOSITORY: _repository, ...inherited } = process.env;
    const options = { cwd: project, env: { ...inherited, ...env }, encoding: "utf8" } as const;
    return spawnSync(process.execPath, [join(root, ".ci", script), ...args], options).stderr;
  };
  const ciProvider = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "owner/name" };
  const manifest = () => JSON.parse(readFileSync(path(), "utf8")) as Record<string, unknown>;

  it("the release adds the repository URL from the CI environment to the published package.json", () => {
    copyFileSync(join(root, "package.json"), path());
    const before = manifest();
    expect(Object.keys(before).filter((key) => ["repository", "homepage", "bugs"].includes(key))).toEqual([]);
    expect(run("repository.mjs", ciProvider)).toBe("");
    expect(manifest()).toEqual({
      ...before,
      repository: { type: "git", url: "git+https://git.example.com/owner/name.git" },
      homepage: "https://git.example.com/owner/name#readme",
      bugs: { url: "https://git.example.com/owner/name/issues" },
    });
    copyFileSync(join(root, "package-lock.json"), join(project, "package-lock.json"));
    const version = String(before["version"]);
    writeFileSync(join(project, "CHANGELOG.md"), `## ${version}\n`);
    expect(run("version.mjs", ciProvider, `v${version}`)).toBe("");
    expect(run("version.mjs", { ...ciProvider, GITHUB_REPOSITORY: "owner/other" }, `v${version}`)).toContain("refuses");
    expect(run("repository.mjs", ciProvider)).toBe("");
  });

  it("the release does not change a package.json that names another repository", () => {
    const manifestText = JSON.stringify({ repository: "github:owner/other" });
    writeFileSync(path(), manifestText);
    expect(run("repository.mjs", ciProvider)).toContain('"repository" of package.json is "github:owner/other"');
    for (const env of [
      {},
      { ...ciProvider, GITHUB_REPOSITORY: "" },
      { ...ciProvider, GITHUB_SERVER_URL: "http://git.example.com" },
    ]) {
      expect(run("repository.mjs", env)).toContain("do not name a repository");
    }
    expect(readFileSync(path(), "utf8")).toBe(manifestText);
  });
});
