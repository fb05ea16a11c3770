import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digest } from "../support/digest";
import { door, lines, report, until } from "./support/drift";
import { type Program, type Run, Stack } from "./support/stack";

const aToS = "/v7/endpoint/tests/scheduled-tests/agent-to-server";
const label = (name: string) => ({
  kind: "Label",
  args: { name, matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
});
const scheduled = (testName: string, args: object = {}, options: object = {}) => ({
  kind: "AgentToServerTest",
  args: { testName, server: "www.example.com", ...args },
  options,
});
const withSecrets = (testName: string, options: object = {}) => ({
  kind: "HttpServerTest",
  args: {
    testName,
    url: "https://www.example.com",
    authType: "basic",
    username: { $secret: "user" },
    password: { $secret: "password" },
  },
  options,
});
const byLabel = (name: string) => ({ agentSelectorType: "agent-labels", endpointAgentLabels: [{ $id: name }] });

describe("drift --fix with other changes to the program", () => {
  let stack: Stack;
  const before: Program = {
    office: label("Office"),
    branch: label("Branch"),
    vault: label("Vault"),
    yard: label("Yard"),
    "a*": label("A"),
    ab: label("AB"),
    inOffice: scheduled("In office", byLabel("office")),
    inBranch: scheduled("In branch", byLabel("branch")),
    inVault: scheduled("In vault", byLabel("vault"), { protect: true }),
    inYard: scheduled("In yard", byLabel("yard")),
    interval: scheduled("Interval"),
    machines: scheduled("Machines", {}, { protect: true }),
    both: scheduled("Both"),
    removed: scheduled("Removed"),
    other: scheduled("Other"),
    optioned: scheduled("Optioned"),
    replacedRun: scheduled("Run"),
    run: { kind: "TestRun", args: { testId: { $id: "replacedRun" } } },
    secret: withSecrets("Secret"),
    guarded: withSecrets("Guarded", { protect: true }),
  };
  const ids: Record<string, string> = {};
  let run: Run;

  beforeAll(async () => {
    stack = await Stack.startWith("native");
    await stack.secret("user", "s3cret-user");
    await stack.secret("password", "s3cret-password");
    stack.declare(before);
    await stack.up();
    for (const { name, id } of Object.values(stack.state())) ids[name] = id;
  });
  afterAll(() => stack.end());

  it("drift --fix lists the program's other changes as pending", async () => {
    const { removed: _removed, ...rest } = before;
    stack.declare({
      ...rest,
      added: scheduled("Added"),
      other: scheduled("Other", { interval: 300 }),
      optioned: scheduled("Optioned", {}, { retainOnDelete: true }),
      both: scheduled("Both", { port: 8443 }),
      inBranch: scheduled("In branch", { ...byLabel("branch"), server: "pending.example.com" }),
    });
    for (const name of ["office", "branch", "vault", "yard"]) await stack.api("DELETE", `/v7/endpoint/labels/${ids[name]}`);
    for (const name of ["interval", "both", "removed", "optioned"])
      await stack.api("PATCH", `${aToS}/${ids[name]}?aid=1001`, { interval: 900 });
    await stack.api("PATCH", `/v7/endpoint/labels/${ids["a*"]}`, { color: "#000000" });
    for (const name of ["machines", "replacedRun", "inYard"])
      await door(stack, "agent-to-server-tests", ids[name] ?? "", { maxMachines: 7 });
    for (const name of ["secret", "guarded"])
      await door(stack, "http-server-tests", ids[name] ?? "", { username: "other-s3cret", maxMachines: 3 });

    run = await stack.cli("drift", "--fix", "--json", "--markdown", "drift.md");
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 2 });
    const { fixed } = report(run);
    expect(fixed?.failures).toEqual([]);
    expect(
      fixed?.resources.map(({ name, how, properties }) => [name, how, properties.join(",")].join(" ").trim()).toSorted(),
    ).toEqual([
      "inOffice followed",
      "inYard replaced maxMachines",
      "interval changed interval",
      "office created again",
      "replacedRun replaced maxMachines",
      "run followed",
      "secret replaced maxMachines,username",
      "yard created again",
    ]);
    expect(Object.fromEntries(fixed?.left.map(({ name, reason }) => [name, reason]) ?? [])).toEqual({
      "a*": "its name contains *, which the engine treats as a pattern: run `pulumi up --refresh`",
      both: "the program also changes it (update): `pulumi up --refresh` does both",
      branch: "inBranch refers to it: the program also changes it (update): `pulumi up --refresh` does both",
      guarded: expect.stringMatching(/^it is protected, and a fix would replace it: /),
      machines: expect.stringMatching(
        /^it is protected, and a fix would replace it: `pulumi state unprotect 'urn:.*::machines'` allows/,
      ),
      optioned: "the program also changes it (options): `pulumi up --refresh` does both",
      removed: "the program no longer declares it: `pulumi up` deletes it",
      vault: expect.stringMatching(/^inVault refers to it: it is protected, and/),
    });
    expect(fixed?.pending.map(({ op, name }) => `${op} ${name}`).toSorted()).toEqual([
      "create added",
      "delete removed",
      "options optioned",
      "update both",
      "update inBranch",
      "update other",
    ]);
    expect(lines(report(run))).toEqual([
      "dev - branch",
      "dev - vault",
      "dev ~ a* color",
      "dev ~ both interval",
      "dev ~ guarded maxMachines,username",
      "dev ~ machines maxMachines",
      "dev ~ optioned interval",
      "dev ~ removed interval",
    ]);
  });

  it("the service has the fixed values but not the program's pending changes", async () => {
    const state = stack.state();
    const stored = (name: string) => stack.stored("agent-to-server-tests", state[name]?.id ?? "");
    expect(await stored("interval")).toMatchObject({ interval: 60 });
    expect(await stored("other")).toMatchObject({ interval: 60 });
    expect(await stored("both")).toMatchObject({ interval: 900, port: 443 });
    expect(await stored("inBranch")).toMatchObject({ server: "www.example.com", endpointAgentLabels: [ids["branch"]] });
    expect(await stored("inOffice")).toMatchObject({ endpointAgentLabels: [state["office"]?.id] });
    expect(await stored("inYard")).toMatchObject({ endpointAgentLabels: [state["yard"]?.id], maxMachines: 25 });
    expect(await stored("removed")).toMatchObject({ interval: 900 });
    for (const name of ["machines", "inVault", "both", "other", "ab"]) expect(state[name]?.id).toBe(ids[name]);
    for (const name of ["office", "inOffice", "yard", "inYard", "replacedRun", "run"])
      expect(state[name]?.id).not.toBe(ids[name]);
    expect(state["run"]?.id).toBe(state["replacedRun"]?.id);
  });

  it("drift --fix names each test that it replaces, before and after the update", () => {
    const now = stack.state();
    const deleted = new Set(["office", "branch", "vault", "yard"]);
    const renewed = Object.keys(ids).filter((name) => !deleted.has(name) && now[name] && now[name].id !== ids[name]);
    expect(renewed.length).toBeGreaterThan(3);
    const { replaced = [] } = report(run).fixed ?? {};
    expect(replaced.map(({ name }) => name).toSorted()).toEqual(renewed.toSorted());
    for (const { name, id } of replaced) expect([name, id]).toEqual([name, now[name]?.id]);
    // In the report's order: by type, with as many as the state has.
    const tests = renewed.filter((name) => before[name]?.kind === "AgentToServerTest");
    const cost = "each time, the test gets a new id and its result history is lost";
    const line = `${tests.length} agent-to-server tests (${tests.toSorted().join(", ")}): ${cost}`;
    const announced = run.stderr.slice(0, run.stderr.indexOf("Updating "));
    expect(announced).toContain(
      `Replaces ${tests.length} agent-to-server tests, 1 HTTP server test (secret) and 1 test run (run).`,
    );
    expect(announced).toContain("4 tests lose their result history.");
    const markdown = readFileSync(join(stack.folder, "drift.md"), "utf8");
    expect(markdown.replaceAll("`", "")).toContain(line);
  });

  it("the terminal report shows the same fixes as the JSON report", async () => {
    const { code, stdout } = await stack.cli("drift", "--fix");
    expect(code).toBe(2);
    expect(stdout).toContain("Not changed\n");
    expect(stdout).toMatch(
      /^ {2}agent-to-server test both of stack dev \(index\.js:\d+\): the program also changes it \(update\)/m,
    );
    expect(stdout).toContain("Other changes to the program: not applied (run `pulumi up`)");
    expect(stdout).toContain("  create added of stack dev");
    expect(stdout).toContain("! username: secret, changed");
    const guarded = report(run).stacks[0]?.changed.find(({ name }) => name === "guarded");
    expect(guarded?.properties.find(({ property }) => property === "username")).toEqual({
      property: "username",
      how: "changed",
      secret: true,
      replaces: true,
      owner: "program",
    });
    const markdown = readFileSync(join(stack.folder, "drift.md"), "utf8");
    expect(markdown).toContain("! username: secret, changed");
    for (const secret of ["s3cret-user", "s3cret-password", "other-s3cret"])
      for (const text of [stack.output, markdown]) expect(text).not.toContain(secret);
    expect(await stack.stored("http-server-tests", stack.state()["secret"]?.id ?? "")).toMatchObject({
      username: "s3cret-user",
      password: digest("s3cret-password"),
      maxMachines: 25,
    });
  });
});

