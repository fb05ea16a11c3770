import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Server as TcpServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import type { FindingData } from "../../../../common/finding";
import { checkNode } from "../../../../cli/commands/check/machine";
import { ownManifest } from "../../../../api/manifest";
import { isOlder, leastOf } from "../../../../api/versions";
import { recordKind, recordKinds } from "../../../support/kinds";
import { closeServer, portOf, silentServer } from "../../../emulator/loopback";
import { runCommand } from "../../../support/command";
import { useEmulator } from "../../../support/emulator";
import { freePort } from "../../../support/port";
import { plainEnv } from "../../../support/process";
import { skipIdleTime } from "../../../support/idle-time";
import { temporary } from "../../../support/temporary";

skipIdleTime();

interface Checked {
  code: number | null;
  checks: Record<string, FindingData>;
  /** Names of the checks with a status, in order. */
  of: (level: FindingData["level"]) => string[];
  stdout: string;
  stderr: string;
}

const emulator = useEmulator();
let folder: string;
const servers: (Server | TcpServer)[] = [];
beforeEach(() => {
  folder = temporary();
  emulator.reset();
});
afterEach(() => Promise.all(servers.splice(0).map(closeServer)));

/** Runs the command outside of a project, without this machine's settings. */
async function check(settings: Record<string, string>, ...args: string[]): Promise<Checked> {
  const { stdout, ...run } = await runCheck(settings, "--json", ...args);
  const { findings } = (JSON.parse(stdout) as { data: { findings: FindingData[] } }).data;
  const of = (wanted: string) => findings.filter(({ level }) => level === wanted).map(({ rule }) => rule);
  return { ...run, stdout, of, checks: Object.fromEntries(findings.map((finding) => [finding.rule, finding])) };
}

function runCheck(settings: Record<string, string>, ...args: string[]) {
  const { PATH = pathWith("echo v3.259.0") } = settings;
  const env = plainEnv({ NO_COLOR: "1", ...settings, PATH });
  return runCommand(["check", ...args], { cwd: folder, env });
}

