import { z } from "zod";
import { filterKeys, type FilterKey } from "../../../api";
import { records, type RecordKindName } from "../../../provider/registry";
import { isLong } from "../../support/amount";
import { kindCases, operationsOf, recordKinds } from "../../support/kinds";
import { pairwise, type Factor } from "./pairs";
import { isReportedOnly } from "../../../provider/reported-only";
import { door } from "./drift";
import type { Stack } from "./stack";

type Values = Record<string, unknown>;

/** Ids of a seeded service's records. */
export interface Fleet {
  labels: string[];
  /** Records of each other type. */
  others: Partial<Record<RecordKindName, string[]>>;
  agents: string[];
}

/** Record types of a fleet other than labels. */
export const otherKinds = recordKinds.filter((kind) => kind !== "label");

/** Names as users choose them: similar, in other scripts, reserved words, or without letters for an identifier. */
const names = [
  "Office",
  "office",
  "VPN gateway",
  "VPN-Gateway",
  "Zürich – Büro 3",
  "東京オフィス",
  "Офис",
  "10.20 floor",
  "class",
  "new",
  "😀",
  '"quoted" \\ and `ticked` ${x}',
  "it's",
  "a/b::c",
  "İstanbul",
  "  padded  ",
  "x".repeat(64),
  "config",
  "import",
  "await",
];

/** Returns a name for each record: those above, some of them twice, then numbered ones. */
function nameOf(i: number, what: string): string {
  return names[i % 40] ?? `${what} ${Math.floor(i / 40)}.${i % 40}`;
}

const filterValues: Record<FilterKey, string[]> = {
  "agent-id": ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"],
  "public-network": ["203.0.113.7", "198.51.100.0/24"],
  "local-network": ["10.0.0.0/8", "2001:db8::/32"],
  connection: ["Ethernet", "Wireless"],
  gateway: ["10.0.0.1", "fe80::1"],
  platform: ["Mac", "windows"],
  "agent-type": ["endpoint", "endpoint-pulse"],
  "vpn-vendor": ["cisco-anyconnect", "f5-big-ip"],
  "vpn-gateway-address": ["192.0.2.1", "192.0.2.2"],
  "vpn-client-network": ["172.16.0.0/12", "10.9.0.0/16"],
  "vpn-client-address": ["172.16.0.9", "10.9.0.9"],
  "ip-address-family": ["ipv4", "ipv6"],
  ssid: ["corp-*", "caf? \u202Eguest"],
  bssid: ["00:1b:44:11:3a:b7", "aa:bb:cc:dd:ee:ff"],
  hostname: ["office-*", "o'brien-?"],
  username: ["*", "DOMAIN\\user"],
  asn: ["64512", "0"],
};

/** Returns labels with each key, mode and number of filters, with and without optional properties. */
export function labelBodies(count: number): Values[] {
  const filter = (i: number): Values => {
    const key = filterKeys[i % filterKeys.length] ?? "ssid";
    const mode = [undefined, "in", "not-in"][i % 3];
    return { key, values: filterValues[key].slice(0, 1 + (i % 2)), ...(mode && { mode }) };
  };
  const colors = [undefined, "#d9d9d9", "#D9D9D9", "#00ff7f", "#3366CC"];
  return Array.from({ length: count }, (_, i) => ({
    name: nameOf(i, "Label"),
    matchType: i % 2 === 0 ? "and" : "or",
    filters: Array.from({ length: i % 5 }, (__, j) => filter(i + j * 7)),
    ...(colors[i % colors.length] && { color: colors[i % colors.length] }),
  }));
}

/**
 * Returns bodies of a type with each value of each optional property, including absence. The long form has each pair of
 * values.
 */
export function bodiesOf(kind: RecordKindName, labels: readonly string[], agents: readonly string[]): Values[] {
  const [a = "", b = ""] = labels;
  const tags = ["c6b78e57-81a2-4c5f-a11a-d96c3c664d55", "5aeab5d5-0d34-4d44-a7ac-fb440185295c"];
  const together: Record<string, Factor> = {
    agentSelectorType: [
      undefined,
      { agentSelectorType: "all-agents" },
      { agentSelectorType: "specific-agents", agents: agents.slice(0, 1) },
      { agentSelectorType: "specific-agents", agents: [...agents.slice(1, 4), "6f1c7e2a-0000-4000-8000-00000000cafe"] },
      { agentSelectorType: "agent-labels", endpointAgentLabels: [a] },
      { agentSelectorType: "agent-labels", endpointAgentLabels: [b, a] },
      { agentSelectorType: "agent-tags", tagIds: tags },
    ],
    authType: [
      undefined,
      { authType: "none" },
      { authType: "basic", username: "probe", password: "pass-basic" },
      { authType: "basic", username: "no password" },
      { authType: "ntlm", username: "DOMAIN\\probe", password: "pass-ntlm" },
    ],
  };
  const goesAlong = new Set([
    "agents",
    "endpointAgentLabels",
    "tagIds",
    "username",
    "password",
    "accountGroupId",
    "adopt",
    records[kind].nameProperty,
  ]);
  const free: Record<string, unknown[]> = {
    server: ["vpn.example.com", "VPN.Example.COM", "192.0.2.7", "2001:db8::7"],
    url: [
      "https://www.example.com",
      "portal.example.com/a?b=c",
      "http://x.example.com:80/",
      "https://x.example.com:8443/Ünïcode",
    ],
  };
  const factors = Object.entries(records[kind].schema.shape as Record<string, z.ZodType>)
    .filter(([property]) => !goesAlong.has(property))
    .map(([property, schema]): Factor => {
      if (together[property]) return together[property];
      const values = (free[property] ?? valuesOf(schema) ?? valuesInCase(kind, property)).map((value) => ({
        [property]: value,
      }));
      return schema.safeParse(undefined).success ? [undefined, ...values] : values;
    });
  const pairs = pairwise(factors) as Values[];
  return (isLong ? pairs : fewer(pairs)).map((body, i) => ({
    [records[kind].nameProperty]: nameOf(i, kind),
    ...body,
  }));
}

