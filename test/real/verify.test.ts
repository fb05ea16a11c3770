import { createServer, type RequestListener, type Server } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeServer, portOf } from "../emulator/loopback";
import { freePort } from "../support/port";
import { frontsWithinTime, type Program, type Run, Stack } from "./support/stack";

interface Told {
  name: string;
  testId?: string;
  outcome: string;
  reasons: string[];
  cause?: string;
  agents: number;
  measurements: { agentId: string; available: boolean; responseCode?: number }[];
}
interface Data {
  stack: string;
  counts: Record<string, number>;
  tests: Told[];
}

const servers: Server[] = [];
async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  return portOf(server);
}
afterAll(() => Promise.all(servers.map(closeServer)));

const dataOf = ({ stdout }: Run): Data => (JSON.parse(stdout) as { data: Data }).data;
const outcomes = (run: Run): Record<string, string> =>
  Object.fromEntries(dataOf(run).tests.map(({ name, outcome }) => [name, outcome]));

describe.each(frontsWithinTime)("verify with %s resources", (front) => {
  let stack: Stack;
  let program: Program;
  /** Slow enough to differ from the others on a busy machine. */
  const slowMs = 3_500;
  const verify = (...args: string[]): Promise<Run> => stack.cli("verify", "--json", "--wait-for-more", "0", ...args);
  /** Updates the stack with other arguments of some resources. */
  const change = async (changes: Record<string, object>): Promise<void> => {
    for (const [name, args] of Object.entries(changes)) {
      const { kind = "", args: former, ...rest } = program[name] ?? {};
      program = { ...program, [name]: { kind, args: { ...former, ...args }, ...rest } };
    }
    stack.declare(program);
    await stack.up();
  };

  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 3 });
    const good = await serve((_request, response) => response.end("ok"));
    const failing = await serve((_request, response) => response.writeHead(500).end());
    const slow = await serve((_request, response) => setTimeout(() => response.end("ok"), slowMs));
    const down = await freePort();
    const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: "linux" }] };
    const http = (port: number, args: object = {}) => ({
      kind: "HttpServerTest",
      args: { testName: `Test of ${port}`, url: `http://127.0.0.1:${port}/`, interval: 3600, ...args },
    });
    program = {
      linux: { kind: "Label", args: { name: "Linux", matchType: "or", filters: [{ key: "platform", values: ["Linux"] }] } },
      "answers-on-label": http(good, byLabel),
      answers: {
        kind: "AgentToServerTest",
        args: { testName: "Answers", server: "127.0.0.1", port: good, interval: 3600 },
      },
      "http-only": http(good, { networkMeasurements: false }),
      fails: http(failing),
      slow: http(slow),
      down: http(down),
      disabled: http(good, { isEnabled: false }),
      meetings: { kind: "DynamicTest", args: { testName: "Meetings", application: "webex" } },
    };
    stack.declare(program);
  });
  afterAll(() => stack.end());

  it("verify reports that the stack has not been updated yet", async () => {
    const before = await verify();
    expect([before.code, dataOf(before).tests]).toEqual([0, []]);
    expect((await stack.cli("verify")).stdout).toBe(
      "Nothing to verify: stack dev has no update yet. Use --all to run all of its tests.\n",
    );
  });

  it("verify evaluates each test by the test's own measurements", async () => {
    await stack.up();
    await stack.requests();
    const run = await verify("--max-response-time", "3000", "--markdown", "report.md");
    expect(run.code).toBe(2);
    expect(outcomes(run)).toEqual({
      "answers-on-label": "passed",
      answers: "passed",
      "http-only": "passed",
      fails: "failed",
      slow: "failed",
      down: "failed",
      disabled: "skipped",
      meetings: "skipped",
    });
    const { tests, counts } = dataOf(run);
    expect(counts).toEqual({ passed: 3, failed: 3, skipped: 2 });
    const reasons = Object.fromEntries(tests.map((test) => [test.name, test.reasons]));
    expect(reasons).toMatchObject({
      fails: ["availability 0 %, under 100 %"],
      slow: ["response time over 3000 ms on 1 of 1 agents"],
      down: ["availability 0 %, under 100 %"],
      disabled: ["it is disabled (isEnabled is false)"],
      meetings: ["dynamic tests follow the sessions of users, and cannot be run at will"],
    });
    expect(tests.find(({ name }) => name === "fails")?.measurements).toMatchObject([{ available: false, responseCode: 500 }]);
    // Each test runs once, and reads of tests and results are shared.
    const requests = await stack.requests();
    expect(requests).toMatchObject({ "tests.run": 6, "tests.agentToServer.list": 1, "tests.httpServer.list": 1 });
    const { "tests.run": runs = 0, ...others } = requests;
    expect(runs).toBe(6);
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20);
    expect(run.stderr).toContain("6 of 6 done");

    const markdown = readFileSync(join(stack.folder, "report.md"), "utf8");
    expect(markdown).toContain("## ❌ Tests of stack `dev`: 3 failed, 3 passed, 2 skipped");
    expect(markdown).toMatch(/\| ✗ \| `fails` \| 1 \| .* \| failed: availability 0 %, under 100 % \|/);
    expect(markdown).toMatch(/status 500, failed in http/);
  });

  it("`verify` repeats a failed test until the test passes or is deleted", async () => {
    expect(await stack.up()).toEqual({ same: 9 });
    const again = await verify();
    expect([again.code, outcomes(again)]).toEqual([2, { fails: "failed", slow: "passed", down: "failed" }]);
    expect(dataOf(again).tests[0]?.cause).toBe("it has not passed since an earlier verification");
    const { fails: _fails, ...withoutFails } = program;
    program = withoutFails;
    await change({ down: { isEnabled: false } });
    const open = await verify();
    expect([open.code, outcomes(open)]).toEqual([3, { down: "no-verdict" }]);
    expect(dataOf(open).tests[0]?.reasons).toEqual(["it was not measured: it is disabled (isEnabled is false)"]);
    const required = await verify("--require-tests");
    expect([required.code, JSON.parse(required.stdout)]).toMatchObject([
      3,
      { warnings: ["No verdict: --require-tests requires a measured test, but there is none."] },
    ]);
  });

  it("verify runs no tests after an update that only deletes the failed test", async () => {
    const { down: _down, ...rest } = program;
    program = rest;
    // Another spelling of the same URL, and protection: neither changes the record.
    const { kind = "", args } = program["answers-on-label"] ?? {};
    const url = (args as { url: string }).url.replace(/\/$/, "");
    program = { ...program, "answers-on-label": { kind, args: { ...args, url }, options: { protect: true } } };
    stack.declare(program);
    expect(await stack.up()).toEqual({ delete: 1, same: 7 });
    await stack.requests();
    const run = await verify("--require-tests");
    expect([run.code, dataOf(run).tests]).toEqual([0, []]);
    expect((await stack.cli("verify")).stdout).toMatch(
      /^Nothing to verify: the update of stack dev at .+ UTC changed no test, and no earlier failure remains\.$/m,
    );
    expect(await stack.requests()).toEqual({});
  });

  describe("verify after an update of two tests and a label", () => {
    let run: Run;
    let sent: Record<string, number>;
    let formerId: string | undefined;
    beforeAll(async () => {
      formerId = stack.state()["http-only"]?.id;
      await change({ answers: { interval: 1800 }, "http-only": { httpTimeLimit: 4000 }, linux: { name: "Linux, all of it" } });
      await stack.requests();
      run = await verify();
      sent = await stack.requests();
    });

    it("verify runs exactly the changed tests and the tests that use the label", () => {
      expect([run.code, outcomes(run)]).toEqual([
        0,
        { answers: "passed", "answers-on-label": "passed", "http-only": "passed" },
      ]);
      expect(sent["tests.run"]).toBe(3);
      const { testId } = dataOf(run).tests.find(({ name }) => name === "http-only") ?? {};
      expect([testId, testId === formerId]).toEqual([stack.state()["http-only"]?.id, false]);
      expect(dataOf(run).tests.map(({ name, cause }) => [name, cause])).toEqual(
        expect.arrayContaining([
          ["answers", undefined],
          ["answers-on-label", "label linux changed"],
          ["http-only", undefined],
        ]),
      );
    });

    it("verify prints the report in Markdown to standard output", async () => {
      const { stdout } = await stack.cli("verify", "--wait-for-more", "0", "--markdown", "-");
      expect(stdout).toMatch(/^## ✅ Tests of stack `dev`: 3 passed\n[^]* passed \(label linux changed\) \|\n/);
    });
  });

  it("verify evaluates the tests that a failed update changed", async () => {
    const broken = { agentSelectorType: "agent-labels", endpointAgentLabels: ["77"] };
    stack.declare({
      ...program,
      "http-only": { kind: "HttpServerTest", args: { ...program["http-only"]?.args, interval: 600 } },
      refused: {
        kind: "AgentToServerTest",
        args: { testName: "Refused", server: "127.0.0.1", ...broken },
      },
    });
    const failed = await stack.run("up", "--yes", "--skip-preview", "--continue-on-error");
    expect(failed.code).not.toBe(0);
    const run = await verify();
    expect([run.code, outcomes(run)]).toEqual([0, { "http-only": "passed" }]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      warnings: [expect.stringContaining("The last update of stack dev failed")],
    });
  });

  it("verify reports rejected credentials only once", async () => {
    await stack.secret("endpoint-monitoring:token", "emulator-read-only-token");
    const forbidden = await verify("--test", "answers");
    expect([forbidden.code, outcomes(forbidden)]).toEqual([1, { answers: "error" }]);
    expect(forbidden.stdout).toContain("answered 403");
    await stack.secret("endpoint-monitoring:token", "wrong-token");
    const refused = await verify("--all");
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "unauthorized" } });
    expect(refused.stderr.match(/answered 401/g)).toHaveLength(1);
    expect(refused.text).not.toContain("wrong-token");
    await stack.secret("endpoint-monitoring:token", "emulator-token");
  });

  it("verify evaluates tests that a refresh changed, but not imported tests", async () => {
    // The tests pass whose runs failed before, so they are no longer remembered.
    expect((await verify()).code).toBe(0);
    const { answers } = stack.state();
    const resource = { type: answers?.urn.split("::")[2], name: "imported", id: answers?.id };
    const file = JSON.stringify({ resources: [{ ...resource, inputs: answers?.inputs, outputs: answers?.outputs }] });
    writeFileSync(join(stack.folder, "import.json"), file);
    await stack.must("import", "--file", "import.json", "--generate-code=false", "--yes");
    await stack.api("PATCH", `/v7/endpoint/tests/scheduled-tests/agent-to-server/${answers?.id}`, { interval: 900 });
    await stack.refresh();
    const names = Object.keys(outcomes(await verify()));
    expect(names).toContain("answers");
    expect(names).not.toContain("imported");
  });
});
