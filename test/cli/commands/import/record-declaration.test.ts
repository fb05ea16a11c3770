import fc from "fast-check";
import { afterImport } from "../../../../cli/commands/import/preview-after-import";
import { typeToken } from "../../../../sdk/token";
import {
  express,
  secretsAskedFor,
  type Expressed,
  type DefaultAccountGroup,
} from "../../../../cli/commands/import/record-declaration";
import { check, defaultsOf } from "../../../../provider/check";
import { compare } from "../../../../provider/compare";
import type { ReadResource } from "../../../../provider/handler";
import type { Kind } from "../../../../provider/kind";
import { records, registry, type RecordKindName } from "../../../../provider/registry";
import { inputsOf } from "../../../../provider/state";
import { type Properties, compact, sameValue } from "../../../../provider/values";
import { validInputs } from "../../../provider/arbitrary";
import { Bench, everyKind, withLabels } from "../../../provider/bench";
import { amount, seed } from "../../../support/amount";

const home: DefaultAccountGroup = { settled: undefined, accountGroupId: "1001" };

/** A record with these values, as a list returns it. */
function readResource(kind: Kind, values: Properties): ReadResource {
  const state = compact({ accountGroupId: "1001", ...values });
  return { id: "1", state, inputs: inputsOf(kind, state) };
}

const test1 = {
  testName: "Portal",
  url: "https://portal.example.com:443/health",
  agentSelectorType: "all-agents",
  maxMachines: 25,
  interval: 300,
};
const http = (values: Properties): ReadResource =>
  readResource(records.httpServerTest, { ...test1, unknownFields: ["password", "targetResponseTime"], ...values });

function expressed(kind: Kind, record: ReadResource, at = home, secrets: Properties = {}): Expressed {
  const result = express(kind, record, at, secrets);
  if ("failures" in result) throw new Error(JSON.stringify(result.failures));
  return result;
}

test("`import` omits default values", () => {
  const { declared, inputs, outputs, left } = expressed(records.httpServerTest, http({ ipVersion: "V6_ONLY" }));
  expect(declared).toEqual({
    testName: "Portal",
    url: "https://portal.example.com/health",
    interval: 300,
    ipVersion: "V6_ONLY",
  });
  expect(inputs).toEqual({ ...defaultsOf(records.httpServerTest), ...declared });
  expect(outputs).toMatchObject({ url: test1.url, unknownFields: ["password", "targetResponseTime"] });
  // Fields that the record lacks stay with the service, also in the state.
  expect(outputs["unmanagedFields"]).toEqual(["ipVersion", "accountGroupId", "hasPathTraceInSession"].slice(1));
  expect(left).toEqual([]);
});

test("`import` omits values that equal the service's defaults", () => {
  const { declared, outputs } = expressed(records.httpServerTest, http({ ipVersion: "V4_ONLY" }));
  expect(declared).not.toHaveProperty("ipVersion");
  expect(outputs).toMatchObject({ ipVersion: "V4_ONLY", unmanagedFields: expect.arrayContaining(["ipVersion"]) });
  expect(expressed(records.httpServerTest, http({ ipVersion: "OS_DEFAULT" })).declared).toMatchObject({
    ipVersion: "OS_DEFAULT",
  });
});

test.each<[RecordKindName, Properties]>([
  ["dynamicTest", { testName: "Calls", application: "new-app", agentSelectorType: "all-agents", maxMachines: 25 }],
  ["label", { name: "Docks", matchType: "or", filters: [{ key: "new-key", mode: "in", values: ["new-value"] }] }],
])("a preview shows no change after the import of a %s with an unknown enumeration value", (name, values) => {
  const { inputs, outputs } = expressed(records[name], readResource(records[name], values));
  const type = typeToken(records[name].name);
  const urn = `urn:pulumi:dev::test::${type}::x`;
  const entry = { type, name: "x", id: "1", inputs, outputs };
  expect(afterImport([{ op: "create", urn, newState: { urn, type, inputs } }], [entry])).toEqual([]);
});

test("`import` omits values that a program cannot declare", () => {
  const label = readResource(records.label, {
    name: "Office",
    color: "#D9D9D9",
    matchType: "or",
    filters: [
      { key: "ssid", mode: "in", values: ["corp"], addedLater: true },
      { key: "ssid", mode: "not-in", values: ["guest"] },
    ],
  });
  expect(expressed(records.label, label).declared).toEqual({
    name: "Office",
    matchType: "or",
    filters: [
      { key: "ssid", values: ["corp"] },
      { key: "ssid", mode: "not-in", values: ["guest"] },
    ],
  });
});

test("`import` declares an account group if the resource would otherwise use another account group", () => {
  const label = readResource(records.label, { name: "A", matchType: "or", filters: [] });
  const group = (kind: Kind, resource: ReadResource, at: DefaultAccountGroup): unknown =>
    expressed(kind, resource, at).declared["accountGroupId"];
  expect(group(records.label, label, home)).toBeUndefined();
  expect(group(records.label, label, { settled: undefined, accountGroupId: "1002" })).toBe("1001");
  expect(group(records.label, label, { settled: "1001", accountGroupId: "1001" })).toBeUndefined();
  // An agent can move to another account group, so a program without a group follows it.
  const agent = readResource(registry.endpointAgent, {
    agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1",
    agentName: "Kiosk",
    onDestroy: "forget",
  });
  expect(group(registry.endpointAgent, agent, home)).toBe("1001");
  expect(group(registry.endpointAgent, agent, { settled: "1001", accountGroupId: "1001" })).toBe("1001");
  expect(expressed(registry.endpointAgent, agent).declared).toEqual({
    agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1",
    agentName: "Kiosk",
    accountGroupId: "1001",
  });
});

