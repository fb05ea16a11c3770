import { frontsWithinTime, type Run, Stack } from "./support/stack";

interface Agent {
  id: string;
  name: string;
  licenseType: string;
}

/** Runs an update that must fail with a message and without a stack trace. */
async function fails(stack: Stack): Promise<string> {
  const run = await stack.run("up", "--yes", "--skip-preview");
  expect(run.code).not.toBe(0);
  expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return run.text;
}

async function fleetOf(stack: Stack): Promise<Agent[]> {
  return ((await (await stack.api("GET", "/v7/endpoint/agents?aid=1001")).json()) as { agents: Agent[] }).agents.slice(1);
}

describe.each(frontsWithinTime)("invalid declarations of %s resources", (front) => {
  let stack: Stack;
  let agents: Agent[];
  beforeAll(async () => {
    stack = await Stack.startWith(front, { licenses: { embedded: 0 }, transferDelayMs: 50 });
    agents = await fleetOf(stack);
    for (const { id } of agents.slice(0, 2)) await stack.api("PATCH", `/v7/endpoint/agents/${id}?aid=1001`, { name: "Twin" });
  });
  afterAll(() => stack.end());

  const others = (): string[] => agents.slice(2).flatMap(({ id, licenseType }) => (licenseType === "embedded" ? [] : [id]));
  describe("errors about an agent", () => {
    let run: Run;
    beforeAll(async () => {
      const [abroad = "", seatless = ""] = others();
      const bad: Record<string, object> = {
        unknown: { agentId: "00000000-0000-4000-8000-000000000000" },
        ambiguous: { lookup: { agentName: "Twin" } },
        foreign: { agentId: abroad, accountGroupId: "9999" },
        unlicensed: { agentId: seatless, licenseType: "embedded" },
      };
      stack.declare(Object.fromEntries(Object.entries(bad).map(([name, args]) => [name, { kind: "EndpointAgent", args }])));
      run = await stack.run("up", "--yes", "--skip-preview", "--continue-on-error");
    });
    /**
     * Returns the errors of one resource. The engine's SDK also prints a stack trace for each resource if the update
     * continues.
     */
    const toldOf = (name: string): string =>
      run.text
        .slice(run.text.indexOf("Diagnostics:"))
        .split("\n\n")
        .filter((section) => section.includes(`EndpointAgent (${name}`))
        .join("\n");

    it.each<[string, string, RegExp]>([
      [
        "an unknown agent",
        "unknown",
        /There is no agent 00000000-0000-4000-8000-000000000000 in any account group that the token can access/,
      ],
      [
        "a look-up with two matches",
        "ambiguous",
        /2 agents match the lookup by agentName: .+ Set agentId to the id of one agent/,
      ],
      ["a foreign account group", "foreign", /answered 403/],
      ["a license without seats", "unlicensed", /answered 4\d\d: .*licen[cs]e/i],
    ])("a failed update reports the mistake in one clear error: %s", (_title, name, message) => {
      expect(run.code).not.toBe(0);
      expect(toldOf(name)).toMatch(message);
      expect(toldOf(name)).not.toMatch(/^\s+at .*:\d+:\d+/m);
      expect(Object.keys(stack.state())).toEqual([]);
    });
  });

  it("a failed update reports a missing permission for instant tests", async () => {
    await stack.secret("endpoint-monitoring:token", "emulator-read-only-token");
    stack.declare({ bad: { kind: "AgentToServerInstantTest", args: { testName: "T", server: "127.0.0.1" } } });
    expect(await fails(stack)).toMatch(/answered 403: .*permission/);
    expect(Object.keys(stack.state())).toEqual([]);
  });
});

describe.each(frontsWithinTime)("instant tests with %s resources", (front) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith(front);
  });
  afterAll(() => stack.end());

  it("an instant test runs again only for new triggers", async () => {
    await stack.secret("password", "instant-s3cret");
    const declared = (triggers: string[]) =>
      stack.declare({
        path: { kind: "AgentToServerInstantTest", args: { testName: "P", server: "127.0.0.1", triggers } },
        page: {
          kind: "HttpServerInstantTest",
          args: {
            testName: "H",
            url: "http://127.0.0.1:9/",
            authType: "basic",
            username: "u",
            password: { $secret: "password" },
            triggers,
          },
        },
        scheduled: { kind: "HttpServerTest", args: { testName: "S", url: "http://127.0.0.1:9/" } },
        run: { kind: "TestRun", args: { testId: { $id: "scheduled" }, triggers } },
      });
    declared(["1"]);
    await stack.up();
    const first = stack.state();
    await stack.requests();
    expect(await stack.up()).toEqual({ same: 4 });
    expect(await stack.refresh()).toMatchObject({ same: 4 });
    expect(Object.keys(await stack.requests()).filter((name) => /instant|run/.test(name))).toEqual([]);
    declared(["2"]);
    const steps = await stack.preview();
    for (const name of ["path", "page", "run"]) {
      expect(steps).toContainEqual(expect.objectContaining({ op: "replace", name, replaceReasons: ["triggers"] }));
    }
    await stack.up();
    const second = stack.state();
    expect(second["path"]?.id).not.toBe(first["path"]?.id);
    expect(second["page"]?.inputs["password"]).toHaveProperty("ciphertext");
    expect(second["page"]?.outputs["password"]).toHaveProperty("ciphertext");
    expect(await stack.requests()).toMatchObject({
      "tests.agentToServer.instant": 1,
      "tests.httpServer.instant": 1,
      "tests.run": 1,
    });
    await stack.destroy();
    expect(stack.output).not.toContain("instant-s3cret");
  });
});
