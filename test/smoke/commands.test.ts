/** Runs each built command in a separate process. */
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../../emulator";
import { previewText, step } from "../cli/review-support";
import { EngineStub } from "../support/engine-stub";
import { builtCommand, endAll, plainEnv, repository, runNode, startProcess } from "../support/process";
import { temporary } from "../support/temporary";
import { call } from "../support/call";

let folder: string;
beforeEach(() => (folder = temporary()));
afterEach(() => endAll());

test("import writes its files into the current folder", async () => {
  const emulator = await start({ rateLimit: "off", agents: 1 });
  const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
  await call(emulator.url, "POST", "/v7/endpoint/labels", label);
  const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const run = await runNode([builtCommand, "import", "--only", "labels", "--json"], { cwd: folder, env });
  await emulator.close();
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ data: { kinds: { labels: { new: 1 } } } });
  expect(readdirSync(folder).toSorted()).toEqual(["import.json", "index.ts", "labels.ts"]);
});

test("migrate exits with code 1 outside of a project", async () => {
  const run = await runNode([builtCommand, "migrate", "labels", "--key", "team"], { cwd: folder, env: plainEnv() });
  expect([run.code, run.stdout, run.stderr]).toEqual([1, "", expect.stringContaining("There is no Pulumi.yaml")]);
});

test("import leaves the layout of the code to the formatter", async () => {
  const installed = join(folder, "node_modules", "pulumi-endpoint-monitoring");
  cpSync(join(repository, "dist"), join(installed, "dist"), { recursive: true });
  cpSync(join(repository, "package.json"), join(installed, "package.json"));
  for (const name of ["magic-string", "undici", "yaml", "zod"]) {
    symlinkSync(join(repository, "node_modules", name), join(folder, "node_modules", name));
  }
  const emulator = await start({ rateLimit: "off", agents: 1 });
  const filters = [{ key: "ssid", values: ["corp-north", "corp-south", "corp-east", "corp-west", "guest-*"] }];
  await call(emulator.url, "POST", "/v7/endpoint/labels", { name: "mainOffice", matchType: "or", filters });
  const env = plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
  const args = ["import", "--only", "labels", "--json"];
  const run = await runNode([join(installed, "dist/cli/main.js"), ...args], { cwd: folder, env });
  await emulator.close();
  expect(run.code).toBe(0);
  expect(readFileSync(join(folder, "labels.ts"), "utf8")).toBe(`import { Label } from "pulumi-endpoint-monitoring";

export const mainOffice = new Label("mainOffice", {
  name: "mainOffice",
  matchType: "or",
  filters: [{ key: "ssid", values: ["corp-north", "corp-south", "corp-east", "corp-west", "guest-*"] }],
}, { protect: true });
`);
});

test("review exits with code 2 for a finding", async () => {
  const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
  const stdin = previewText([step("delete", "label", "office", { id: "1", before: label })]);
  const args = ["review", "--preview", "-", "--offline", "--fail-on", "deletes", "--markdown", "review.md"];
  const run = await runNode([builtCommand, ...args], { cwd: folder, stdin });
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("deletes (1)") });
  expect(existsSync(join(folder, "review.md"))).toBe(true);
});

test("check exits with code 2 if a check fails", async () => {
  const engine = new EngineStub(folder, "echo v3.259.0");
  const run = await runNode([builtCommand, "check", "--json"], { cwd: folder, env: engine.env() });
  expect([run.code, run.stderr, JSON.parse(run.stdout).data.findings.length]).toEqual([2, "", expect.any(Number)]);
});

test.each(["SIGINT", "SIGTERM"] as const)("verify forwards %s to the engine and exits with code 130", async (signal) => {
  const ready = join(folder, "ready");
  const script = `trap 'echo "error: stopped" >&2; exit 3' ${signal.slice(3)}; : > '${ready}'; while :; do sleep 0.05; done`;
  const engine = new EngineStub(folder, script);
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  const verify = startProcess(process.execPath, [builtCommand, "verify"], { cwd: folder, env: engine.env() });
  while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 20));
  verify.kill(signal);
  expect(await verify.ended).toMatchObject({
    code: 130,
    signal: null,
    // On a slow machine, lines of progress precede it.
    stderr: expect.stringMatching(
      /(?:^|\n)endpoint-monitoring verify: Pulumi: interrupted\. The engine finished its pending operations first\.\n$/,
    ),
  });
});
