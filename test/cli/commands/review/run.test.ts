/**
 * Tests the input, output, files and exit codes of the `review` command. Previews are prepared, so the test needs no engine.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allOperations } from "../../../../api";
import type { Emulator } from "../../../../emulator";
import { thisMachineId } from "../../../../emulator/fleet/make";
import { paths } from "../../../emulator/support";
import { call } from "../../../support/call";
import { runCommand } from "../../../support/command";
import { operationsOf, recordKinds } from "../../../support/kinds";
import { plainEnv } from "../../../support/process";
import { omit, start } from "../../../support/variations/start";
import { previewText, step } from "../../review-support";
import { skipIdleTime } from "../../../support/idle-time";
import { temporary } from "../../../support/temporary";

skipIdleTime();

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const vpn = { testName: "VPN", server: "vpn.example.com" };

let emulator: Emulator;
let folder: string;
beforeAll(async () => {
  emulator = await start({ rateLimit: "off", agents: 120 });
  folder = temporary();
});
afterAll(() => emulator.close());
/** Resets the emulator for each test that inspects it. */
const asNew = async (): Promise<void> => {
  emulator.reset();
  await call(emulator.url, "DELETE", `/v7/endpoint/agents/${thisMachineId}?aid=1001`);
};

interface Given {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

/** Runs the command outside of a project, with the emulator in its environment. */
function run(args: readonly string[], { input = "", env, cwd = folder }: Given = {}) {
  const settings = { ENDPOINT_MONITORING_BASE_URL: emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
  return runCommand(["review", ...args], { cwd, env: plainEnv({ ...settings, ...env }), stdin: input });
}

const preview = (...args: Parameters<typeof previewText>): Given => ({ input: previewText(...args) });
const previewArgs = (...args: string[]): string[] => ["--preview", "-", ...args];

const control = (path: string, body?: object) => call(emulator.url, "POST", `/_emulator/${path}`, body);
async function make(path: string, body: object): Promise<string> {
  const made = await call(emulator.url, "POST", `${path}?aid=1001`, body);
  return String(made["id"] ?? made["testId"]);
}
const requests = async (): Promise<Record<string, number>> => {
  const counts = emulator.requests();
  await control("requests/reset");
  return counts;
};
const widened = (id: string) =>
  step("update", "label", "office", {
    id,
    before: label,
    after: { ...label, filters: [{ key: "platform", values: ["Windows", "Mac"] }] },
  });

describe("input of the review command", () => {
  test.each<[string[], string, string?]>([
    [
      ["--preview", "-"],
      "Standard input is not the output of `pulumi preview --json` (it is not JSON)",
      "Previewing update (dev)",
    ],
    [["--preview", "-"], "(it is not JSON)", ""],
    [["--preview", "-"], "(it has no steps)", "[]"],
    [["--preview", "-"], "(it has no steps)", '{"version":3,"deployment":{}}'],
    [
      ["--preview", "-"],
      "(steps[1].op: Invalid input: expected string, received number)",
      '{"steps":[{"op":"same","urn":"a"},{"op":1}]}',
    ],
    [
      ["--preview", "-"],
      "(steps[0].newState.inputs: Invalid input: expected record, received array)",
      '{"steps":[{"op":"create","urn":"a","newState":{"urn":"a","type":"b","inputs":[]}}]}',
    ],
    [["--preview", "/nowhere/p.json"], "/nowhere/p.json cannot be read (ENOENT: no such file or directory)"],
    [["--preview", "."], ". cannot be read (EISDIR: illegal operation on a directory)"],
    [[], "There is no Pulumi.yaml in"],
    [["--fail-on", "delete"], "--fail-on takes address, pending, protected, renamed, deletes, adopts-foreign"],
    [
      ["--preview", "-", "--fail-on", "selects-all", "--offline"],
      "--fail-on selects-all requires the service, so it cannot be used with --offline",
    ],
  ])("`review` reports the invalid arguments %j in one line: %s", async (...[args, message, input]) => {
    const { code, stdout, stderr } = await run(args, { input });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^endpoint-monitoring review: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test.each([[[]], [["--json"]]])("`review` prints its report if it cannot write the report file: %j", async (args) => {
    const shown = await run([...previewArgs("--offline"), ...args], preview([widened("1")]));
    const unwritten = await run(
      [...previewArgs("--offline", "--markdown", "/dev/null/r.md"), ...args],
      preview([widened("1")]),
    );
    expect([unwritten.code, unwritten.stdout]).toEqual([1, shown.stdout]);
    expect(unwritten.stderr).toContain("error: /dev/null/r.md cannot be written");
  });

  test("`review` refuses a failed preview unless a protected resource is the only cause", async () => {
    const gone = step("delete", "label", "office", { id: "1", before: label, protect: true });
    const refusal = {
      urn: gone.urn,
      severity: "error",
      message: "error: Preview failed: resource cannot be deleted\nbecause it is protected",
    };
    const summary = { severity: "error", message: "error: preview failed\n" };
    const crash = {
      severity: "error",
      message: "error: Running program 'index.ts' failed:\nError: boom\n    at main (index.ts:1)\n",
    };
    const refused = await run(previewArgs("--offline", "--json"), preview([gone], [refusal, summary]));
    expect([refused.code, JSON.parse(refused.stdout).data.findings[0].rule]).toEqual([0, "protected"]);
    const others: object[][] = [[crash], [refusal, crash, summary], [summary], [{ ...refusal, urn: "urn:other" }]];
    for (const diagnostics of others) {
      const { code, stderr, stdout } = await run(previewArgs("--offline"), preview([gone], diagnostics));
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^endpoint-monitoring review: The preview failed[^\n]*\n$/);
      expect(stderr.includes("Running program 'index.ts' failed: Error: boom.")).toBe(diagnostics.includes(crash));
    }
  });

  test("`review` reads the same preview from a file and from standard input", async () => {
    const file = join(folder, "preview.json");
    writeFileSync(file, previewText([widened(await make(paths.label, label))]));
    const [fromFile, fromInput] = [
      await run(["--preview", file, "--json"]),
      await run(previewArgs("--json"), { input: readFileSync(file, "utf8") }),
    ];
    expect(fromFile.code).toBe(0);
    expect(fromFile.stdout).toBe(fromInput.stdout);
  });

  test("`review` accepts a preview without steps", async () => {
    const { code, stdout } = await run(previewArgs(), { input: '{"config":{},"duration":1,"changeSummary":{}}' });
    expect([code, stdout]).toEqual([0, "nothing changes\nNo findings: nothing to do before merging.\n"]);
  });
});

describe("output of the review command", () => {
  beforeEach(asNew);

  test("`review` prints no colors without a terminal", async () => {
    const steps = [widened(await make(paths.label, label))];
    const { code, stdout } = await run(previewArgs(), preview(steps));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Stack dev: 1 updated\nChanges filters of 1 label \(office\): platform: \+ Mac\.\n\nNo findings: nothing to do before merging\.\n\nAgents affected: \d+ → \d+\n\n {2}~ {2}updated label office/,
    );
    expect(stdout).toContain("      ! filters: platform: + Mac\n");
    expect(stdout).not.toContain("\u001b");

    const file = join(folder, "written", "review.md");
    const written = await run(previewArgs("--markdown", file), preview(steps));
    expect([written.code, written.stdout]).toEqual([0, ""]);
    const markdown = await run(previewArgs("--markdown", "-"), preview(steps));
    expect(markdown.stdout).toBe(readFileSync(file, "utf8"));
    expect(markdown.stdout).toMatch(/^### Endpoint monitoring, stack `dev`: 1 updated\n/);
    // The file is complete, and no temporary file remains.
    expect(readdirSync(join(folder, "written"))).toEqual(["review.md"]);
  });

  test("`review` prints colors if the terminal supports them", async () => {
    const { stdout } = await run(previewArgs("--offline"), { ...preview([widened("1")]), env: { FORCE_COLOR: "1" } });
    expect(stdout).toContain("\u001b[33m");
  });

  test("`review` prints JSON on one line", async () => {
    const odd = step("same", "agentToServerTest", "t", { id: "1", before: vpn, after: { ...vpn, port: 1 } });
    const { code, stdout } = await run(previewArgs("--json"), preview([odd]));
    expect([code, stdout.trimEnd().includes("\n")]).toEqual([0, false]);
    const { data, warnings } = JSON.parse(stdout);
    expect(Object.keys(data)).toEqual(["stack", "summary", "findings", "resources", "groups", "renames", "costs"]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The engine plans the operation same for agent-to-server test "t", but this tool expects update\. If the preview is from the same version/,
      ),
    ]);
  });

  test("the JSON output of `review` has the documented members", async () => {
    const id = await make(paths.label, label);
    const test = await make(paths.agentToServer, { ...vpn, agentSelectorType: "agent-labels", endpointAgentLabels: [id] });
    const { stdout } = await run(previewArgs("--json"), preview([widened(id)]));
    const reached = { count: expect.any(Number), names: expect.any(Array), seen: expect.any(Number) };
    const chosen = { ...reached, of: expect.any(Number) };
    const none = { created: 0, updated: 0, replaced: 0, deleted: 0, forgotten: 0 };
    const counts = { ...none, adopted: 0 };
    const changes = [
      {
        property: "filters",
        how: "changed",
        before: [{ key: "platform", mode: "in", values: ["Windows"] }],
        after: [{ key: "platform", mode: "in", values: ["Windows", "Mac"] }],
      },
    ];
    const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/endpoint-monitoring:Label::office";
    expect(JSON.parse(stdout)).toEqual({
      data: {
        stack: "dev",
        summary: {
          ...counts,
          updated: 1,
          others: none,
          agents: { before: expect.any(Number), after: expect.any(Number) },
          findings: 0,
        },
        findings: [],
        costs: {
          histories: { count: 0, names: [] },
          replacements: { count: 0, names: [] },
          references: { count: 0, names: [] },
          overLicense: { count: 0, names: [] },
          rounds: { before: 1500, after: 1500 },
        },
        resources: [
          {
            urn,
            kind: "label",
            name: "office",
            title: "Office",
            op: "update",
            id,
            protect: false,
            changes,
            hidden: [],
            replaces: [],
            reach: { before: reached, after: reached, gained: reached },
            touches: [
              {
                kind: "agentToServerTest",
                name: "VPN",
                id: test,
                before: chosen,
                after: chosen,
                gained: reached,
              },
            ],
          },
        ],
        groups: [{ kind: "label", outcome: "update", members: [urn], changes, checks: [] }],
        renames: [],
        load: {
          accountGroups: ["1001"],
          before: { agents: expect.any(Number), rounds: expect.any(Number), roundsRun: expect.any(Number), over: 0 },
          after: { agents: expect.any(Number), rounds: expect.any(Number), roundsRun: expect.any(Number), over: 0 },
          over: [],
          crowdedOut: [],
          notCounted: 0,
          approximate: expect.any(Boolean),
        },
      },
    });
  });
});

describe("exit codes of `review`", () => {
  const gone = step("delete", "label", "office", { id: "1", before: label });
  test.each<[string[], number]>([
    [[], 0],
    [["--fail-on", "replacements"], 0],
    [["--fail-on", "deletes"], 2],
    [["--fail-on", "replacements, deletes"], 2],
    [["--fail-on", "replacements", "--fail-on", "deletes"], 2],
    [["--fail-on", "any"], 2],
    [["--fail-on", "any", "--offline"], 2],
  ])("`review %j` exits with code %d", async (args, expected) => {
    const { code, stdout, stderr } = await run(previewArgs(...args), preview([gone]));
    expect(code).toBe(expected);
    expect(stdout).toContain('label "office" is deleted');
    expect(stderr.includes("Findings of --fail-on: deletes (1)")).toBe(expected === 2);
  });
});

describe("requests that `review` sends to the service", () => {
  beforeEach(asNew);

  test("`review` needs at most 20 requests for 1,000 resources", async () => {
    const labels = await Promise.all(Array.from({ length: 300 }, (_, n) => make(paths.label, { ...label, name: `l${n}` })));
    const steps = labels.map((id, n) =>
      step("update", "label", `l${n}`, {
        id,
        before: { ...label, name: `l${n}` },
        after: {
          name: `l${n}`,
          matchType: "and",
          filters: [
            { key: "platform", values: ["Mac"] },
            { key: "username", values: ["a*"] },
          ],
        },
      }),
    );
    const by = (n: number) => ({ agentSelectorType: "agent-labels", endpointAgentLabels: [labels[n % labels.length]] });
    const kinds = [
      ["agentToServerTest", paths.agentToServer, { server: "vpn.example.com" }],
      ["httpServerTest", paths.httpServer, { url: "https://portal.example.com" }],
      ["dynamicTest", paths.dynamic, { application: "webex" }],
    ] as const;
    const made = Array.from({ length: 700 }, async (_, n) => {
      const [kind, path, extra] = kinds[n % 3] ?? kinds[0];
      const body = { ...extra, testName: `t${n}`, ...by(n) };
      return step("update", kind, `t${n}`, { id: await make(path, body), before: body, after: { ...body, interval: 300 } });
    });
    steps.push(...(await Promise.all(made)));
    await requests();
    const { code, stdout } = await run(previewArgs("--json"), preview(steps));
    expect([code, JSON.parse(stdout).data.summary.updated]).toEqual([0, 1_000]);
    const asked = await requests();
    expect(asked).toEqual({
      ...Object.fromEntries(recordKinds.map((kind) => [operationsOf(kind).list.id, 1])),
      "agents.list": 1,
      "agents.filter": 2,
      "account.usage": 1,
      "account.user": 1,
      "account.role": 1,
    });
    expect(Object.values(asked).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(20);
  });

  test("`review` sends no requests with --offline", async () => {
    await requests();
    const same = step("same", "label", "office", { id: "1", before: label, after: label });
    const runs = [
      await run(previewArgs("--offline"), preview([widened("1")])),
      await run(previewArgs(), preview([same])),
      await run(previewArgs(), preview([step("create", "testRun", "r", { after: { testId: "1" } })])),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await requests()).toEqual({});
  });

  test.each<[string, () => Promise<void> | void, Record<string, string>, RegExp]>([
    ["is down", () => undefined, { ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:9" }, /connection was refused/],
    ["refuses the token", () => undefined, { ENDPOINT_MONITORING_TOKEN: "wrong-t0ken" }, /401/],
    ["is not configured", () => undefined, { ENDPOINT_MONITORING_BASE_URL: "" }, /baseUrl .* is missing/],
    [
      "permits no user to list agents",
      () => control("faults", { operation: "agents.list", kind: "status", status: 403, n: 10 }),
      {},
      /The agents of account group 1001 could not be read/,
    ],
  ])("`review` prints the remaining report and a warning if the service %s", async (_, prepare, env, message) => {
    const id = await make(paths.label, label);
    await prepare();
    const steps = [widened(id), step("delete", "agentToServerTest", "t", { id: "1", before: vpn })];
    const [first, gated, ungated, both] = await Promise.all(
      [
        ["--markdown", "-"],
        ["--fail-on", "selects-all,protected"],
        ["--fail-on", "protected"],
        ["--fail-on", "deletes,selects-all"],
      ].map((args) => run(previewArgs(...args), { ...preview(steps), env })),
    );
    const { code, stdout, stderr } = first ?? { stdout: "", stderr: "" };
    expect(code).toBe(0);
    expect(stdout).toContain("### Endpoint monitoring, stack `dev`: 1 updated, 1 deleted");
    expect(stdout).toContain("- Agent-to-server test `t` is **deleted**");
    expect(stdout).toContain("> [!WARNING]");
    expect(stderr).toMatch(message);
    expect(stdout + stderr).not.toContain("wrong-t0ken");
    expect(stdout).not.toContain("#### Load");
    // An unknown value never counts as false.
    expect([gated?.code, gated?.stderr.includes("checks of --fail-on could not run: selects-all")]).toEqual([1, true]);
    expect([ungated?.code, both?.code]).toEqual([0, 2]);
  });

  test("`review` omits the number of tests per agent if the token cannot list tests", async () => {
    const id = await make(paths.label, label);
    await control("faults", { operation: "tests.dynamic.list", kind: "status", status: 403, n: 10 });
    const { stdout } = await run(previewArgs("--json"), preview([widened(id)]));
    const { data, warnings } = JSON.parse(stdout);
    expect(data.resources[0].reach.after.count).toBeGreaterThan(0);
    expect(data).not.toHaveProperty("load");
    // A summary without findings mentions the parts that were not checked.
    const shown = await run(previewArgs(), preview([widened(id)]));
    expect(shown.stdout).toContain("No findings, but the review is incomplete.");
    const markdown = await run(previewArgs("--markdown", "-"), preview([widened(id)]));
    expect(markdown.stdout).toContain("No findings, but the review is incomplete.");
    expect(warnings).toEqual([expect.stringMatching(/^The dynamic tests of account group 1001 could not be read: .*403/)]);
  });

  test("`review` falls back to the default page size if the service refuses a larger page size", async () => {
    const id = await make(paths.label, label);
    await control("faults", { operation: "agents.list", kind: "status", status: 400, n: 1 });
    const { stdout } = await run(previewArgs("--json"), preview([widened(id)]));
    expect(JSON.parse(stdout)).not.toHaveProperty("warnings");
    const { agents } = await call(emulator.url, "GET", "/v7/endpoint/agents?aid=1001&max=1000");
    const names = (agents as { platform: string; status: string }[]).filter(
      ({ platform, status }) => (platform === "windows" || platform === "mac") && status === "enabled",
    );
    expect(JSON.parse(stdout).data.resources[0].reach.after.count).toBe(names.length);
  });

  test("`review` warns if the service's search finds different agents than the review itself", async () => {
    const id = await make(paths.label, label);
    omit(emulator, "agents.list", ["platform"]);
    const { code, stdout } = await run(previewArgs("--json"), preview([widened(id)]));
    omit(emulator, "agents.list", []);
    expect(code).toBe(0);
    const { data, warnings } = JSON.parse(stdout);
    expect(data.resources[0].reach.after.count).toBe(0);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The service's search does not confirm which agents match the filters by platform in account group 1001: the service finds \d+ agents, such as "[^"]+", "[^"]+", "[^"]+", but this tool finds 0\. This review may show the wrong agents for "office"$/,
      ),
    ]);
  });

  test("`review` prints no secrets", async () => {
    const secret = "s3cret-horse";
    const id = await make(paths.httpServer, {
      testName: "Portal",
      url: `https://${secret}.example.com`,
      authType: "basic",
      username: "u",
      password: secret,
    });
    const before = { testName: "Portal", url: "[secret]", authType: "basic", username: "u", password: "[secret]" };
    const steps = [
      step("replace", "httpServerTest", "portal", { id, before, after: { ...before, interval: 300 }, reasons: ["password"] }),
    ];
    const outputs = await Promise.all([
      run(previewArgs(), preview(steps)),
      run(previewArgs("--json"), preview(steps)),
      run(previewArgs("--markdown", "-"), preview(steps)),
    ]);
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      expect(stdout).toContain("password");
      expect(stdout + stderr).not.toContain(secret);
    }
  });

  test("`review` hides known secrets in a preview that was created with --show-secrets", async () => {
    const before = {
      testName: "Portal",
      url: "https://a.example.com",
      authType: "basic",
      username: "u",
      password: "0ld-horse",
    };
    const marked = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: '"https://n3w.example.com"',
    };
    const steps = [
      step("replace", "httpServerTest", "portal", {
        id: "1",
        before,
        after: { ...before, password: "n3w-horse", url: marked },
      }),
    ];
    const { stdout } = await run(previewArgs("--json", "--offline"), preview(steps));
    expect(
      JSON.parse(stdout).data.resources[0].changes.map(({ property, secret }: { property: string; secret?: boolean }) => [
        property,
        secret,
      ]),
    ).toEqual([
      ["url", true],
      ["password", true],
    ]);
    expect(stdout).not.toMatch(/horse|n3w/);
  });
});

test("`review` needs only a token with read permission", async () => {
  await asNew();
  const id = await make(paths.label, label);
  await requests();
  const env = { ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" };
  const { code, stdout, stderr } = await run(previewArgs("--json"), { ...preview([widened(id)]), env });
  expect([code, stderr.includes("warning")]).toEqual([0, false]);
  expect(JSON.parse(stdout).data.resources[0].reach.after.count).toBeGreaterThan(0);
  const sent = Object.keys(await requests());
  expect(sent.length).toBeGreaterThan(2);
  expect(allOperations().filter((operation) => operation.writes && sent.includes(operation.id))).toEqual([]);
});
