/** All facts that tests need about each record type: a new type needs a case here, and no other table. */
import fc from "fast-check";
import { z } from "zod";
import { allOperations, operations, type Method, type Operation } from "../../api/schemas";
import type { RecordKind } from "../../provider/record-kind";
import { records, type RecordKindName } from "../../provider/registry";
import { sameValue } from "../../provider/values";
import { authentication, host, labelFilter, merged, selection, tagFilter, url } from "./arbitraries";

type Values = Record<string, unknown>;

/** A change of one property: the full arguments with `from`, then with `to`. */
export interface PropertyChange {
  from?: Values;
  to: Values;
  /** Other properties that the change requires: a selector needs its list. */
  together?: string[];
}

/** Facts about a type for tests. `{ $id: name }` is the id of a label of the test. */
interface CaseDeclaration {
  /** Its collection in the emulator. */
  collection: string;
  /** Path of its list. */
  path: string;
  /** Names of the type on a command line. Names that it shares with other types come first. */
  words: readonly [string, ...string[]];
  minimal: Values;
  full: Values;
  /**
   * A change of each property except provider options. Tests with just one change use the first that updates or the first
   * that replaces.
   */
  changes: Record<string, PropertyChange>;
  /**
   * Inputs that the schema does not describe: syntax of values, dependent properties. They override the schema's values.
   * @param labels ids of existing labels
   */
  inputs?(labels: readonly string[]): fc.Arbitrary<Values>;
  /**
   * For types without operations in the API document: the source of the operations, and a record as the service returns it.
   */
  undocumented?: {
    knownFrom: string;
    record: Values;
    /** Bodies of operations that do not concern one record, by their verb. */
    bodies?: Record<string, Values>;
  };
  /** Members that the service requires and no property sets. The type itself sends them. */
  fixed?: Values;
  /** Whether the service rejects a second record of the same identity. */
  isUnique?: true;
  /** The reason why no function of the SDK reads the type. */
  noFunction?: string;
}

/** A case, with the name of the type's class. */
export interface KindCase extends CaseDeclaration {
  className: string;
}

const [agentA, agentB] = ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"];
const [tagA, tagB] = ["c6b78e57-81a2-4c5f-a11a-d96c3c664d55", "5aeab5d5-0d34-4d44-a7ac-fb440185295c"];
export const [labelA, labelB] = [{ $id: "label-a" }, { $id: "label-b" }];

const specific = { agentSelectorType: "specific-agents", agents: [agentA] };
const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [labelA] };
const byTag = { agentSelectorType: "agent-tags", tagIds: [tagA] };

/** Changes to the properties that all types of tests have. */
const testChanges = {
  testName: { to: { testName: "Renamed" } },
  agentSelectorType: { to: byLabel, together: ["agentSelectorType", "endpointAgentLabels"] },
  agents: { from: specific, to: { agents: [agentA, agentB] } },
  endpointAgentLabels: { from: byLabel, to: { endpointAgentLabels: [labelB] } },
  tagIds: { from: byTag, to: { tagIds: [tagB] } },
  maxMachines: { to: { maxMachines: 99 } },
  interval: { to: { interval: 900 } },
  protocol: { to: { protocol: "prefer-tcp" } },
  tcpProbeMode: { to: { tcpProbeMode: "syn" } },
  ipVersion: { to: { ipVersion: "V6_ONLY" } },
  isPrioritized: { to: { isPrioritized: false } },
  isEnabled: { to: { isEnabled: true } },
  accountGroupId: { to: { accountGroupId: "1002" } },
};

const testFull = {
  agentSelectorType: "all-agents",
  maxMachines: 40,
  interval: 300,
  protocol: "tcp",
  tcpProbeMode: "sack",
  ipVersion: "V4_ONLY",
  isPrioritized: true,
  isEnabled: false,
  accountGroupId: "1001",
};

