import { fronts, frontsWithinTime, type Declared, Stack } from "./support/stack";

const httpTest = { kind: "HttpServerTest", args: { testName: "Portal", url: "https://www.example.com" } };

/** test/invariants/mistakes covers the other messages about mistakes of each resource type. */
/** Fails if a text has a stack trace. Pulumi's SDK prints its own if the engine ends before a log line arrives. */
function expectNoStack(text: string): void {
  const ours = text.replaceAll(/failed to deliver log message[^]*?message severity: \w+/g, "");
  expect(ours).not.toMatch(/^\s+at .*:\d+:\d+/m);
}

describe.each(fronts)("a user's mistake with %s resources", (front) => {
  let stack: Stack;
  const previewOf = async (resource: Declared): Promise<string> => {
    stack.declare({ bad: resource });
    const run = await stack.run("preview");
    expect(run.code).not.toBe(0);
    expectNoStack(run.text);
    return run.text;
  };

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    await stack.secret("password", "s3cret-value");
  });
  afterAll(() => stack.end());

  it("a preview reports all mistakes of a resource at once, without the resource's values", async () => {
    const text = await previewOf({
      kind: "HttpServerTest",
      args: {
        testName: 7,
        url: "ftp://example.com",
        protocol: "tpc",
        interval: 61,
        intervall: 60,
        agents: ["agent-number-one"],
        maxMachines: 0,
        sslVersionId: "9",
        password: { $secret: "password" },
      },
    });
    for (const line of [
      "testName must be a string, not a number",
      "url must be an http or https URL",
      "protocol must be one of icmp, icmp-with-tcp-connect, tcp, prefer-tcp, ast-autodetect, autodetect (did you mean tcp?)",
      "interval must be one of 60, 120, 300, 600, 900, 1800, 3600",
      "intervall is not a property (did you mean interval?)",
      "agents requires agentSelectorType specific-agents, not all-agents",
      "maxMachines must be at least 1",
      "sslVersionId must be one of 0, 3, 4, 5, 6, 7",
      "password needs username",
      "password requires authType basic or ntlm",
    ]) {
      expect(text).toContain(line);
    }
    for (const value of ["s3cret-value", "agent-number-one", "ftp://", "tpc"]) expect(text).not.toContain(value);
  });

  it("a preview names the property if an output contains an infinite number", async () => {
    stack.write(
      `const { output } = require("@pulumi/pulumi"); const { HttpServerTest } = require("${stack.module}");
new HttpServerTest("bad", { testName: "Portal", url: "https://www.example.com", maxMachines: output(Infinity) });`,
    );
    const run = await stack.run("preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain("maxMachines must be a finite number, not Infinity");
    expectNoStack(run.text);
  });
});

describe.each(frontsWithinTime)("failures of many %s resources", (front) => {
  let stack: Stack;
  const resources = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`portal-${i}`, { ...httpTest, args: { ...httpTest.args, testName: `Portal ${i}` } }]),
  );
  const fails = async (...args: string[]): Promise<string> => {
    const run = await stack.run(...args);
    expect(run.code).not.toBe(0);
    expectNoStack(run.text);
    expect(run.text).not.toContain("wrong-secret");
    return run.text;
  };
  /** Returns how often a text contains a part. The engine may print the error of a step twice. */
  const times = (text: string, part: string): number =>
    text
      .slice(text.indexOf("Diagnostics:"))
      .split("\n\n")
      .filter((section) => section.includes(part)).length;

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    stack.declare(resources);
  });
  afterAll(() => stack.end());

  it("a failed update explains a rejected token only once", async () => {
    await stack.secret("endpoint-monitoring:token", "wrong-secret");
    const text = await fails("up", "--yes", "--skip-preview");
    expect(times(text, "answered 401")).toBe(1);
    expect(times(text, "see the error of")).toBeGreaterThan(0);
    expect(text).toContain("Check endpoint-monitoring:token");
  });

  it("a failed update explains rejected client credentials only once", async () => {
    stack.configure({ token: null, clientId: "emulator" });
    await stack.secret("endpoint-monitoring:clientSecret", "wrong-secret");
    await stack.requests();
    const text = await fails("up", "--yes", "--skip-preview");
    expect(times(text, "answered 401")).toBe(1);
    expect(await stack.requests()).toEqual({ "token.issue": 1 });
  });

  it("the provider gets a token with client credentials in a form or a basic authorization header", async () => {
    await stack.secret("endpoint-monitoring:clientSecret", "emulator-secret");
    await stack.up();
    await stack.requests();
    stack.configure({ clientAuthentication: "basic" });
    // Without --run-program the engine refreshes with the settings of the last update.
    await stack.must("refresh", "--yes", "--skip-preview", "--run-program");
    expect(await stack.requests()).toEqual({ "token.issue": 1, "tests.httpServer.list": 1 });
  });

  it("a failed refresh explains an unavailable service only once", async () => {
    const baseUrl = "http://127.0.0.1:9";
    stack.configure({ baseUrl });
    const other = await fails("refresh", "--yes", "--skip-preview", "--run-program");
    expect(times(other, `but the settings use ${baseUrl}. No request was sent`)).toBe(1);
    stack.configure({ baseUrl, movedFrom: stack.emulator.url });
    const text = await fails("refresh", "--yes", "--skip-preview", "--run-program");
    expect(times(text, "the connection was refused")).toBe(1);
    expect(Object.keys(stack.state())).toHaveLength(6);
  });

  it("a preview rejects plain HTTP to a remote host", async () => {
    stack.configure({ baseUrl: "http://service.example.com" });
    const text = await fails("preview");
    expect(text).toContain("is plain HTTP to a host that is not this machine; use https");
    expect(times(text, "is plain HTTP")).toBe(1);
  });

  it("a preview reports all missing settings at once", async () => {
    stack.configure({ baseUrl: null, clientSecret: null });
    const text = await fails("preview");
    expect(text).toContain(
      "baseUrl (pulumi config set endpoint-monitoring:baseUrl, or ENDPOINT_MONITORING_BASE_URL) is missing",
    );
    expect(text).toContain("clientSecret (pulumi config set --secret endpoint-monitoring:clientSecret");
  });
});