/**
 * Returns the bodies with new values, all that select all agents (one of them changes for each property), and three of each
 * other selection, because references are shared.
 */
function fewer(bodies: readonly Values[]): Values[] {
  const seen = new Map<string, number>();
  return bodies.filter(({ agentSelectorType = "all-agents", agents, endpointAgentLabels, tagIds, ...others }) => {
    const selection = JSON.stringify({ agentSelectorType, agents, endpointAgentLabels, tagIds });
    const values = [selection, ...Object.entries(others).map((member) => JSON.stringify(member))];
    const isNeeded =
      agentSelectorType === "all-agents" || values.some((value) => !seen.has(value)) || (seen.get(selection) ?? 0) < 3;
    if (isNeeded) for (const value of values) seen.set(value, (seen.get(value) ?? 0) + 1);
    return isNeeded;
  });
}

/**
 * Returns each value of an enumerated property, or the limits, the default and one value between for a number. Returns
 * undefined if the schema names no value.
 */
function valuesOf(schema: z.ZodType): unknown[] | undefined {
  if (schema instanceof z.ZodDefault) {
    const values = valuesOf(schema.unwrap() as z.ZodType);
    return values && [...new Set([...values, schema.def.defaultValue])];
  }
  if (schema instanceof z.ZodOptional) return valuesOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodLiteral) return [...schema.values];
  if (schema instanceof z.ZodBoolean) return [true, false];
  if (schema instanceof z.ZodNumber) return [schema.minValue ?? 1, 77, Math.min(schema.maxValue ?? 60_000, 200_000)];
  return undefined;
}

/** Returns the values of a property in its type's case. */
function valuesInCase(kind: RecordKindName, property: string): unknown[] {
  const { minimal, full, changes } = kindCases[kind];
  const values = [minimal, full, changes[property]?.to ?? {}].flatMap((part) => (property in part ? [part[property]] : []));
  if (values.length === 0) throw new Error(`${kind}: no values of ${property}`);
  return values;
}

/**
 * Creates records through the API and returns their ids. Sends update-only properties afterwards, and stores values that only
 * the service sets directly.
 */
export async function create(stack: Stack, kind: RecordKindName, bodies: readonly Values[], aid?: string): Promise<string[]> {
  const { collection } = kindCases[kind];
  const query = aid === undefined ? "" : `?aid=${aid}`;
  const ids: string[] = [];
  for (const body of bodies) {
    const later = new Set<string>(records[kind].updateOnly);
    const isSet = ([property, value]: [string, unknown]): boolean => isReportedOnly(records[kind], property, value);
    const asked = Object.entries(body).filter((member) => !isSet(member));
    const part = (isLater: boolean): Values =>
      Object.fromEntries(asked.filter(([property]) => later.has(property) === isLater));
    const id = await stack.make(kind, part(false), query);
    if (Object.keys(part(true)).length > 0) await stack.change(kind, id, part(true), query);
    if (asked.length < Object.keys(body).length) {
      await door(stack, collection, id, Object.fromEntries(Object.entries(body).filter(isSet)));
    }
    ids.push(id);
  }
  return ids;
}

/** Fills the service with `labels` labels, and `more` records of each other type in addition to `bodiesOf`. */
export async function seed(stack: Stack, count: { labels: number; more: number }): Promise<Fleet> {
  const labels = await create(stack, "label", labelBodies(count.labels));
  const { agents: there } = (await (await stack.api("GET", "/v7/endpoint/agents?max=1000")).json()) as {
    agents: { id: string }[];
  };
  const agents = there.map(({ id }) => id);
  const others: Fleet["others"] = {};
  for (const kind of otherKinds) {
    const pairs = bodiesOf(kind, labels, agents);
    const more = Array.from({ length: count.more }, (_, i) => pairs[i % pairs.length] ?? {});
    others[kind] = await create(stack, kind, distinct(kind, [...pairs, ...more]));
  }
  return { labels, others, agents };
}

/** Returns bodies that can exist together: if the identity is unique, each gets a number. */
function distinct(kind: RecordKindName, bodies: readonly Values[]): Values[] {
  const property = records[kind].identity.at(-1);
  if (!kindCases[kind].isUnique || property === undefined) return [...bodies];
  return bodies.map((body, i) => ({ ...body, [property]: `${String(body[property])} ${i}` }));
}

/** Requests that read all records of users in one account group. */
export const oneListAKind: Record<string, number> = {
  "accountGroups.list": 1,
  ...Object.fromEntries(recordKinds.map((kind) => [operationsOf(kind).list.id, 1])),
};
