/**
 * Runs `endpoint-monitoring dev` from an empty folder to a measured test. dev must leave no files or processes, whatever ends
 * it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { amount, random, seed } from "../support/amount";
import { freePort } from "../support/port";
import { builtCommand, plainEnv, repository } from "../support/process";
import { temporary } from "../support/temporary";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A folder with the installed package, in which `dev` runs. Its temporary files are in a subfolder, so that leftovers are
 * visible.
 */
class Project {
  readonly root = temporary();
  readonly folder = join(this.root, "monitoring");
  readonly temporary = join(this.root, "tmp");
  readonly program = join(this.folder, "index.ts");
  printed = "";
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);

  constructor(readonly port: number) {
    for (const path of ["tmp", "monitoring/node_modules/@pulumi"]) mkdirSync(join(this.root, path), { recursive: true });
    symlinkSync(repository, join(this.folder, "node_modules/pulumi-endpoint-monitoring"), "dir");
    for (const name of ["@pulumi/pulumi", "typescript"]) {
      symlinkSync(join(repository, "node_modules", name), join(this.folder, "node_modules", name), "dir");
    }
  }

  start(more: NodeJS.ProcessEnv = {}, ...args: string[]): void {
    this.printed = "";
    const env = plainEnv({ TMPDIR: this.temporary, PULUMI_HOME: join(this.root, "home"), ...more });
    const child = spawn(process.execPath, [builtCommand, "dev", "--port", `${this.port}`, ...args], { cwd: this.folder, env });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (this.printed += String(text)));
    child.stdin.on("error", () => undefined);
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once("close", resolve));
  }

  key(key: string): void {
    this.#child?.stdin.write(key);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Waits for a text after the given output. */
  async prints(text: string, from = 0): Promise<void> {
    for (let i = 0; i < 2_400 && !this.printed.slice(from).includes(text); i += 1) await sleep(50);
    if (!this.printed.slice(from).includes(text)) throw new Error(`${text} was not printed:\n${this.printed.slice(from)}`);
  }

  /** Returns the exit code. */
  async ended(): Promise<number | null> {
    // Jest does not wait for an unreferenced timer.
    const limit = new Promise<number>((resolve) => setTimeout(() => resolve(-1), 60_000).unref());
    return await Promise.race([this.#ended, limit]);
  }

  /**
   * Returns a session's leftovers: processes, the port, and folders with its backend. Polls until there are none, or until a
   * long timeout.
   */
  async remaining(): Promise<string[]> {
    let leftovers: string[] = [];
    for (let i = 0; i < 200; i += 1) {
      leftovers = [...this.#processes(), ...this.#files(), ...((await this.#listens()) ? [`port ${this.port}`] : [])];
      if (leftovers.length === 0) break;
      await sleep(50);
    }
    return leftovers;
  }

  /** The folder that the user's processes share may stay, but must be empty. */
  #files(): string[] {
    const all = globSync("**/*", { cwd: this.temporary });
    return all.filter((path) => !/^pulumi-endpoint-monitoring-\d+(?:\/\w+)?$/.test(path));
  }

  #processes(): string[] {
    return readdirSync("/proc").flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TMPDIR=${this.temporary}`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });
  }

  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  }

  async end(): Promise<void> {
    this.signal("SIGKILL");
    await this.#ended;
    await this.remaining();
    rmSync(this.root, { recursive: true, force: true });
  }
}

let project: Project;
beforeEach(async () => {
  project = new Project(await freePort());
});
afterEach(() => project.end());

/** Sends a request to the project's emulator. */
async function ask(path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${project.port}${path}`, {
    headers: { authorization: "Bearer emulator-token" },
  });
  return answer.text();
}

test("dev creates a project in an empty folder and shows measurements of the project's test", async () => {
  project.start();
  await project.prints("1 passed");
  const steps = ["Created a project: index.ts is its program", "Keys: ", "Planned changes", "Applied", "Test results"];
  expect(steps.map((step) => project.printed.indexOf(step)).toSorted((a, b) => a - b)).toEqual(
    steps.map((step) => project.printed.indexOf(step)),
  );
  expect(steps.filter((step) => !project.printed.includes(step))).toEqual([]);
  // The first program affects only this computer, as its first review shows.
  expect(project.printed).toContain("Agents affected: 0 → 1\n");
  expect(project.printed).not.toContain("Findings (");
  const settings = readFileSync(join(project.folder, "Pulumi.dev.yaml"), "utf8");
  expect(settings).not.toContain("encryptionsalt");
  const page = await ask("/");
  expect(page).toContain("Test results");
  expect(page).toContain("Website");

  let from = project.printed.length;
  writeFileSync(project.program, readFileSync(project.program, "utf8").replace("interval: 60", "intervall: 60"));
  await project.prints("Mistakes in the program", from);
  expect(project.printed.slice(from)).toContain("intervall");
  expect(await ask("/")).toContain("Mistakes in the program");

  from = project.printed.length;
  writeFileSync(project.program, readFileSync(project.program, "utf8").replace("intervall: 60", "interval: 300"));
  await project.prints("Planned changes", from);
  const tests = "/v7/endpoint/tests/scheduled-tests/http-server";
  expect(await ask(tests)).toContain('"interval":60');
  from = project.printed.length;
  project.key("a");
  await project.prints("Applied", from);
  expect(await ask(tests)).toContain('"interval":300');
  expect(readFileSync(join(project.folder, "Pulumi.dev.yaml"), "utf8")).toBe(settings);

  // A change on the page is drift.
  const { tests: listed } = JSON.parse(await ask(tests)) as { tests: { testId: string }[] };
  await fetch(`http://127.0.0.1:${project.port}${tests}/${listed[0]?.testId}`, {
    method: "PATCH",
    headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
    body: '{"interval":600}',
  });
  from = project.printed.length;
  project.key("d");
  await project.prints("Manual changes", from);
  expect(project.printed.slice(from)).toMatch(/interval[^\n]*300[^\n]*600|interval[^\n]*600[^\n]*300/);

  project.key("q");
  expect(await project.ended()).toBe(0);
  expect(await project.remaining()).toEqual([]);
});

test("dev refuses a stack with the base URL of a service other than the emulator", async () => {
  writeFileSync(join(project.folder, "Pulumi.yaml"), "name: monitoring\nruntime: nodejs\nmain: index.ts\n");
  writeFileSync(join(project.folder, "Pulumi.dev.yaml"), "config:\n  endpoint-monitoring:baseUrl: https://api.example.com\n");
  writeFileSync(project.program, "export {};\n");
  project.start();
  expect(await project.ended()).toBe(1);
  expect(project.printed).toContain("The base URL of stack dev is https://api.example.com");
  expect(await project.remaining()).toEqual([]);
});

test("dev sets missing required configuration values to placeholders", async () => {
  writeFileSync(join(project.folder, "Pulumi.yaml"), "name: monitoring\nruntime: nodejs\nmain: index.ts\n");
  const settings = "config:\n  endpoint-monitoring:baseUrl: http://127.0.0.1:1\n";
  writeFileSync(join(project.folder, "Pulumi.dev.yaml"), settings);
  writeFileSync(
    project.program,
    `import * as pulumi from "@pulumi/pulumi";
import { Label } from "pulumi-endpoint-monitoring";
const config = new pulumi.Config();
config.requireSecret("password");
const values = [config.require("name"), config.requireNumber("count")];
new Label("office", { name: values.join(" "), matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] });
`,
  );
  project.start({}, "--config", "name=Office");
  await project.prints("Applied");
  expect(project.printed).toContain(
    'The stack has no monitoring:password. dev uses "placeholder"; set another value with --config',
  );
  expect(await ask("/v7/endpoint/labels")).toContain('"name":"Office 1"');
  project.key("q");
  expect(await project.ended()).toBe(0);
  expect(readFileSync(join(project.folder, "Pulumi.dev.yaml"), "utf8")).toBe(settings);
});

/** Changes and mistakes of every kind in a saved program. */
const saves: readonly ((text: string) => string)[] = [
  (text) => text.replace(/Website[^"]*/, "Website of others"),
  (text) => text.replace(/interval: \d+/, "interval: 120"),
  (text) => text.replace(/interval: \d+/, "interval: 61"),
  (text) => `${text}\nnew Office(`,
  (text) => `${text}\nthrow new Error("a mistake of the program");\n`,
  (text) => `${text}\nawait new Promise((resolve) => setTimeout(resolve, 60_000));\n`,
  (text) => text.replace("pulumi-endpoint-monitoring", "no-such-package"),
  () => "",
];
const endings = ["q", "SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const;

const savesTried = amount(2, 50);
const savesOfSession = amount(1, 3);
/** Leftovers do not depend on types, which the tests above check. */
const unchecked = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

test(
  `dev leaves no files or processes after ${savesTried} random saves and an exit by key or signal`,
  async () => {
    const next = random(seed(35));
    const choose = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
    let sound: string | undefined;
    for (let saved = 0, session = 0; saved < savesTried; session += 1) {
      project.start(unchecked);
      await project.prints("Keys: ");
      sound ??= readFileSync(project.program, "utf8");
      for (const last = saved + savesOfSession; saved < Math.min(last, savesTried); saved += 1) {
        writeFileSync(project.program, choose(saves)(sound));
        await sleep(next() * 6_000);
        if (next() < 0.3) project.key(choose(["a", "t"]));
      }
      const ending = endings[session % endings.length] ?? "q";
      if (ending === "q") project.key("q");
      else project.signal(ending);
      const code = await project.ended();
      expect([ending, code]).toEqual([ending, ending === "SIGKILL" || ending === "SIGHUP" ? null : 0]);
      expect([ending, await project.remaining()]).toEqual([ending, []]);
    }
  },
  amount(300_000, 1_500_000),
);
