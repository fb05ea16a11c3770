import fc from "fast-check";
import { z } from "zod";
import type { Kind } from "../../provider/kind";
import type { RecordKindName } from "../../provider/registry";
import { records } from "../../provider/registry";

type Values = Record<string, unknown>;

/** Values that a schema takes. Strings get what a name may hold: any text that is not empty. */
function fromSchema(schema: unknown): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
    return fc.option(fromSchema(schema.unwrap()), { nil: undefined });
  }
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber)
    return fc.integer({ min: schema.minValue ?? 0, max: Math.min(schema.maxValue ?? 100_000, 1_000_000) });
  if (schema instanceof z.ZodString) return text(Math.min(schema.maxLength ?? 80, 80));
  if (schema instanceof z.ZodArray) return fc.array(fromSchema(schema.element), { minLength: 1, maxLength: 4 });
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(([name, member]) => [name, fromSchema(member)] as const);
    return fc.record(Object.fromEntries(members));
  }
  throw new Error(`no arbitrary for ${String(schema)}`);
}

const text = (maxLength: number) =>
  fc.string({ minLength: 1, maxLength, unit: "grapheme" }).filter((s) => s.length <= maxLength);

const octet = fc.nat(255).map(String);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join("."));
const address = fc.oneof(ipv4, fc.ipV6());
const network = fc.oneof(
  address,
  fc.tuple(ipv4, fc.nat(32)).map((parts) => parts.join("/")),
  fc.tuple(fc.ipV6(), fc.nat(128)).map((parts) => parts.join("/")),
);
const pattern = text(20);
const filterValues: Record<string, fc.Arbitrary<string>> = {
  "agent-id": fc.uuid(),
  "public-network": network,
  "local-network": network,
  connection: fc.constantFrom("Ethernet", "Wireless"),
  gateway: address,
  platform: fc.constantFrom("Mac", "Windows", "Linux", "windows"),
  "agent-type": fc.constantFrom("endpoint", "endpoint-pulse", "endpoint-csc"),
  "vpn-vendor": fc.constantFrom("cisco-anyconnect", "f5-big-ip"),
  "vpn-gateway-address": address,
  "vpn-client-network": network,
  "vpn-client-address": address,
  "ip-address-family": fc.constantFrom("ipv4", "ipv6"),
  ssid: pattern,
  bssid: fc.constantFrom("00:1b:44:11:3a:b7", "aa:bb:cc:dd:ee:ff"),
  hostname: pattern,
  username: pattern,
  asn: fc.nat().map(String),
};
const filter = fc.constantFrom(...Object.keys(filterValues)).chain((key) =>
  fc.record({
    key: fc.constant(key),
    mode: fc.constantFrom("in", "not-in", undefined),
    values: fc.array(filterValues[key] ?? pattern, { minLength: 1, maxLength: 4 }),
  }),
);

const selection = (labels: readonly string[]): fc.Arbitrary<Values> =>
  fc.oneof(
    fc.constant({ agentSelectorType: undefined }),
    fc.constant({ agentSelectorType: "all-agents" }),
    fc.record({
      agentSelectorType: fc.constant("specific-agents"),
      agents: fc.array(fc.uuid(), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ agentSelectorType: fc.constant("agent-tags"), tagIds: fc.array(fc.uuid(), { minLength: 1, maxLength: 4 }) }),
    fc.record({
      agentSelectorType: fc.constant("agent-labels"),
      endpointAgentLabels: fc.subarray([...labels], { minLength: 1 }),
    }),
  );

const host = fc.oneof(
  fc.domain(),
  fc.domain().map((d) => d.toUpperCase()),
  ipv4,
);
const path = fc.constantFrom("", "/", "/health", "/a/b?c=d&e=%20f", "/Ünïcode");
const url = fc
  .tuple(fc.constantFrom("https://", "http://", "HTTPS://", ""), host, fc.constantFrom("", ":443", ":80", ":8443"), path)
  .map((parts) => parts.join(""));
const authentication = fc.oneof(
  fc.constant({ authType: undefined, username: undefined, password: undefined }),
  fc.record({
    authType: fc.constantFrom("basic", "ntlm"),
    username: text(20),
    password: fc.option(text(20), { nil: undefined }),
  }),
);

/** What cannot be read off the schema: lists that go with a selector, syntax of values, properties that go together. */
const particular: Record<RecordKindName, (labels: readonly string[]) => fc.Arbitrary<Values>> = {
  label: () =>
    fc.record({
      color: fc.option(fc.constantFrom("#d9d9d9", "#D9D9D9", "#00FF00"), { nil: undefined }),
      filters: fc.array(filter, { maxLength: 4 }),
    }),
  agentToServerTest: (labels) => merged(selection(labels), fc.record({ server: fc.oneof(host, fc.ipV6()) })),
  httpServerTest: (labels) => merged(selection(labels), fc.record({ url }), authentication),
  dynamicTest: (labels) => selection(labels),
};

/** Values that a schema takes, without some that no request may ask for. */
const others = (schema: unknown, values: readonly string[] = []) =>
  fromSchema(schema).filter((value) => !values.some((one) => one === value));

function merged(...parts: fc.Arbitrary<Values>[]): fc.Arbitrary<Values> {
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as Values);
}

/** Valid inputs of a kind. `labels` are ids of labels that exist. */
export function validInputs(name: RecordKindName, labels: readonly string[]): fc.Arbitrary<Values> {
  const {
    agents: _a,
    endpointAgentLabels: _e,
    tagIds: _t,
    adopt: _o,
    color: _c,
    ...shape
  } = records[name].schema.shape as Values;
  const account = fc.constantFrom(undefined, "1001");
  return merged(
    fromSchema(z.object(shape as z.core.$ZodShape)) as fc.Arbitrary<Values>,
    fc.record({ accountGroupId: account }),
    fc.record(
      Object.fromEntries(reportedOnly(records[name]).map(([property, values]) => [property, others(shape[property], values)])),
    ),
    particular[name](labels),
  );
}

/** The properties of a kind that have values which the service reports and no request takes, with those values. */
export function reportedOnly({ properties }: Kind): [string, readonly string[]][] {
  return Object.entries(properties).flatMap(([name, { reportedOnly: values }]) => (values ? [[name, values]] : []));
}
