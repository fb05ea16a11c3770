/** Runs reviews with a script in place of the engine, and lists their requests. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Review } from "../../plan/judge/review";
import { typeToken } from "../../sdk/token";
import { type CommandRun, runCommand } from "../support/command";
import { AnsweringEngine, answersOf } from "../support/answering-engine";
import { recordedHosts, recordedPreviews, spellings } from "../support/elsewhere";
import { skipIdleTime } from "../support/idle-time";
import { temporary } from "../support/temporary";

skipIdleTime();

let folder: string;
let server: Server;
/** Tokens that the other host received. */
let tokens: string[];
let host: string;

beforeEach(async () => {
  folder = temporary();
  tokens = [];
  server = createServer((request, response) => {
    tokens.push(request.headers.authorization ?? "none");
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  write("Pulumi.yaml", "name: test\nruntime: nodejs\n");
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/endpoint-monitoring:Label::office";
const stackUrn = "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev";

function labelAt(service: string, provider = "default"): object {
  return {
    urn,
    type: typeToken("Label"),
    custom: true,
    id: "1",
    outputs: { __service: service, name: "Office" },
    provider: `urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::${provider}::0a1b`,
  };
}

interface Given {
  config?: Record<string, string>;
  env?: NodeJS.ProcessEnv;
  resources?: object[];
  steps?: object[];
  /** State as the engine exports it, instead of `resources`. */
  exported?: object;
  /** Output and exit code of the engine's preview, instead of `steps`. */
  preview?: { code: number; stdout: string } | undefined;
}

async function review({ config = {}, env = {}, resources = [], steps = [], exported, preview }: Given, ...args: string[]) {
  const step = { op: "same", urn: stackUrn, newState: { urn: stackUrn, type: "pulumi:pulumi:Stack" } };
  let previewed = false;
  const answer = answersOf({
    "stack ls": [{ name: "dev", current: true }],
    "config --json": Object.fromEntries(
      Object.entries(config).map(([key, value]) => [`endpoint-monitoring:${key}`, { value }]),
    ),
    "stack export": exported ?? { deployment: { resources } },
    preview: { steps: [step, ...steps], changeSummary: {} },
  });
  const engine = new AnsweringEngine(folder, (call) => {
    previewed ||= call.args[0] === "preview";
    return call.args[0] === "preview" && preview ? preview : answer(call);
  });
  const run: CommandRun = await runCommand(["review", "--json", ...args], { cwd: folder, env: engine.env(env) });
  engine.end();
  const { data } = JSON.parse(run.stdout) as { data?: Review };
  const dangers = (data?.findings ?? []).filter(({ rule }) => rule === "address").map(({ text }) => text);
  return { ...run, data, dangers, previewed };
}

const known = "https://api.example.com";

test("the review shows the host, the account group and the source of each setting", async () => {
  const addressCase = {
    config: { baseUrl: known },
    env: { ENDPOINT_MONITORING_ACCOUNT_GROUP_ID: "12", ENDPOINT_MONITORING_TOKEN: "t" },
  };
  const { code, data, previewed } = await review(addressCase);
  expect([code, previewed]).toEqual([0, true]);
  expect(data?.address).toEqual({
    host: "api.example.com",
    settings: [
      { name: "baseUrl", from: "configuration", value: known },
      { name: "accountGroupId", from: "environment", value: "12" },
      { name: "token", from: "environment" },
    ],
  });
  expect((await review(addressCase, "--markdown", "review.md")).code).toBe(0);
  expect(readFileSync(join(folder, "review.md"), "utf8")).toContain(
    "Service `api.example.com` (configuration), account group `12` (environment), token (environment)",
  );
});

test("the review stops before it sends a request if the base URL has an unknown host", async () => {
  const config = { baseUrl: `http://${host}`, token: "t" };
  const cases: [Given, RegExp][] = [
    [
      { config, resources: [labelAt(known)] },
      /^the provider sends requests and the token to another host: baseUrl is 127\.0\.0\.1:\d+, but the last update used api\.example\.com$/,
    ],
    [
      { config, env: { ENDPOINT_MONITORING_BASE_URL: known } },
      /baseUrl is 127\.0\.0\.1:\d+, and ENDPOINT_MONITORING_BASE_URL is api\.example\.com$/,
    ],
  ];
  for (const [addressCase, danger] of cases) {
    const { code, dangers, previewed, data } = await review(addressCase);
    expect([code, previewed, data?.notPreviewed]).toEqual([2, false, true]);
    expect(dangers).toEqual([expect.stringMatching(danger)]);
    expect(tokens).toEqual([]);
    // Only the matching --allow option lets the change pass.
    expect(await review(addressCase, "--fail-on", "deletes")).toMatchObject({ code: 2, previewed: false });
    const allowed = await review(addressCase, "--fail-on", "none");
    expect([allowed.code, allowed.previewed, allowed.dangers]).toEqual([0, true, dangers]);
  }
});

test("the review accepts explicit providers and other paths on the same host", async () => {
  const resources = [labelAt("https://emea.example.com", "emea"), labelAt(known)];
  expect(await review({ config: { baseUrl: `${known}/v7`, token: "t" }, resources })).toMatchObject({ code: 0, dangers: [] });
});

describe.each(["dynamic", "native"])("recorded previews of a program with %s resources", (front) => {
  const { state, previews } = recordedPreviews(front);
  const { home, elsewhere } = recordedHosts;
  /** Reviews the recorded engine output of a program variant, with the state that the engine exported. */
  const reviewed = async (name: string, addressCase: Given = {}, ...args: string[]) => {
    const { config = { baseUrl: `http://${home}`, token: "t" }, env } = addressCase;
    return review({ config, env, exported: state, preview: previews[name] }, ...args);
  };

  test("each variant of the program has a recorded preview", () => {
    expect(Object.keys(previews)).toEqual(Object.keys(spellings));
  });

  test.each(Object.entries(spellings))(
    "the review stops if a provider in the program and the stack use different hosts: %s",
    async (name, spelling) => {
      const { code, dangers, data, stdout } = await reviewed(name);
      const other = spelling.url ? new URL(spelling.url("127.0.0.1", recordedHosts.elsewherePort)).host : elsewhere;
      const provider = name === "provider that led home" ? "q" : "p";
      const remedy = `If ${other} is right, set ENDPOINT_MONITORING_ALLOWED_HOSTS=${home},${other}`;
      const text = spelling.isUnknown
        ? 'provider "p": baseUrl is known only during the update. Set baseUrl to a value that is known during the preview, or allow any value with --allow-unknown p.baseUrl'
        : `provider "${provider}" sends its requests to another host: ${other}. ${remedy}`;
      // A review cannot show a secret. The message of the provider process names the host.
      expect([code, dangers]).toEqual(spelling.isSecret ? [1, []] : [2, [text]]);
      expect(stdout).toContain(spelling.isUnknown ? "" : remedy);
      // The engine does not finish its preview if a provider process refuses to send a request.
      expect(data?.notPreviewed).toBe(previews[name]?.code === 0 || spelling.isSecret ? undefined : true);
      expect(tokens).toEqual([]);
    },
  );

  test("review --allow-unknown accepts a base URL that is unknown until the update", async () => {
    expect(await reviewed("unknown output", {}, "--allow-unknown", "p.baseUrl")).toMatchObject({ code: 0, dangers: [] });
  });

  test("the review accepts a host from the environment or from the last update's state", async () => {
    const env = { ENDPOINT_MONITORING_ALLOWED_HOSTS: `${home},${elsewhere}` };
    expect(await reviewed("provider without resources", { env })).toMatchObject({ code: 0, dangers: [] });
    const second = { config: { baseUrl: `http://${home}`, token: "t" }, resources: [labelAt(`http://${elsewhere}`, "emea")] };
    expect(await review({ ...second, preview: previews["provider without resources"] })).toMatchObject({
      code: 0,
      dangers: [],
    });
    const other = { config: { baseUrl: "https://api.example.com", token: "t" } };
    expect((await reviewed("provider without resources", other)).dangers).toEqual([
      expect.stringContaining(`but the last update used ${home}`),
    ]);
  });

  test("the review reports a provider that changes from one allowed host to another", async () => {
    const { steps } = JSON.parse(previews["provider that led home"]?.stdout ?? "") as { steps: object[] };
    const env = { ENDPOINT_MONITORING_ALLOWED_HOSTS: `api.example.com,${home},${elsewhere}` };
    const config = { baseUrl: "https://api.example.com", token: "t" };
    const { code, dangers } = await review({ config, env, steps });
    expect([code, dangers]).toEqual([2, [`provider "q" sends its requests to another host: ${elsewhere}`]]);
  });
});

describe("review --base with a dangerous change", () => {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const config = { baseUrl: known, token: "t" };
  const lock = (from: string): string =>
    JSON.stringify({ packages: { "node_modules/zod": { resolved: `https://${from}/zod.tgz` } } });
  /** The repository that each test starts with, after the first test created it. */
  let begun: string | undefined;
  beforeEach(() => {
    if (begun !== undefined) return cpSync(begun, folder, { recursive: true });
    write("Pulumi.dev.yaml", `config:\n  endpoint-monitoring:baseUrl: ${known}\n  test:other: a\n`);
    write("package-lock.json", lock("registry.example.com"));
    git("init", "--quiet", "--initial-branch", "main");
    for (const [name, value] of [
      ["user.name", "a"],
      ["user.email", "a@example.com"],
    ] as const)
      git("config", name, value);
    git("add", "Pulumi.yaml", "Pulumi.dev.yaml", "package-lock.json");
    git("commit", "--quiet", "--message", "main");
    git("checkout", "--quiet", "-b", "change");
    begun = temporary();
    return cpSync(folder, begun, { recursive: true });
  });

  test.each<[path: string, text: string, danger: string]>([
    [
      "Pulumi.dev.yaml",
      "config:\n  endpoint-monitoring:baseUrl: https://elsewhere.example.org\n",
      "Pulumi.dev.yaml changes endpoint-monitoring:baseUrl",
    ],
    [
      "Pulumi.dev.yaml",
      `config:\n  endpoint-monitoring:baseUrl: ${known}\n  endpoint-monitoring:token: mine\n`,
      "Pulumi.dev.yaml changes endpoint-monitoring:token",
    ],
    [
      "Pulumi.dev.yaml",
      `environment: [evil]\nconfig:\n  endpoint-monitoring:baseUrl: ${known}\n`,
      "Pulumi.dev.yaml changes environment",
    ],
    [
      "Pulumi.yaml",
      "name: test\nruntime: nodejs\nconfig:\n  endpoint-monitoring:baseUrl: https://b.example\n",
      "Pulumi.yaml changes endpoint-monitoring:baseUrl",
    ],
    [
      "Pulumi.yaml",
      "name: test\nruntime: nodejs\nplugins: { providers: [{ name: a, path: ./b }] }\n",
      "Pulumi.yaml changes plugins",
    ],
    ["Pulumi.yaml", "name: test\nruntime: nodejs\nbackend: { url: s3://mine }\n", "Pulumi.yaml changes backend"],
    [".npmrc", "registry=https://evil.example\n", ".npmrc changes the package registry"],
    ["deep/.npmrc", "registry=https://evil.example\n", "deep/.npmrc changes the package registry"],
    ["rules/PulumiPolicy.yaml", "runtime: nodejs\n", "rules/PulumiPolicy.yaml changes a policy pack"],
    ["package-lock.json", lock("evil.example"), "package-lock.json takes packages from another host: evil.example"],
    ["npm-shrinkwrap.json", lock("evil.example"), "npm-shrinkwrap.json takes packages from another host: evil.example"],
  ])("the review refuses a change to the file %s with the content %j", async (path, text, danger) => {
    write(path, text);
    git("add", path);
    git("commit", "--quiet", "--message", "change");
    const { code, dangers, previewed } = await review({ config }, "--base", "main");
    expect([code, dangers, previewed]).toEqual([2, [danger], false]);
  });

  test("without --base, the review does not compare branches", async () => {
    write(".npmrc", "registry=https://evil.example\n");
    git("add", ".npmrc");
    git("commit", "--quiet", "--message", "change");
    expect(await review({ config })).toMatchObject({ code: 0, dangers: [] });
  });

  test("the review ignores harmless changes to the base branch", async () => {
    write("Pulumi.dev.yaml", `config:\n  test:other: b\n  endpoint-monitoring:baseUrl: "${known}"\n`);
    write("Pulumi.yaml", "name: test\nruntime: nodejs\ndescription: more\n");
    write("package-lock.json", lock("registry.example.com").replace("zod.tgz", "zod-2.tgz"));
    git("commit", "--quiet", "--all", "--message", "change");
    git("checkout", "--quiet", "main");
    write(".npmrc", "registry=https://new.example\n");
    git("add", ".npmrc");
    git("commit", "--quiet", "--message", "later");
    git("checkout", "--quiet", "change");
    expect(await review({ config }, "--base", "main")).toMatchObject({ code: 0, dangers: [] });
  });

  test("the review reports an error if git does not know the base commit", async () => {
    const { code, stdout } = await review({ config }, "--base", "nowhere");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("git cannot find commit nowhere. Fetch the commit, or set another commit with --base"),
    ]);
  });
});
