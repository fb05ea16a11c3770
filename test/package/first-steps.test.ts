/** Runs README.md and docs/get-started.md literally in an empty folder, with the packed package, package managers and the engine. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { amount } from "../support/amount";
import { freePort } from "../support/port";
import { endAll } from "../support/process";
import { packOwn, repository } from "./support/installed";
import { blocksIn, typedWith } from "./support/readme";
import { brief, Shell } from "./support/shell";

const read = (page: string): string => readFileSync(join(repository, page), "utf8");
const ofReadme = blocksIn(read("README.md"));
/** The first commands of README.md for a reader of the registry. */
const typedFirst = ofReadme.at(-1) ?? [];
const [begun = [], ...blocks] = blocksIn(read("docs/get-started.md"));
const blockWith = (start: string): string[] => blocks.find(([first = ""]) => first.startsWith(start)) ?? [];
const steps = blockWith("pulumi stack init");
/** The skill's blocks are part of its list. */
const skill = blocksIn(read("skills/endpoint-monitoring/SKILL.md").replaceAll(/^ +/gm, "")).flat();

let tarball: string;
let shell: Shell;

beforeAll(() => void (tarball = packOwn()));
/** The first two commands run with type checks like for a user. The others run like the tests on the engine. */
beforeEach(() => (shell = new Shell(brief)));
afterEach(async () => {
  await shell.end();
  await endAll();
});

/** Installs, and starts the emulator. Only the package (its tarball) and the port differ from the page. */
async function begin(manager: string): Promise<{ url: string; advice: string }> {
  const port = await freePort();
  let advice = "";
  for (const line of blockWith(manager)) {
    const typed = typedWith(line, { manager: "npm", tarball, port });
    // The previous test installs it as well.
    if (line === typedFirst[0]) await shell.installOnce(typed, tarball);
    else {
      const printed = (await shell.run(typed)).stdout;
      if (line.includes(" init --emulator")) advice = printed;
    }
  }
  const [emulator = ""] = blockWith("npx endpoint-monitoring emulator");
  expect(emulator).toContain("--port 8080 ");
  await shell.start(emulator.replace("8080", String(port)), (line) => line.includes(`http://127.0.0.1:${port}`));
  return { url: `http://127.0.0.1:${port}`, advice };
}

/** Names of the tests in the service. */
async function tests(url: string): Promise<string[]> {
  const path = "/v7/endpoint/tests/scheduled-tests/http-server";
  const answer = await fetch(url + path, { headers: { authorization: "Bearer emulator-token" } });
  const { tests: listed } = (await answer.json()) as { tests: { testName: string }[] };
  return listed.map(({ testName }) => testName);
}

test("README.md shows the two installation commands", () => {
  expect(typedFirst).toEqual(["npm install pulumi-endpoint-monitoring", "npx endpoint-monitoring dev"]);
  expect(begun).toEqual(typedFirst);
  expect(blocks.map(([first = ""]) => first.split(" ")[0])).toEqual(["npm", "pnpm", "yarn", "npx", "pulumi", "pulumi"]);
  expect(steps).toEqual([
    "pulumi stack init dev",
    "npx endpoint-monitoring validate",
    "pulumi preview",
    "pulumi up",
    "pulumi destroy",
  ]);
});

/** Processes that run in a folder or below it, even if it is deleted, on Linux. */
function runningIn(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      // The process ended or belongs to another user.
      return false;
    }
  });
}

test("the two npm commands in README.md start an emulator page that shows test results", async () => {
  await shell.end();
  shell = new Shell();
  const port = await freePort();
  const began = performance.now();
  const [install = "", dev = ""] = typedFirst;
  await shell.run(typedWith(install, { manager: "npm", tarball, port }));
  shell.keepInstallation(tarball);
  await shell.start(`${dev} --port ${port}`, (line) => line.startsWith("Test results"));
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  expect(await tests(`http://127.0.0.1:${port}`)).toEqual(["Website"]);
  // The check finds running processes, so an empty result later is meaningful.
  expect(runningIn(shell.folder).length > 0).toBe(process.platform === "linux");
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(page).toContain("Website");
  expect(page).toContain("Test results");
  await shell.end();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  const remaining = runningIn(shell.folder);
  expect(remaining).toEqual([]);
  console.log(
    `From an empty folder to a measured round: ${typedFirst.length} commands, ${seconds} s, ${remaining.length} processes left`,
  );
});

test("the npm commands in docs/get-started.md create, check and destroy a stack", async () => {
  const { advice } = await begin("npm");
  for (const command of ["npm install", "npx endpoint-monitoring emulator --port ", ...steps.slice(0, 3)])
    expect(advice).toContain(`  ${command}`);
  const printed: string[] = [];
  for (const line of steps.slice(0, -1)) printed.push((await shell.run(line)).stdout);
  expect(printed[1]).toBe("2 resources checked: no mistake found.\n");
  expect(printed[2]).toContain("+ 3 to create");
  expect(printed[3]).toContain("+ 3 created");
  const ofSkill = ["validate", "review", "drift", "check"];
  expect(skill).toEqual(ofSkill.map((command) => `npx endpoint-monitoring ${command} --json`));
  // Each line must exit with code 0.
  const outputs = [];
  for (const line of skill) outputs.push(JSON.parse((await shell.run(line)).stdout) as object);
  for (const output of outputs) expect(output).toHaveProperty("data");
  // The review has no changes left.
  expect(outputs[1]).toHaveProperty("data.resources", []);
  expect((await shell.run(steps.at(-1) ?? "")).stdout).toContain("- 3 deleted");
  // The service itself. Pulumi asks for a secret.
  for (const line of blocks.at(-1) ?? []) await shell.run(line, "a-token\n");
  const settings = readFileSync(join(shell.folder, "Pulumi.dev.yaml"), "utf8");
  expect(settings).toMatch(/endpoint-monitoring:baseUrl: https:\/\/api\.thousandeyes\.com\n/);
  expect(settings).toMatch(/endpoint-monitoring:token:\n +secure: /);
});

/** By default the package manager that `init` writes settings for. examples.test.ts tests pnpm from an empty folder as well. */
test.each(["yarn", "pnpm"].slice(0, amount(1, 2)))(
  "the %s commands in docs/get-started.md create a stack in an empty folder",
  async (manager) => {
    const { url, advice } = await begin(manager);
    expect(advice).toContain(`Next:\n  ${manager} install\n`);
    for (const line of steps.filter((step) => /^pulumi (stack init|up)/.test(step))) await shell.run(line);
    expect(shell.printed).toContain("+ 3 created");
    expect(await tests(url)).toEqual(["Website"]);
  },
);