const cases: Record<RecordKindName, CaseDeclaration> = {
  label: {
    collection: "labels",
    path: "/v7/endpoint/labels",
    words: ["labels"],
    minimal: { name: "Minimal", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
    full: {
      name: "Full",
      color: "#3366CC",
      matchType: "or",
      filters: [
        { key: "hostname", mode: "in", values: ["office-*", "branch-?"] },
        { key: "local-network", mode: "not-in", values: ["10.0.0.0/8", "2001:db8::/32"] },
      ],
      accountGroupId: "1001",
    },
    changes: {
      name: { to: { name: "Renamed" } },
      color: { to: { color: "#ff0000" } },
      matchType: { to: { matchType: "and" } },
      filters: { to: { filters: [{ key: "asn", mode: "in", values: ["64512"] }] } },
      accountGroupId: { to: { accountGroupId: "1002" } },
    },
    inputs: () =>
      fc.record({
        color: fc.option(fc.constantFrom("#d9d9d9", "#D9D9D9", "#00FF00"), { nil: undefined }),
        filters: fc.array(labelFilter, { maxLength: 4 }),
      }),
  },
  endpointAgentTag: {
    collection: "tags",
    path: "/v7/tags",
    words: ["tags"],
    fixed: { objectType: "endpoint-agent", type: "dynamic", accessType: "all" },
    isUnique: true,
    undocumented: {
      knownFrom: "the vendor's client models, and recordings (test/fixtures/service/recorded-tags.json)",
      record: {
        _links: { self: { href: "https://api.example.com/v7/tags/00000000-0000-4000-8000-000000000006" } },
        accessType: "all",
        aid: 1234,
        builtIn: false,
        color: "#A1B2C3",
        createDate: "2026-07-31T12:23:42Z",
        description: "probe-description-3",
        filters: [{ key: "probe-filter-key", mode: "in", scope: "custom", values: ["probe-filter-value"] }],
        icon: "LABEL",
        id: "00000000-0000-4000-8000-000000000006",
        key: "example-key",
        legacyId: 422212465108107,
        matchType: "and",
        modifiedDate: null,
        objectType: "endpoint-agent",
        type: "dynamic",
        value: "probe-value-3",
      },
      bodies: {
        createBulk: { tags: [{ key: "example-key", value: "one", objectType: "test", accessType: "all" }] },
        assign: { assignments: [{ id: "1", type: "test" }] },
        unassign: { assignments: [{ id: "1", type: "test" }] },
        assignBulk: { tags: [{ tagId: "1", assignments: [{ id: "1", type: "test" }] }] },
        unassignBulk: { tags: [{ tagId: "1", assignments: [{ id: "1", type: "test" }] }] },
      },
    },
    minimal: { key: "minimal", value: "yes", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
    full: {
      key: "full",
      value: "Every property",
      color: "#3366CC",
      icon: "LABEL",
      description: "Offices, and what checks in as one of them",
      matchType: "or",
      filters: [
        { key: "hostname", mode: "in", scope: "default", values: ["office-*", "branch-1"] },
        { key: "serial-number", mode: "not-in", scope: "default", values: ["C02"] },
        { key: "team", mode: "in", scope: "custom", values: ["emea"] },
      ],
      accountGroupId: "1001",
    },
    changes: {
      description: { to: { description: "Other" } },
      key: { to: { key: "renamed" } },
      value: { to: { value: "other" } },
      color: { to: { color: "#ff0000" } },
      icon: { to: { icon: "OTHER" } },
      matchType: { to: { matchType: "and" } },
      filters: { to: { filters: [{ key: "asn", mode: "in", scope: "default", values: ["64512"] }] } },
      accountGroupId: { to: { accountGroupId: "1002" } },
    },
    inputs: () =>
      fc.record({
        color: fc.option(fc.constantFrom("#A7EB10", "#a7eb10", "#00FF00"), { nil: undefined }),
        filters: fc.array(tagFilter, { minLength: 1, maxLength: 4 }),
      }),
  },
  agentToServerTest: {
    collection: "agent-to-server-tests",
    path: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
    words: ["tests", "agent-to-server-tests"],
    minimal: { testName: "Minimal", server: "www.example.com" },
    full: { ...testFull, testName: "Full", server: "vpn.example.com", port: 8443 },
    changes: { ...testChanges, server: { to: { server: "192.0.2.7" } }, port: { to: { port: 22 } } },
    inputs: (labels) => merged(selection(labels), fc.record({ server: fc.oneof(host, fc.ipV6()) })),
  },
  httpServerTest: {
    collection: "http-server-tests",
    path: "/v7/endpoint/tests/scheduled-tests/http-server",
    words: ["tests", "http-server-tests"],
    minimal: { testName: "Minimal", url: "https://www.example.com" },
    full: {
      ...testFull,
      testName: "Full",
      url: "http://www.example.com:8080/health?full=1",
      authType: "basic",
      username: "probe",
      password: "first-passw0rd",
      httpTimeLimit: 4000,
      targetResponseTime: 700,
      sslVersionId: "6",
      verifyCertificate: false,
      networkMeasurements: false,
      hasPathTraceInSession: false,
    },
    changes: {
      httpTimeLimit: { to: { httpTimeLimit: 9000 } },
      ...testChanges,
      url: { to: { url: "https://www.example.net/" } },
      authType: { to: { authType: "ntlm" } },
      username: { to: { username: "other" } },
      password: { to: { password: "second-passw0rd" } },
      targetResponseTime: { to: { targetResponseTime: 300 } },
      sslVersionId: { to: { sslVersionId: "7" } },
      verifyCertificate: { to: { verifyCertificate: true } },
      networkMeasurements: { to: { networkMeasurements: true } },
      hasPathTraceInSession: { to: { hasPathTraceInSession: true } },
    },
    inputs: (labels) => merged(selection(labels), fc.record({ url }), authentication),
  },
  dynamicTest: {
    collection: "dynamic-tests",
    path: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
    words: ["tests", "dynamic-tests"],
    minimal: { testName: "Minimal", application: "webex" },
    full: { ...testFull, testName: "Full", application: "zoom", hasPathTraceInSession: true },
    changes: {
      ...testChanges,
      application: { to: { application: "microsoft-teams" } },
      hasPathTraceInSession: { to: { hasPathTraceInSession: false } },
    },
    inputs: selection,
  },
};

/** The record types, in the order of the registry. */
export const recordKinds = Object.keys(records) as RecordKindName[];

export const kindCases = Object.fromEntries(
  recordKinds.map((name) => [name, { ...cases[name], className: records[name].name }]),
) as Record<RecordKindName, KindCase>;

/** Returns a type as shared code uses it. */
export const recordKind = (name: RecordKindName): RecordKind => records[name];

/** Returns properties of a type as the body of a request to the service. */
export const bodyOf = (name: RecordKindName, properties: Values): Values => ({ ...kindCases[name].fixed, ...properties });

/** Returns the id of a record in a response of the service. */
export const idOf = (name: RecordKindName, record: object): string => recordKind(name).idOf(record);

/** Returns the operations of a type by their verb in the request counts: `create`, `get`, `update`, `delete` and `list`. */
export function operationsOf(name: RecordKindName): Record<"create" | "get" | "update" | "delete" | "list", Operation> {
  const { path } = kindCases[name];
  const of = (method: Method | Method[], places: "list" | "one"): Operation => {
    const operation = allOperations().find(
      (candidate) =>
        [method].flat().includes(candidate.method) &&
        (places === "list" ? candidate.path === path : candidate.path.replace(/\/\{\w+\}$/, "/{}") === `${path}/{}`),
    );
    if (!operation) throw new Error(`${name}: no ${[method].flat().join(" or ")} of ${path}`);
    return operation;
  };
  return {
    create: of("POST", "list"),
    get: of("GET", "one"),
    update: of(["PATCH", "PUT"], "one"),
    delete: of("DELETE", "one"),
    list: of("GET", "list"),
  };
}

/** Returns the names of a type's operations without the verb: `tests.agentToServer`. */
export const areaOf = (name: RecordKindName): string => operationsOf(name).create.id.replace(/\.\w+$/, "");

/** Returns the member of a type's list that contains the records: `tests`. */
export function listMemberOf(name: RecordKindName): string {
  const { response } = operationsOf(name).list;
  const members = response instanceof z.ZodObject ? Object.entries(response.shape) : [];
  const list = members.find(([, schema]) => schema instanceof z.ZodArray);
  if (!list) throw new Error(`${name}: its list has no records`);
  return list[0];
}

/** A property with two values: `from` is that of `full`, `to` that of its case. */
export interface Toggle {
  property: string;
  from: unknown;
  to: unknown;
}

/** Returns the changes to a type that need no other properties, except its account group and name. */
function simpleChanges(name: RecordKindName): Toggle[] {
  const { full, changes } = kindCases[name];
  const { nameProperty, writeOnly } = recordKind(name);
  return Object.entries(changes).flatMap(([property, { from, to, together }]) => {
    if (from || together || [nameProperty, "accountGroupId", ...writeOnly].includes(property)) return [];
    const toggle = { property, from: full[property], to: to[property] };
    return property in full && !sameValue(toggle.from, toggle.to) ? [toggle] : [];
  });
}

/** Returns a change of one property that updates the record. */
export function changeInPlace(name: RecordKindName): Toggle {
  const { createOnly, updateOnly } = recordKind(name);
  const change = simpleChanges(name).find(({ property }) => ![...createOnly, ...updateOnly].includes(property));
  if (!change) throw new Error(`${name}: no case changes a property in place`);
  return change;
}

/** Returns a change of one property that replaces the record, or undefined for a type without one. */
export function changeThatReplaces(name: RecordKindName): Toggle | undefined {
  return simpleChanges(name).find(({ property }) => recordKind(name).createOnly.includes(property));
}

/** Areas without a resource type: other records that refer to tests, labels and tags. */
export const otherAreas = {
  alertRules: {
    collection: "alert-rules",
    path: "/v7/alerts/rules",
    body: {
      ruleName: "Portal down",
      expression: "((loss >= 5 %))",
      alertType: "endpoint-http-server",
      minimumSources: 1,
      roundsViolatingOutOf: 3,
      roundsViolatingRequired: 2,
    },
  },
  streams: { collection: "streams", path: "/v7/streams", body: {} },
};

interface Beyond {
  path: string;
  body: Values | undefined;
}

/** Operations outside the API document, by id: the path of their area, and a body. */
export const undocumented: ReadonlyMap<string, Beyond> = new Map<string, Beyond>([
  ...recordKinds.flatMap((name) => {
    const { path, undocumented: known, minimal } = kindCases[name];
    return known
      ? inArea(areaOf(name)).map((id) => [id, { path, body: known.bodies?.[verbOf(id)] ?? bodyOf(name, minimal) }] as const)
      : [];
  }),
  ...Object.entries(otherAreas).flatMap(([area, known]) => inArea(area).map((id) => [id, known] as const)),
  ...Object.values(operations.account).map(
    ({ id, path }) => [id, { path: path.replace("/{id}", ""), body: undefined }] as const,
  ),
]);

function inArea(area: string): string[] {
  return allOperations().flatMap(({ id }) => (id.startsWith(`${area}.`) ? [id] : []));
}

function verbOf(id: string): string {
  return id.replace(/^.*\./, "");
}

/** Returns a body of an operation outside the API document. */
export function bodyBeyondDocument({ id }: Operation): object | undefined {
  return undocumented.get(id)?.body;
}

/** The operations in the API document. */
export const documentedOperations = allOperations().filter(({ id }) => !undocumented.has(id));

/** The labels that cases refer to. */
export const caseLabels = {
  "label-a": { name: "Case A", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
  "label-b": { name: "Case B", matchType: "and", filters: [{ key: "platform", values: ["Linux"] }] },
};