/** A PATH with this Node, and with a script as the engine. */
function pathWith(pulumi?: string): string {
  const bin = join(folder, "bin");
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  if (pulumi !== undefined) writeFileSync(join(bin, "pulumi"), `#!/bin/sh\n${pulumi}\n`, { mode: 0o755 });
  return [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  return `http://127.0.0.1:${await portOf(server)}`;
}

async function fault(...faults: object[]): Promise<void> {
  for (const injected of faults) await emulator.call("POST", "/_emulator/faults", injected);
}

const machine = ["node", "engine"];
const kinds = [...recordKinds.map((kind) => `${recordKind(kind).noun}s`), "agents", "test runs"];
const onService = ["base URL", "token", "account group", ...kinds];

describe("`check` with valid settings", () => {
  it("`check` passes with valid settings and changes nothing", async () => {
    const settings = emulator.env;
    const { code, checks, of, stderr } = await check(settings);
    expect([code, of("error"), of("warning"), of("skipped")]).toEqual([0, [], [], ["project"]]);
    expect(of("passed")).toEqual([...machine, "settings", ...onService]);
    expect(checks["account group"]?.text).toBe("1001 Headquarters, the token's default; 3 visible");
    expect(checks["settings"]?.text).toContain(`baseUrl ${settings["ENDPOINT_MONITORING_BASE_URL"]} from the environment`);
    expect(checks["token"]?.text).toBe("the token is accepted");
    expect(stderr).toBe("");
    // The check sends few requests, and its changes name records that do not exist.
    expect(emulator.emulator.log().length).toBeLessThanOrEqual(2 * kinds.length + 4);
    const writes = emulator.emulator
      .log()
      .filter(({ method, path }) => ["PATCH", "PUT"].includes(method) || path.includes("/run"));
    expect(writes?.map(({ status }) => status)).toEqual(kinds.map(() => 404));
  });

  it("`check` accepts client credentials and a configured account group", async () => {
    const { ENDPOINT_MONITORING_TOKEN: _token, ...rest } = emulator.env;
    const client = { ENDPOINT_MONITORING_CLIENT_ID: "emulator", ENDPOINT_MONITORING_CLIENT_SECRET: "emulator-secret" };
    const { code, checks } = await check({ ...rest, ...client, ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "1002" });
    expect(code).toBe(0);
    expect(checks["token"]?.text).toBe("the client received a token, which is accepted");
    expect(checks["account group"]?.text).toBe("1002 Branch offices, as configured");
    const asked = emulator.emulator.log().filter(({ operation }) => operation.startsWith("labels"));
    expect(asked?.map(({ aid }) => aid)).toEqual(["1002", "1002"]);
  });

  it("`check` prints each result on one line and the remedy on the next line", async () => {
    const settings = emulator.env;
    const { stdout, code } = await runCheck({ ...settings, ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ ok {7}node +\d+\.\d+\.\d+; 22\.19\.0 or newer is needed$/m);
    expect(stdout).toMatch(/^- skipped {2}project +no Pulumi\.yaml here or above: settings come from the environment$/m);
    expect(stdout).toMatch(/^! warning {2}labels +can be read, not changed \(403\).*\n {11}→ give the role/m);
    expect(stdout.endsWith(`\n\nNo check failed. ${kinds.length} warnings.\n`)).toBe(true);
  });
});

describe("`check` of credentials and permissions", () => {
  it("`check` reports a wrong token once and skips the checks that need a valid token", async () => {
    const settings = emulator.env;
    const { code, checks, of, stdout } = await check({ ...settings, ENDPOINT_MONITORING_TOKEN: "wrong-token" });
    expect([code, of("error")]).toEqual([2, ["token"]]);
    expect(of("skipped")).toEqual(["project", "account group", ...kinds]);
    expect(checks["agents"]?.text).toBe('requires "token"');
    expect(checks["token"]).toMatchObject({
      text: expect.stringContaining("answered 401"),
      fix: expect.stringContaining("export ENDPOINT_MONITORING_TOKEN=..."),
    });
    expect(stdout).not.toContain("wrong-token");
  });

  it("`check` reports wrong client credentials once", async () => {
    const { ENDPOINT_MONITORING_TOKEN: _token, ...rest } = emulator.env;
    const client = { ENDPOINT_MONITORING_CLIENT_ID: "emulator", ENDPOINT_MONITORING_CLIENT_SECRET: "wrong-secret" };
    const { code, checks, of, stdout } = await check({ ...rest, ...client });
    expect([code, of("error")]).toEqual([2, ["token"]]);
    expect(checks["token"]?.text).toContain("POST /v7/oauth2/token answered 401");
    expect(checks["token"]?.fix).toContain("ENDPOINT_MONITORING_CLIENT_SECRET");
    expect(stdout).not.toContain("wrong-secret");
  });

  it("`check` warns about each resource type that the token may only read", async () => {
    const settings = emulator.env;
    const { code, of } = await check({ ...settings, ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" });
    expect([code, of("warning"), of("error")]).toEqual([0, kinds, []]);
  });

  it("`check` reports a resource type that the token may not read", async () => {
    const settings = emulator.env;
    await fault({ operation: "tests.dynamic.list", kind: "status", status: 403 });
    const { code, of, checks } = await check(settings);
    expect([code, of("error"), of("warning")]).toEqual([2, ["dynamic tests"], []]);
    expect(checks["dynamic tests"]).toMatchObject({
      text: expect.stringContaining("answered 403"),
      fix: expect.stringContaining("permission to view them"),
    });
  });

  it("`check` reports a permission as not checked if the service answers with an unexpected status", async () => {
    const settings = emulator.env;
    await fault(
      { operation: "labels.update", kind: "status", status: 400 },
      { operation: "tests.run", kind: "status", status: 400 },
    );
    const { code, of, checks } = await check(settings);
    expect([code, of("error"), of("skipped")]).toEqual([0, [], ["project", "test runs"]]);
    expect(checks["labels"]?.text).toBe(
      "can be read; whether they can be changed was not checked: the service answered 400 to an empty update for an id that does not exist",
    );
    expect(checks["test runs"]?.text).toMatch(/^not checked: the service answered 400/);
  });

  it("`check` reports an account group that the token cannot see", async () => {
    const settings = emulator.env;
    const group = { ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token", ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "1003" };
    const { code, of, checks } = await check({ ...settings, ...group });
    expect([code, of("error")]).toEqual([2, ["account group"]]);
    expect(checks["account group"]).toMatchObject({
      text: "1003 is configured, but the token can only see 1001 Headquarters, 1002 Branch offices",
      fix: "export ENDPOINT_MONITORING_ACCOUNT_GROUP_ID=1001",
    });
    expect(checks["labels"]?.text).toBe('requires "account group"');
  });

  it("`check` uses the token's own account group if the role may not list account groups", async () => {
    const settings = emulator.env;
    // The first request has no token.
    await fault({ operation: "accountGroups.list", kind: "status", status: 403, n: 2 });
    const { code, of, checks } = await check(settings);
    expect([code, of("warning"), of("error")]).toEqual([0, ["account group"], []]);
    expect(checks["account group"]?.text).toBe("the role may not list account groups, so the token's default is used");
  });
});

describe("`check` of settings", () => {
  it("`check` explains how to set the missing settings", async () => {
    const { code, of, checks } = await check({});
    expect([code, of("error")]).toEqual([2, ["settings"]]);
    expect(checks["settings"]).toEqual({
      rule: "settings",
      level: "error",
      text: "baseUrl is missing; token is missing, and so are clientId and clientSecret",
      fix: "export ENDPOINT_MONITORING_BASE_URL=...; export ENDPOINT_MONITORING_TOKEN=...",
    });
    expect(of("skipped")).toEqual(["project", ...onService]);
    expect(checks["base URL"]?.text).toBe('requires "settings"');
  });

  it("`check` never prints the value of a setting", async () => {
    const { stdout, checks } = await check({
      ENDPOINT_MONITORING_BASE_URL: "https://user:hunter2@api.example.com",
      ENDPOINT_MONITORING_CLIENT_SECRET: "s3cret",
    });
    expect(checks["settings"]?.text).toBe(
      "baseUrl must not contain a user or password; use token, or clientId and clientSecret; clientId is required with clientSecret",
    );
    expect(stdout).not.toMatch(/hunter2|s3cret/);
  });
});

describe("`check` of the connection", () => {
  const reach = (baseUrl: string, settings: Record<string, string> = {}) =>
    check({ ENDPOINT_MONITORING_BASE_URL: baseUrl, ENDPOINT_MONITORING_TOKEN: "t", ...settings });
  const onlyBaseUrl = ({ code, of }: Checked): void => {
    expect([code, of("error"), of("skipped")]).toEqual([2, ["base URL"], ["project", ...onService.slice(1)]]);
  };

  it("`check` reports an unknown host", async () => {
    const checked = await reach("https://nowhere.invalid");
    onlyBaseUrl(checked);
    expect(checked.checks["base URL"]?.text).toMatch(/cannot be reached: the DNS lookup failed \(the host name /);
  });

  it("`check` reports a closed port", async () => {
    const port = await freePort();
    const checked = await reach(`http://127.0.0.1:${port}`);
    onlyBaseUrl(checked);
    expect(checked.checks["base URL"]?.text).toContain("the connection failed (the connection was refused)");
    expect(checked.checks["base URL"]?.fix).toContain("curl -v http://127.0.0.1");
  });

  it("`check` reports a port without TLS", async () => {
    const plain = await reach((await serve((_request, response) => response.end())).replace("http:", "https:"));
    onlyBaseUrl(plain);
    expect(plain.checks["base URL"]?.text).toContain("TLS failed (it does not speak TLS on this port)");

    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
    execFileSync("openssl", [...made, "-subj", "/CN=localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
    const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) });
    servers.push(server);
    const signed = await reach(`https://localhost:${await portOf(server)}`);
    onlyBaseUrl(signed);
    expect(signed.checks["base URL"]?.text).toContain("TLS failed (its certificate is self-signed)");
  });

  it("`check` reports a service that does not answer in time", async () => {
    const server = silentServer();
    servers.push(server);
    const checked = await reach(`http://127.0.0.1:${await portOf(server)}`, { ENDPOINT_MONITORING_TIMEOUT: "1" });
    onlyBaseUrl(checked);
    expect(checked.checks["base URL"]?.text).toContain("it accepted the connection, but did not answer (no response in time)");
  });

  it.each([
    [
      404,
      /answers 404 to GET \/v7\/account-groups, which the ThousandEyes API never does/,
      /export ENDPOINT_MONITORING_BASE_URL/,
    ],
    [503, /answers 503/, /status page/],
  ])("`check` explains the unexpected status %i of the server at the base URL", async (status, message, fix) => {
    const checked = await reach(await serve((_request, response) => response.writeHead(status).end("<html>")));
    onlyBaseUrl(checked);
    expect(checked.checks["base URL"]).toMatchObject({
      text: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
    });
  });

  it("`check` skips the remaining checks after a failed connection", async () => {
    const settings = emulator.env;
    await fault({ operation: "tests.agentToServer.list", kind: "drop-before", n: 100 });
    const { code, of, checks } = await check(settings);
    expect([code, of("error"), of("skipped")]).toEqual([
      2,
      ["agent-to-server tests"],
      ["project", ...kinds.slice(kinds.indexOf("agent-to-server tests") + 1)],
    ]);
    expect(checks["agents"]?.text).toBe('requires "agent-to-server tests"');
  });
});

describe("`check` of this machine", () => {
  it("`check` names the command that requires a newer engine version", async () => {
    const { code, checks } = await check({ ...emulator.env, PATH: pathWith("echo v3.253.1") });
    expect([code, checks["engine"]]).toMatchObject([
      0,
      {
        level: "warning",
        text: "pulumi 3.253.1 is older than 3.254.0, which `endpoint-monitoring import` needs",
        fix: expect.stringContaining("install Pulumi 3.254.0 or newer"),
      },
    ]);
  });

  it.each([
    ["none", undefined, "pulumi is not on the PATH"],
    ["an engine without output", "exit 1", "`pulumi version` printed no version"],
    [
      "an engine that fails",
      "echo 'pulumi: fetch failed' >&2; exit 1",
      "`pulumi version` printed no version (pulumi: fetch failed)",
    ],
  ])("`check` reports a missing engine: %s", async (_, script, message) => {
    const { code, of, checks } = await check({ ...emulator.env, PATH: pathWith(script) });
    expect([code, of("error"), checks["engine"]?.text]).toEqual([2, ["engine"], message]);
    // The checks of the service do not need the engine.
    expect(of("skipped")).toEqual(["project"]);
  });

  it("`check` reports that --stack requires a project", async () => {
    const { code, of } = await check(emulator.env, "--stack", "dev");
    expect([code, of("error")]).toEqual([2, ["project"]]);
  });

  it("`check` compares Node versions as numbers, not as strings", () => {
    expect(checkNode("22.19.0").level).toBe("passed");
    expect(checkNode("22.18.9")).toMatchObject({ level: "error", text: ["22.18.9 is older than 22.19.0"] });
    expect([isOlder("3.9.0", "3.254.0"), isOlder("3.254.0-alpha.1", "3.254.0"), isOlder("4.0.0", "3.254.0")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([leastOf(">=22.19.0"), leastOf("^3.254.0"), leastOf(">=5 <7")]).toEqual(["22.19.0", "3.254.0", "5"]);
    expect(ownManifest().name).toBe("pulumi-endpoint-monitoring");
  });
});
