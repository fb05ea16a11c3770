import * as pulumi from "@pulumi/pulumi";
import { settings } from "../../api";
import { Provider, type ProviderArgs } from "../../sdk";

let inputs: Record<string, unknown>;

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource(args) {
      inputs = args.inputs as Record<string, unknown>;
      return { id: args.name, state: args.inputs as object };
    },
    call: () => ({}),
  }),
);

/** Returns the settings that the engine receives for a provider in a stack, with secrets as the SDK marks them. */
async function settingsReceived(stack: Record<string, string>, args?: ProviderArgs): Promise<Record<string, unknown>> {
  const namespaced = Object.entries(stack).map(([name, value]) => [`endpoint-monitoring:${name}`, value]);
  pulumi.runtime.setAllConfig({ "aws:region": "eu-west-1", ...(Object.fromEntries(namespaced) as object) });
  const provider = new Provider("provider", args);
  await new Promise((resolve) => provider.urn.apply(resolve));
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name.replace(/^endpoint-monitoring:/, ""),
      isSecret(value) ? "(secret)" : value,
    ]),
  );
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value;
}

it("a provider inherits all settings of the stack", async () => {
  const stack = Object.fromEntries(Object.keys(settings).map((name) => [name, `${name} of the stack`]));
  const expected = Object.entries(settings).map(([name, setting]) => [
    name,
    "secret" in setting ? "(secret)" : `${name} of the stack`,
  ]);
  expect(await settingsReceived(stack)).toEqual(Object.fromEntries(expected));
});

it.each<[string, Record<string, string>, ProviderArgs, Record<string, unknown>]>([
  ["nothing", { baseUrl: "https://a" }, {}, { baseUrl: "https://a" }],
  ["a setting", { baseUrl: "https://a", timeout: "5" }, { timeout: 20 }, { baseUrl: "https://a", timeout: "20" }],
  [
    "an output",
    { baseUrl: "https://a" },
    { accountGroupId: pulumi.output("7") },
    { baseUrl: "https://a", accountGroupId: "7" },
  ],
  // A token takes precedence over client credentials.
  ["a token", { clientId: "c", token: "t" }, { token: "u" }, { clientId: "c", token: "(secret)" }],
  [
    "a client",
    { token: "t", tenantId: "x" },
    { clientId: "c", clientSecret: "s" },
    { clientId: "c", clientSecret: "(secret)", tenantId: "x", credentials: "client" },
  ],
  [
    "a secret of the stack's client",
    { clientId: "c", clientSecret: "s", token: "t" },
    { clientSecret: "r" },
    { clientId: "c", clientSecret: "(secret)", credentials: "client" },
  ],
])("a provider combines its own settings with the stack's settings: %s", async (_, stack, args, expected) => {
  expect(await settingsReceived(stack, args)).toEqual(expected);
});