test("`import` reports the path of a value that no declaration accepts", () => {
  const result = express(records.httpServerTest, http({ protocol: "carrier-pigeon", interval: 61 }), home);
  expect(result).toEqual({
    failures: [
      { path: "interval", reason: expect.stringContaining("must be one of 60, 120") as unknown },
      { path: "protocol", reason: expect.stringContaining("must be one of icmp") as unknown },
    ],
  });
  expect(JSON.stringify(result)).not.toMatch(/pigeon|61/);
  const unnamed = express(records.label, readResource(records.label, { matchType: "or", filters: [] }), home);
  expect(unnamed).toEqual({ failures: [{ path: "name", reason: "is required" }] });
});

test("`import` omits the value of an optional property if no declaration accepts the value", () => {
  const { declared, outputs, left } = expressed(records.httpServerTest, http({ ipVersion: "V9_PREFER" }));
  expect(declared["ipVersion"]).toBeUndefined();
  expect(left).toEqual([{ path: "ipVersion", reason: expect.stringContaining("must be one of V4_ONLY") as unknown }]);
  expect(outputs).toMatchObject({
    ipVersion: "V9_PREFER",
    unmanagedFields: ["ipVersion", "accountGroupId", "hasPathTraceInSession"],
  });
});

test("`import` reports a record that differs from the declaration it generated", () => {
  const odd: Kind = {
    ...records.label,
    properties: { ...records.label.properties, color: { ...records.label.properties.color, same: () => false } },
  };
  const label = readResource(odd, { name: "A", color: "#00ff00", matchType: "or", filters: [] });
  expect(express(odd, label, home)).toEqual({
    failures: [{ path: "color", reason: "has a value that no declaration can produce" }],
  });
});

test("`import` requires a password if the record may have a password", () => {
  const asked = (values: Properties): string[] => secretsAskedFor(records.httpServerTest, http(values), home);
  expect(asked({ authType: "basic", username: "probe" })).toEqual(["password"]);
  expect(asked({ authType: "ntlm", username: "probe" })).toEqual(["password"]);
  expect(asked({ authType: "none" })).toEqual([]);
  expect(asked({})).toEqual([]);
  // The record cannot be declared, because its user is missing.
  expect(asked({ authType: "basic" })).toEqual([]);
  expect(
    secretsAskedFor(records.label, readResource(records.label, { name: "A", matchType: "or", filters: [] }), home),
  ).toEqual([]);
});

test("`import` treats a password as unknown if the secrets file does not contain it", () => {
  const record = http({ authType: "basic", username: "probe" });
  const without = expressed(records.httpServerTest, record);
  expect([without.inputs["password"], without.outputs["password"]]).toEqual([undefined, undefined]);
  expect(without.outputs["unknownFields"]).toEqual(["password", "targetResponseTime"]);
  const expression = expressed(records.httpServerTest, record, home, { password: "s3cret" });
  expect([expression.inputs["password"], expression.outputs["password"]]).toEqual(["s3cret", "s3cret"]);
  expect(expression.outputs["unknownFields"]).toEqual(["targetResponseTime"]);
});

describe.each(everyKind)("`import` of a %s with any valid input", (name: RecordKindName) => {
  let bench: Bench;
  beforeAll(async () => void (bench = await Bench.start()));
  afterAll(() => bench.end());

  test("the declaration that `import` generates equals the declaration that created the record", async () => {
    const labels = Object.values((await withLabels(bench))({ a: { $id: "label-a" }, b: { $id: "label-b" } })) as string[];
    const kind: Kind = records[name];
    await fc.assert(
      fc.asyncProperty(validInputs(name, labels), async (declared) => {
        const made = await bench.create(name, declared);
        bench.newSession();
        const listed = (await bench.life(name).list("1001"))?.find(({ id }) => id === made.id);
        expect(listed).toBeDefined();
        if (!listed) return;
        const secrets = compact({ password: declared["password"] });
        const result = expressed(kind, listed, home, secrets);
        // The service's view of both programs is the same.
        const known = {
          ...result.inputs,
          ...Object.fromEntries(kind.writeOnly.map((property) => [property, made.inputs[property]])),
        };
        expect(compare(kind, made.state, compact(known))).toEqual([]);
        const { inputs, failures } = check(kind, result.declared);
        expect({ inputs, failures }).toEqual({ inputs: result.inputs, failures: [] });
        expect(compare(kind, result.outputs, check(kind, result.declared).inputs)).toEqual([]);
        const usual = Object.entries(defaultsOf(kind)).filter(([property, value]) =>
          sameValue(result.declared[property], value),
        );
        expect(usual).toEqual([]);
        await bench.life(name).delete(made.id, made.state);
      }),
      { numRuns: amount(8, 60), seed: seed(1) },
    );
  });
});
