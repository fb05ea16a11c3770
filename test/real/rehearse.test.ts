import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { allOperations } from "../../api";
import { amount } from "../support/amount";
import type { KeyHolder } from "./support/prepared";
import { frontsWithinTime, Stack } from "./support/stack";

jest.setTimeout(amount(300_000, 1_200_000));

const writes = new Set(
  allOperations()
    .filter((operation) => operation.writes)
    .map(({ id }) => id),
);

/** Returns the service's write requests since the last call. */
async function written(stack: Stack): Promise<string[]> {
  return Object.keys(await stack.requests()).filter((operation) => writes.has(operation));
}

/** A program that prints its settings, and tries to reach the service without them. */
const curious = (stack: Stack): string => `
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");
const { HttpServerTest, Label, Provider } = require("${stack.module}");
const backend = new URL(process.env.PULUMI_BACKEND_URL).pathname;
const files = readdirSync(backend, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
const states = files.map((one) => readFileSync(join(one.parentPath, one.name), "utf8"));
writeFileSync(join(__dirname, "seen.json"), JSON.stringify({ env: process.env, settings: pulumi.runtime.allConfig(), states }));
const config = new pulumi.Config();
const label = (name, opts) => new Label(name, { name, matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }, opts);
label("own");
// The address stands in the program.
label("literal", { provider: new Provider("literal", { baseUrl: "${stack.emulator.url}/v7", token: config.requireSecret("sameToken") }) });
new HttpServerTest("page", { testName: "Page", url: "https://example.com", authType: "basic", username: "me", password: config.requireSecret("password") });
`;

