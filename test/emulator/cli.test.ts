import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Json, minimal, paths } from "./support";

const root = join(__dirname, "../..");
const command = [join(root, "dist/cli/main.js")];

const run = (...args: string[]) => spawnSync(process.execPath, [...command, ...args], { encoding: "utf8" });

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
});

/** Starts the emulator; gives its first line of output. */
async function launch(...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [...command, "emulator", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error("The emulator printed nothing");
}

test.each([
  [[], "No command given", "endpoint-monitoring --help"],
  [["emulater"], 'Unknown command "emulater"', "endpoint-monitoring --help"],
  [["emulator", "--bogus"], "Unknown option '--bogus'", "endpoint-monitoring emulator --help"],
  [["emulator", "extra"], "Unexpected argument 'extra'", "endpoint-monitoring emulator --help"],
  [["emulator", "--port"], "--port", "endpoint-monitoring emulator --help"],
  [["emulator", "--port", "x"], '--port takes a whole number, not "x"', "endpoint-monitoring emulator --help"],
  [["emulator", "--port", "70000"], "port is 70000", "endpoint-monitoring emulator --help"],
  [["emulator", "--rate-limit", "0"], "rateLimit is 0", "endpoint-monitoring emulator --help"],
  [["emulator", "--agents", "10001"], "agents is 10001", "endpoint-monitoring emulator --help"],
  [["emulator", "--licenses", "advantage"], "--licenses takes", "endpoint-monitoring emulator --help"],
  [["emulator", "--licenses", "gold=1"], "licenses names gold", "endpoint-monitoring emulator --help"],
])("%j is one line, with what to do, and exit code 1", (args, said, hint) => {
  const { status, stdout, stderr } = run(...args);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^endpoint-monitoring[^\n]+\n$/);
  expect(stderr).toContain(said);
  expect(stderr).toContain(`Try "${hint}".`);
});

test("a file that can't be had is one line and exit code 1", () => {
  const { status, stderr } = run("emulator", "--data", "/nowhere/at/all.db");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^endpoint-monitoring emulator: \/nowhere\/at\/all\.db [^\n]+\n$/);
});

test("help lists the commands; help of a command has an example", () => {
  expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("  emulator "), stderr: "" });
  const help = run("emulator", "--help");
  expect(help).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("Example:\n  endpoint-monitoring emulator"),
    stderr: "",
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("it says where it is, answers, and ends with 0 on %s", async (signal) => {
  const { child, line } = await launch("--json", "--rate-limit", "off", "--unique-test-names");
  const { url, token, clientId, clientSecret } = JSON.parse(line).data;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const create = () =>
    fetch(url + paths.agentToServer, { method: "POST", headers, body: JSON.stringify(minimal.agentToServer) });
  const first = await create();
  expect([first.status, first.headers.get("x-organization-rate-limit-limit")]).toEqual([201, null]);
  expect((await create()).status).toBe(409);
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });
  expect((await fetch(`${url}/v7/oauth2/token`, { method: "POST", body: form })).status).toBe(200);
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("the fleet is as large as asked for, with the licences there are, and moves when asked to", async () => {
  const { line } = await launch("--json", "--agents", "3", "--licenses", "embedded=0,essentials=9", "--transfer-delay", "0");
  const { url, token } = JSON.parse(line).data;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: object): Promise<[number, Json]> => {
    const answer = await fetch(`${url}/v7/endpoint/agents${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return [answer.status, text === "" ? undefined : JSON.parse(text)];
  };
  const [, listed] = await call("GET", "?useAllPermittedAids=true");
  expect(listed.totalAgents).toBe(3);
  const [{ id }] = listed.agents;
  expect((await call("PATCH", `/${id}`, { licenseType: "embedded" }))[0]).toBe(400);
  expect((await call("PATCH", `/${id}`, { licenseType: "essentials" }))[0]).toBe(200);
  expect((await call("POST", `/${id}/transfer`, { toAid: "1003" }))[0]).toBe(202);
  expect((await call("GET", `/${id}?aid=1003`))[0]).toBe(200);
});

test("without --json it prints what to export", async () => {
  const { line } = await launch();
  expect(line).toMatch(/ at http:\/\/127\.0\.0\.1:\d+$/);
});

test("after SIGKILL in the middle of writes every acknowledged one is there, and the file is free", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  const file = join(folder, "records.db");
  const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
  const body = JSON.stringify(minimal.label);
  const acknowledged: string[] = [];
  try {
    for (let round = 0; round < 3; round += 1) {
      const { child, line } = await launch("--json", "--data", file, "--rate-limit", "off");
      const { url } = JSON.parse(line).data;
      const listed: Json = await (await fetch(`${url}/_emulator/records/labels`)).json();
      const ids = listed.records.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      for (const id of ids) {
        const got = await (await fetch(`${url}${paths.label}/${id}?expand=filters`, { headers })).json();
        expect(got).toMatchObject(minimal.label);
      }
      const killed = once(child, "exit");
      const write = async (): Promise<void> => {
        const answer = await fetch(url + paths.label, { method: "POST", headers, body });
        const made: Json = await answer.json();
        acknowledged.push(made.id);
        if (acknowledged.length === 60 * (round + 1)) child.kill("SIGKILL");
        return write();
      };
      // Eight at a time, so that some are under way when the process dies.
      await Promise.allSettled(Array.from({ length: 8 }, write));
      await killed;
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(180);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