describe("drift --fix that fails", () => {
  let stack: Stack;
  let ids: Record<string, string>;
  const program: Program = {
    good: scheduled("Good"),
    bad: scheduled("Bad"),
    gone: label("Gone"),
  };
  beforeAll(async () => {
    stack = await Stack.startWith("native");
    stack.declare(program);
    await stack.up();
    ids = Object.fromEntries(Object.values(stack.state()).map(({ name, id }) => [name, id]));
  });
  afterAll(() => stack.end());

  it("drift --fix reports partial failures and the remaining drift", async () => {
    for (const name of ["good", "bad"]) await stack.api("PATCH", `${aToS}/${ids[name]}?aid=1001`, { interval: 900 });
    await stack.api("DELETE", `/v7/endpoint/labels/${ids["gone"]}`);
    for (const operation of ["tests.agentToServer.update", "labels.create"])
      stack.emulator.fault({ operation, kind: "status", status: 403 });
    const run = await stack.cli("drift", "--fix", "--json");
    expect(run.code).toBe(1);
    const { fixed, stacks } = report(run);
    expect(fixed?.failures.join("\n")).toMatch(/(good|bad): .*403/);
    expect(fixed?.failures.join("\n")).toMatch(/gone: .*403/);
    for (const failure of fixed?.failures ?? []) expect(run.stderr).toContain(`error: ${failure}`);
    // One of the two tests failed, and the label was not created.
    expect(stacks[0]?.missing.map(({ name }) => name)).toEqual(["gone"]);
    expect(stacks[0]?.changed.map(({ properties }) => properties.map(({ property }) => property))).toEqual([["interval"]]);
    expect(fixed?.resources).toHaveLength(1);
    // For the engine, the remaining drift is a change of the program.
    expect(await stack.up()).toEqual({ create: 1, update: 1, same: 1 });
  });

  it("drift --fix waits for the engine after Ctrl+C and exits with code 130", async () => {
    await stack.api("PATCH", `${aToS}/${stack.state()["good"]?.id}?aid=1001`, { interval: 900 });
    stack.emulator.fault({ operation: "tests.agentToServer.update", kind: "latency", ms: 3_000 });
    await stack.requests();
    const started = stack.startCli("drift", "--fix", "--json");
    await until("an update", () => (stack.emulator.requests()["tests.agentToServer.update"] ?? 0) > 0);
    started.kill("SIGINT");
    const run = await started.ended;
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 130 });
    // The stack is not locked and can continue.
    await stack.up("--refresh");
    for (const name of ["good", "bad"])
      expect(await stack.stored("agent-to-server-tests", stack.state()[name]?.id ?? "")).toMatchObject({ interval: 60 });
    expect(await stack.ids("labels")).toEqual([stack.state()["gone"]?.id]);
  });
});

