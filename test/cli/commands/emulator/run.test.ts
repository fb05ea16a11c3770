import { runCommand, startCommand, type StartedCommand } from "../../../support/command";
import { type Json, minimal, paths } from "../../../emulator/support";

const run = (...args: string[]) => runCommand(args);

const running: StartedCommand[] = [];
afterEach(async () => {
  for (const command of running.splice(0)) {
    if (command.listeners() > 0) command.interrupt();
    await command.ended;
  }
});

/** Starts the emulator. Returns its first line of output. */
async function launch(...args: string[]): Promise<{ command: StartedCommand; line: string }> {
  const command = startCommand(["emulator", ...args]);
  running.push(command);
  return { command, line: await command.line() };
}

test.each([
  [["emulator", "--port", "x"], '--port takes a whole number, not "x"'],
  [["emulator", "--port", "70000"], "port must be at most 65535"],
  [["emulator", "--rate-limit", "0"], "rateLimit must be at least 1"],
  [["emulator", "--token", ""], "token must not be empty"],
  [["emulator", "--token", "a b"], "token must not be empty or contain spaces"],
  [["emulator", "--allow-hosts", "http://x"], "allowHosts.0 must be a host name"],
  [["emulator", "--agents", "100001"], "agents must be at most 100000"],
  [["emulator", "--licenses", "advantage"], "--licenses takes"],
  [["emulator", "--licenses", "gold=1"], 'licenses "gold" is unknown. Expected: advantage, '],
])("the emulator command reports the invalid arguments %j in one line", async (args, message) => {
  const { code: status, stdout, stderr } = await run(...args);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^endpoint-monitoring[^\n]+\n$/);
  expect(stderr).toContain(message);
  expect(stderr).toContain('Try "endpoint-monitoring emulator --help".');
});

test("the emulator command reports an inaccessible file in one line", async () => {
  const { code: status, stderr } = await run("emulator", "--data", "/nowhere/at/all.db");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^endpoint-monitoring emulator: \/nowhere\/at\/all\.db [^\n]+\n$/);
});

test.each(["SIGINT", "SIGTERM"] as const)("the emulator exits with code 0 after %s", async (signal) => {
  const { command, line } = await launch("--json", "--rate-limit", "off", "--unique-test-names");
  const { url, token, clientId, clientSecret } = JSON.parse(line).data;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const create = () =>
    fetch(url + paths.agentToServer, { method: "POST", headers, body: JSON.stringify(minimal.agentToServer) });
  const first = await create();
  expect([first.status, first.headers.get("x-organization-rate-limit-limit")]).toEqual([201, null]);
  expect((await create()).status).toBe(409);
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });
  expect((await fetch(`${url}/v7/oauth2/token`, { method: "POST", body: form })).status).toBe(200);
  command.interrupt(signal);
  expect((await command.ended).code).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the emulator starts with the configured fleet size and licenses", async () => {
  const { line } = await launch("--json", "--agents", "3", "--licenses", "embedded=0,essentials=9");
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
});

test("the emulator accepts the configured token instead of the default token", async () => {
  const { line } = await launch("--json", "--token", "my-token's", "--allow-hosts", "ci.example");
  const { url, token } = JSON.parse(line).data;
  expect(token).toBe("my-token's");
  const statusWith = async (bearer: string) =>
    (await fetch(`${url}/v7/account-groups`, { headers: { authorization: `Bearer ${bearer}` } })).status;
  expect([await statusWith(token), await statusWith("emulator-token")]).toEqual([200, 401]);
});

test("the emulator quotes printed values for a shell unless --json is set", async () => {
  const command = startCommand(["emulator", "--token", "my-token's"]);
  running.push(command);
  await command.line();
  command.interrupt();
  const { stdout } = await command.ended;
  expect(stdout).toContain(`export ENDPOINT_MONITORING_TOKEN='my-token'\\''s'\n`);
});

test("the emulator prints its URL as text unless --json is set", async () => {
  const { line } = await launch();
  expect(line).toMatch(/ at http:\/\/127\.0\.0\.1:\d+$/);
});
