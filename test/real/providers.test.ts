import { Stack } from "./support/stack";

let stack: Stack;
let groups: string[];

beforeAll(async () => {
  stack = await Stack.start();
  const answer = await stack.api("GET", "/v7/account-groups");
  const { accountGroups } = (await answer.json()) as { accountGroups: { aid: string; isCurrentAccountGroup: boolean }[] };
  groups = accountGroups.filter((group) => !group.isCurrentAccountGroup).map(({ aid }) => aid);
  // Neither the stack's token nor a valid one.
  stack.environment["ENDPOINT_MONITORING_TOKEN"] = "not-a-token";
});
afterAll(() => stack.end());

const program = (group: string): string => `
const pulumi = require("@pulumi/pulumi");
const { Label, Provider } = require("pulumi-endpoint-monitoring");
const label = (name, opts) =>
  new Label(name, { name, matchType: "or", filters: [{ key: "local-network", values: ["10.20.0.0/16"] }] }, opts);

class Site extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("acme:monitoring:Site", name, {}, opts);
    label(name, { parent: this });
  }
}

// The address and the token of the stack.
const group = new Provider("group", { accountGroupId: pulumi.output("${group}") });
// The address of the stack, and neither its token nor the environment's.
const client = new Provider("client", { clientId: "emulator", clientSecret: "emulator-secret", timeout: 20 });
label("of-stack");
label("of-group", { provider: group });
label("of-client", { provider: client });
new Site("of-site", { providers: [group] });
`;

test("an explicit provider inherits omitted settings from the stack", async () => {
  stack.write(program(groups[0] ?? ""));
  await stack.requests();
  expect(await stack.up()).toMatchObject({ create: 8 });
  const state = stack.state();
  const stackGroup = state["of-stack"]?.outputs["accountGroupId"];
  expect(groups).not.toContain(stackGroup);
  expect(state["of-group"]?.outputs["accountGroupId"]).toBe(groups[0]);
  expect(state["of-site"]?.outputs["accountGroupId"]).toBe(groups[0]);
  expect(state["of-client"]?.outputs["accountGroupId"]).toBe(stackGroup);
  expect(await stack.requests()).toMatchObject({ "labels.create": 4, "token.issue": 1 });
});

test("Pulumi stores a provider's settings under their full names and encrypts the secret settings", async () => {
  const { stdout } = await stack.must("stack", "export");
  const { deployment } = JSON.parse(stdout) as {
    deployment: { resources: { urn: string; inputs: Record<string, unknown> }[] };
  };
  const [group, client] = ["group", "client"].map(
    (name) => deployment.resources.find(({ urn }) => urn.endsWith(`pulumi:providers:pulumi-nodejs::${name}`))?.inputs,
  );
  expect(group).toEqual({
    "endpoint-monitoring:baseUrl": stack.emulator.url,
    "endpoint-monitoring:token": expect.objectContaining({ ciphertext: expect.any(String) }),
    "endpoint-monitoring:accountGroupId": groups[0],
  });
  expect(client).toMatchObject({
    "endpoint-monitoring:clientSecret": { ciphertext: expect.any(String) },
    "endpoint-monitoring:timeout": "20",
  });
  expect(client).not.toHaveProperty(["endpoint-monitoring:token"]);
  expect(stdout).not.toMatch(/emulator-(token|secret)/);
});

test("a provider with a new account group replaces only its own resources", async () => {
  stack.write(program(groups[1] ?? ""));
  const steps = await stack.preview();
  expect(new Set(steps.map(({ name }) => name))).toEqual(new Set(["group", "of-group", "of-site"]));
  expect(steps.filter(({ name }) => name === "group").map(({ op }) => op)).toEqual(["update"]);
  expect(steps.filter(({ op }) => op === "replace").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["of-group", "of-site"]),
  );
  expect(await stack.destroy()).toMatchObject({ delete: 8 });
  expect(await stack.ids("labels")).toEqual([]);
});