describe("drift of agents", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith("native", { transferDelayMs: 50, agents: 60 });
  });
  afterAll(() => stack.end());

  it("drift --fix reports and fixes changed and moved agents", async () => {
    const { agents } = (await (await stack.api("GET", "/v7/endpoint/agents?aid=1001")).json()) as { agents: { id: string }[] };
    const [changed = "", moved = "", wandered = "", free = ""] = agents.map(({ id }) => id);
    stack.declare({
      held: { kind: "EndpointAgent", args: { agentId: changed, agentName: "Held", enabled: true } },
      moved: { kind: "EndpointAgent", args: { agentId: moved, accountGroupId: "1001" } },
      transfer: { kind: "AgentTransfer", args: { transfers: [{ agentId: wandered, fromAid: "1001", toAid: "1002" }] } },
    });
    await stack.up();
    await stack.api("PATCH", `/v7/endpoint/agents/${changed}`, { name: "Renamed" });
    await stack.api("POST", `/v7/endpoint/agents/${changed}/disable`);
    await stack.api("PATCH", `/v7/endpoint/agents/${free}`, { name: "Nobody took hold of it" });
    await stack.api("POST", `/v7/endpoint/agents/${moved}/transfer?aid=1001`, { toAid: "1003" });
    await stack.api("POST", `/v7/endpoint/agents/${wandered}/transfer?aid=1002`, { toAid: "1003" });
    const arrived = async (id: string): Promise<boolean> =>
      fetch(`${stack.emulator.url}/v7/endpoint/agents/${id}?aid=1003`, {
        headers: { authorization: "Bearer emulator-token" },
      }).then(({ ok }) => ok);
    await until("both agents in 1003", async () => (await arrived(moved)) && (await arrived(wandered)));

    const run = await stack.cli("drift", "--json");
    expect(run.code).toBe(2);
    expect(lines(report(run))).toEqual([
      "dev ~ held agentName,enabled",
      "dev ~ moved accountGroupId",
      "dev ~ transfer transfers",
    ]);
    const transfer = report(run).stacks[0]?.changed.find(({ name }) => name === "transfer");
    expect(transfer?.properties[0]?.lost).toEqual([{ agentId: wandered, fromAid: "1001", toAid: "1002" }]);
    // No unmanaged records, only agents that registered themselves.
    expect(report(run).unmanaged).toEqual([]);
    const fixed = await stack.cli("drift", "--fix", "--json");
    expect(report(fixed).fixed?.resources.map(({ name, how }) => `${name} ${how}`)).toContain("held changed");
    expect(lines(report(fixed))).not.toContain("dev ~ held agentName,enabled");
    expect(lines(report(fixed))).not.toContain("dev ~ moved accountGroupId");
  });
});
