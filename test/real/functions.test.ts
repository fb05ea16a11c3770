import { amount } from "../support/amount";
import { fronts, Stack } from "./support/stack";

const program = (module: string): string => `
const pulumi = require("@pulumi/pulumi");
const sdk = require("${module}");
module.exports = async () => {
  const group = (await sdk.getAccountGroups()).find(({ accountGroupName }) => accountGroupName === "Headquarters");
  const office = new sdk.Label("office", { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] });
  const found = sdk.getLabelOutput({ id: office.id });
  const agents = sdk.getAgentsOutput({ accountGroupId: group.aid, limit: 2 });
  const gateway = new sdk.AgentToServerTest("gateway", {
    testName: pulumi.interpolate\`Gateway of \${found.name}\`,
    server: "127.0.0.1",
    agentSelectorType: "specific-agents",
    agents: agents.apply((all) => all.map(({ id }) => id)),
  });
  const connectionString = sdk.getConnectionStringOutput();
  new sdk.Label("secret", { name: connectionString, matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] });
  return {
    connectionString,
    filters: found.filters,
    byName: sdk.getLabelOutput({ name: office.name }).id,
    tests: sdk.getTestsOutput({ kind: "agent-to-server" }, { dependsOn: gateway }).apply((all) => all.map(({ testName }) => testName)),
    results: sdk.getNetworkResultsOutput({ test: gateway, window: "1h" }).apply((rows) => Array.isArray(rows)),
  };
};
`;

describe.each(fronts)("function calls in a program with %s resources", (front) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.startWith(front);
    stack.write(program(stack.module));
  });
  afterAll(() => stack.end());

  it("a preview shows unknown function results for resources that do not exist yet", async () => {
    const steps = await stack.preview();
    const inputs = Object.fromEntries(steps.map(({ name, newState }) => [name, newState?.inputs]));
    expect(steps.map(({ op, name }) => [op, name])).toEqual(
      expect.arrayContaining([
        ["create", "office"],
        ["create", "gateway"],
        ["create", "secret"],
      ]),
    );
    expect(inputs["gateway"]?.["testName"]).toBe("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
    // Previews also request values that depend on no resource.
    expect(inputs["gateway"]?.["agents"]).toEqual([expect.any(String), expect.any(String)]);
    for (const list of ["labels.list", "tests.agentToServer.list"]) expect(await stack.requests()).not.toHaveProperty([list]);
  });

  it("an update passes function results to resources and outputs", async () => {
    await stack.up();
    const { stdout } = await stack.must("stack", "output", "--json");
    expect(JSON.parse(stdout)).toEqual({
      connectionString: "[secret]",
      filters: [{ key: "platform", mode: "in", values: ["Mac"] }],
      byName: stack.state()["office"]?.id,
      tests: ["Gateway of Office"],
      results: true,
    });
    const { gateway } = stack.state();
    expect(await stack.stored("agent-to-server-tests", gateway?.id ?? "")).toMatchObject({ testName: "Gateway of Office" });
    expect(await stack.requests()).toHaveProperty(["results.scheduled.network.filter"], 1);
    expect(await stack.preview()).toEqual([]);
  });

  it("a secret function result stays secret in the state and in other resources", async () => {
    const answer = await stack.api("GET", "/v7/endpoint/agents/connection-string");
    const { connectionString } = (await answer.json()) as { connectionString: string };
    const { secret } = stack.state();
    expect(await stack.stored("labels", secret?.id ?? "")).toHaveProperty("name", connectionString);
    for (const side of [secret?.inputs, secret?.outputs]) expect(side?.["name"]).toHaveProperty("ciphertext");
    const { stdout } = await stack.must("stack", "output", "--json", "--show-secrets");
    expect(JSON.parse(stdout)).toHaveProperty("connectionString", connectionString);
    const shown = stack.output.replaceAll(stdout, "");
    for (const clear of [connectionString, "emulator-token"]) expect(shown).not.toContain(clear);
  });

  it.each<[string, string, string]>(
    [
      ["a look-up that nothing fits", `await sdk.getLabel({ name: "Ofice" })`, 'getLabel: no label has the name "Ofice"'],
      [
        "a look-up by a secret, which it does not show",
        `sdk.getLabelOutput({ name: require("@pulumi/pulumi").secret("Ofice") })`,
        'getLabel: no label has the name "[secret]"',
      ],
      ["a mistake", `sdk.getTestsOutput({ window: "1h" })`, "window: unknown argument"],
      ["an id that is not there", `await sdk.getAgent({ agentId: "nobody" })`, "/v7/endpoint/agents/nobody answered 404"],
    ]
      // Both fronts export the same functions, so each tests half of them.
      .filter((_, at) => amount(at % 2, fronts.indexOf(front)) === fronts.indexOf(front)) as [string, string, string][],
  )("a function reports %s in one line without a stack trace", async (_, call, message) => {
    stack.write(`const sdk = require("${stack.module}"); module.exports = async () => { ${call}; };`);
    const run = await stack.run("preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain(message);
    expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(run.text).not.toContain("unhandled exception");
  });
});