describe.each(frontsWithinTime)("rehearse with %s resources", (front) => {
  let stack: Stack;
  /** Returns files that the command left in its temporary folder, which no other suite uses. */
  const leftBehind = (): string[] =>
    readdirSync(stack.environment["TMPDIR"] ?? "", { recursive: true, encoding: "utf8" }).filter((name) =>
      name.includes("/work/run-"),
    );
  async function start(holder?: KeyHolder): Promise<void> {
    stack = await Stack.startWith(front, { agents: 12 }, holder);
    stack.environment["TMPDIR"] = join(stack.folder, "temporary");
    mkdirSync(stack.environment["TMPDIR"]);
  }
  beforeAll(async () => {
    await start("passphrase");
    await stack.secret("sameToken", "emulator-token");
    await stack.secret("password", "correct horse");
  });
  afterAll(() => stack.end());

  test("rehearse sends no writes to the service", async () => {
    const portal = (authType: string) => `
new HttpServerTest("portal", { testName: "Portal", url: "https://example.com", authType: "${authType}", username: "me", password: "p" });`;
    stack.write(`const { HttpServerTest } = require("${stack.module}");${portal("basic")}`);
    await stack.up();
    stack.write(`${curious(stack)}${portal("ntlm")}
label("kept", { protect: true });
const baseUrl = new pulumi.Config("endpoint-monitoring").require("baseUrl");
label("editors", { provider: new Provider("editor", { baseUrl, token: ["emulator", "editor", "token"].join("-") }) });`);
    await stack.requests();
    const run = await stack.startCli("rehearse", "--json", "--markdown", "rehearsal.md").ended;
    const { data } = JSON.parse(run.stdout);
    expect([run.code, data.update.failures, data.second, data.strayed]).toEqual([0, [], [], false]);
    // The review of the update comes before the rehearsal.
    expect(run.stderr).toMatch(/Stack dev: 5 created, 1 replaced\n[^]*loses its result history[^]*Rehearsing the update/);
    // The replacement counts once.
    expect(data.update.changes).toEqual({ create: 5, replace: 1 });
    expect(data.destroy).toEqual({ resources: 5, deleted: 5, failures: [] });
    expect(readFileSync(join(stack.folder, "rehearsal.md"), "utf8").trim().split("\n")).toHaveLength(1);
    expect(await written(stack)).toEqual([]);
    expect(leftBehind()).toEqual([]);

    const seen = readFileSync(join(stack.folder, "seen.json"), "utf8");
    const { env, settings, states } = JSON.parse(seen);
    // The base URL in the program is also in its state.
    expect(JSON.stringify(settings).includes(stack.emulator.url)).toBe(false);
    expect(seen.includes("emulator-token")).toBe(false);
    // Only the program itself has its secrets decrypted.
    expect(JSON.stringify(states).includes("correct horse")).toBe(false);
    expect(settings["test:password"]).toBe("correct horse");
    expect(env.PULUMI_CONFIG_PASSPHRASE).not.toBe(stack.env["PULUMI_CONFIG_PASSPHRASE"]);
  });

  describe("rehearse in a stack without its own secrets", () => {
    beforeAll(async () => {
      await stack.end();
      // The engine starts faster than with a passphrase.
      await start();
    });

    test("`rehearse` sends no writes to an account that was not copied", async () => {
      stack.write(`
const { Label, Provider } = require("${stack.module}");
const { createClient } = require("pulumi-endpoint-monitoring/api");
const provider = new Provider("other", { baseUrl: "${stack.emulator.url}", token: ["emulator", "token"].join("-") });
const filters = [{ key: "platform", values: ["Mac"] }];
new Label("other", { name: "Other", matchType: "or", filters }, { provider });
const client = createClient({ baseUrl: "${stack.emulator.url.replace("127.0.0.1", "localhost")}", token: ["emulator", "token"].join("-") });
client.labels.create({ body: { name: "By the program", matchType: "or", filters } }).catch(() => undefined);
`);
      await stack.requests();
      const run = await stack.cli("rehearse");
      expect(run.code).toBe(1);
      expect(run.stdout).toContain("did not copy their account");
      expect(await written(stack)).toEqual([]);
    });

    test("rehearse does not create resources of other providers", async () => {
      const file = join(stack.folder, "made-by-other");
      stack.write(`
const { writeFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const { Label } = require("${stack.module}");
class Other extends pulumi.dynamic.Resource {
  constructor(name) {
    super({ create: async () => (require("node:fs").writeFileSync(${JSON.stringify(file)}, ""), { id: "1", outs: {} }) }, name, {});
  }
}
new Other("other");
const filters = [{ key: "platform", values: ["Mac"] }];
const own = new Label("own", { name: "Own", matchType: "or", filters });
new Label("late", { name: "Late", matchType: own.id.apply(() => "neither"), filters });
`);
      await stack.requests();
      const run = await stack.cli("rehearse", "--json");
      const { data } = JSON.parse(run.stdout);
      expect(run.code).toBe(2);
      expect(data.update.failures).toEqual([expect.objectContaining({ reason: expect.stringMatching(/^late: .*matchType/) })]);
      expect([data.leftOut, data.second, existsSync(file)]).toEqual([1, undefined, false]);
      expect(await written(stack)).toEqual([]);
      rmSync(file, { force: true });
    });

    test("rehearse --keep serves the emulator's page until Ctrl+C", async () => {
      stack.write(`const { Label } = require("${stack.module}");
new Label("kept", { name: "Kept", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] });`);
      const kept = stack.startCli("rehearse", "--keep");
      const [url = ""] = /http:\/\/\S+/.exec(await untilSaid(kept, "The copy is at")) ?? [];
      const page = await fetch(`${url}/labels`, { headers: { accept: "text/html" } });
      expect(await page.text()).toContain("Kept");
      kept.kill("SIGINT");
      expect((await kept.ended).code).toBe(0);
      await expect(fetch(url)).rejects.toThrow("fetch failed");

      const ended = stack.startCli("rehearse");
      await untilSaid(ended, "Rehearsing the update");
      ended.kill("SIGINT");
      expect((await ended.ended).code).toBe(130);
      expect(leftBehind()).toEqual([]);
      expect(await written(stack)).toEqual([]);
    });
  });
});

/** Waits until a process prints a text on any stream. */
async function untilSaid(process: ReturnType<Stack["startCli"]>, text: string): Promise<string> {
  let isOver = false;
  void process.ended.finally(() => (isOver = true));
  while (!process.said().text.includes(text)) {
    if (isOver) throw new Error(`It ended without "${text}":\n${process.said().text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.said().text;
}
