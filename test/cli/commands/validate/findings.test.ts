import { byPosition, findingsIn } from "../../../../cli/commands/validate/findings";
import type { ValidatedResource } from "../../../../cli/commands/validate/monitor";
import { phraseText } from "../../../../common/phrase";
import { type Properties, unknownValue } from "../../../../provider/values";
import { nativeToken, typeToken } from "../../../../sdk/token";

/** Type and properties of a declaration. The number of the declaration replaces `$`. */
type Row = readonly [type: string, properties: Properties];

const network = (more: Properties): Row => ["AgentToServerTest", { testName: "T$", server: "x.example", ...more }];
const http = (more: Properties): Row => ["HttpServerTest", { testName: "T$", url: "https://x.example", ...more }];
const dynamic = (more: Properties): Row => ["DynamicTest", { testName: "T$", application: "webex", ...more }];
const gate = (more: Properties): Row => ["AgentToServerInstantTest", { testName: "T$", server: "x.example", ...more }];
const run = (more: Properties): Row => ["TestRun", { testId: "5", ...more }];
const label = (more: Properties): Row => ["Label", { name: "F$", matchType: "or", filters: [], ...more }];
const filter = (more: Properties): Row => label({ filters: [more] });
const tag = (more: Properties): Row => ["EndpointAgentTag", { key: "k$", value: "v", matchType: "or", filters: [], ...more }];
const agent = (more: Properties): Row => ["EndpointAgent", more];
const transfers = (...all: object[]): Row => ["AgentTransfer", { transfers: all }];
const labels = (...endpointAgentLabels: string[]): Row => dynamic({ agentSelectorType: "agent-labels", endpointAgentLabels });
const tags = (id: string): Row => dynamic({ agentSelectorType: "agent-tags", tagIds: [id] });
const twinLabel = (more: Properties): Row =>
  label({ name: "Twin", filters: [{ key: "hostname", values: ["b", "a"] }], ...more });
const twinTest = (more: Properties): Row => network({ testName: "Twin", server: "twin.example", ...more });
const uuid = "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1";

const heading = [label({ name: "Floor3" }), twinLabel({}), twinTest({})];

/** Returns the declarations of a program with one declaration per line. */
function declared(rows: readonly Row[], token = nativeToken): ValidatedResource[] {
  return rows.map(([type, properties], at) => ({
    type: token(type),
    name: `r${at}`,
    properties: JSON.parse(JSON.stringify(properties).replaceAll("$", String(at))) as Properties,
    urn: `urn:pulumi:dev::office::${type}::r${at}`,
    position: { file: "index.ts", line: at + 1, column: 1 },
  }));
}

const textsOf = (resources: readonly ValidatedResource[], accountGroupId?: string): string[] =>
  findingsIn(resources, accountGroupId).findings.map(({ text }) => phraseText(text));

/** Declarations with mistakes, by the properties that the findings name. */
const mistakes: Record<string, readonly Row[]> = {
  server: [
    gate({ server: "https://x.example" }),
    ...[
      ..."https://vpn.example.com/ | a b c | vpn.example.com/x | vpn..example.com | -vpn.example.com | 192.0.2".split(" | "),
      ..."1.2.3.256 | [::1 | user@host | vpn.example.com:443 | vpn_.example.com? | *.example.com".split(" | "),
      " vpn.example.com",
    ].map((server) => network({ server })),
  ],
  url: [
    ["HttpServerInstantTest", { testName: "T$", url: "x.example:99999" }],
    ...[
      ..."ftp://x.example | https:// | https://a b/ | https://u:p@x.example/ | https://x.example:0/".split(" | "),
      ..."https://x.example:65536/ | https://x.example:/ | mailto:x@y | https://x..example/ | https://x.example/a b".split(
        " | ",
      ),
      ..."//x.example | http://1.2.3.4.5/".split(" | "),
    ].map((url) => http({ url })),
  ],
  port: [0, -1, 65536, 443.5].map((port) => network({ port })),
  "agents[0]": ["NYC-X00003", "0a3b9998", "281474976710656", ""].map((id) =>
    network({ agentSelectorType: "specific-agents", agents: [id] }),
  ),
  // Floor3 has the form of an id. Only the program shows that it is a name.
  "endpointAgentLabels[0]": ["Office", "Head office", "office:1", "Floor3"].map((id) => labels(id)),
  "tagIds[0]": ["team", "567"].map((id) => tags(id)),
  agentId: ["kiosk", "0A3B9998-dc3a-4ff2-b50d"].map((agentId) => agent({ agentId })),
  "transfers[0].agentId": [transfers({ agentId: "kiosk", fromAid: "1", toAid: "2" })],
  "transfers[1].agentId": [transfers(...[1, 2].map(() => ({ agentId: uuid, fromAid: "2", toAid: "3" })))],
  testId: ["Portal", "281474976710656x"].map((testId) => run({ testId })),
  sslVersionId: [http({ sslVersionId: "2" })],
  interval: [http({ interval: 90 })],
  "": [twinLabel({}), twinTest({}), agent({ enabled: true })],
  "expect.maxLoss": [gate({ expect: { maxLoss: -1 } })],
  "waitForResults.minAgents": [run({ waitForResults: { minAgents: 1.5 } })],
  "waitForResults.minAgents expect.maxLoss": [run({ waitForResults: { minAgents: 0 }, expect: { maxLoss: 101 } })],
  "waitForResults.settle expect.maxResponseTime": [gate({ waitForResults: { settle: -1 }, expect: { maxResponseTime: 5 } })],
  "filters[0].values[0]": [
    { key: "asn", values: ["AS1"] },
    { key: "gateway", values: ["10.0.0.0/8"] },
  ].map(filter),
  "filters[0].mode filters[0].values[0]": [filter({ key: "bssid", values: ["00-1B"], mode: "inn" })],
  colr: [label({ colr: "#ffffff" })],
  key: [tag({ key: "", filters: [{ key: "hostname", values: ["a"] }] })],
  filters: [tag({})],
  maxMachines: [network({ maxMachines: 0 })],
  // Without a valid name, two identical declarations do not count as duplicates.
  testName: [1, 2].map(() => http({ testName: "" })),
  "testName application": [["DynamicTest", {}]],
  endpointAgentLabels: [http({ agentSelectorType: "agent-labels" })],
  "agents[0] tagIds agents tagIds": [http({ agents: ["1"], tagIds: [] })],
  "agentId transferTimeout onDestroy": [agent({ agentId: "1", onDestroy: "remove", transferTimeout: -1 })],
  "transfers[0].agentId transfers[0].toAid": [transfers({ agentId: "NYC-X00003", fromAid: "2", toAid: "2" })],
};

test("`validate` reports each example mistake exactly once, with its property", () => {
  const expected = [
    ...heading.map((): string[] => []),
    ...Object.entries(mistakes).flatMap(([paths, rows]) => rows.map(() => paths.split(" "))),
  ];
  const resources = declared([...heading, ...Object.values(mistakes).flat()]);
  const { findings, resources: count } = findingsIn(resources, undefined);
  expect(count).toBe(resources.length);
  expect(findings.length).toBeGreaterThanOrEqual(75);
  expect(findings.every(({ rule, level }) => rule === "validate" && level === "error")).toBe(true);
  const pathsAt = ({ position: place }: ValidatedResource): string[] =>
    findings.flatMap(({ position, property = "" }) => (position === place ? [property] : []));
  expect(resources.map(pathsAt)).toEqual(expected);
  // Values may be secrets.
  expect(JSON.stringify(findings)).not.toContain("00-1B");
});

/** Valid, although unusual. */
const odd: readonly Row[] = [
  ...[
    ..."localhost | 192.0.2.1 | 2001:db8::1 | [2001:db8::1] | xn--bcher-kva.example | bücher.example".split(" | "),
    ..."_sip.example.com | VPN.EXAMPLE.COM | vpn.example.com. | a | 1and1.example".split(" | "),
    `${"x".repeat(64)}.invalid`,
  ].map((server) => network({ server, port: 1 })),
  ...[
    ..."x.example | HTTP://X.example | https://x.example:8443/a?b=c#d | http://[2001:db8::1]:80/".split(" | "),
    ..."x.example:8080/health | https://x.example/%20 | https://bücher.example/ä | https://192.0.2.1/".split(" | "),
  ].map((url) => http({ url })),
  http({ authType: "ntlm", username: "D\\u" }),
  http({ sslVersionId: "7" }),
  http({ username: "u" }),
  labels("567", "abc-123-def"),
  labels(unknownValue),
  dynamic({ agentSelectorType: "specific-agents", agents: [uuid.toUpperCase()], maxMachines: 1 }),
  dynamic({ agentSelectorType: "agent-tags", tagIds: [uuid], maxMachines: 150000 }),
  twinLabel({ matchType: "and" }),
  twinLabel({ accountGroupId: "1002" }),
  ...[1, 2].map(() => twinLabel({ adopt: true })),
  ...[1, 2].map(() => label({ name: unknownValue })),
  ...[1, 2].map(() => agent({ agentId: uuid })),
  label({ name: "😀".repeat(40) }),
  twinTest({ port: 8443 }),
  agent({ lookup: { agentName: "NYC-X00003" } }),
  run({ testId: "281474976710656", expect: { minAvailability: 0 } }),
  ...[1, 2].map(() => gate({ testName: "Twin", server: "twin.example" })),
];

test("`validate` accepts unusual but valid declarations, and adds notes to two of them", () => {
  expect(odd.length).toBeGreaterThanOrEqual(30);
  const { findings } = findingsIn(declared([...heading, ...odd]), undefined);
  expect(findings.map(({ level, property, text }) => [level, property, phraseText(text)])).toEqual([
    ["note", "username", expect.stringContaining("username has no effect without authType basic or ntlm")],
    ["note", "name", expect.stringContaining("name has more than 64 characters, which the ThousandEyes UI does not accept")],
  ]);
});

test("`validate` applies the configured account group before it compares resources", () => {
  const resources = declared([twinLabel({}), twinLabel({ accountGroupId: "1002" })], typeToken);
  expect(textsOf(resources, "1001")).toEqual([]);
  expect(textsOf(resources, "1002")).toEqual(['Label "r1": is identical to "r0", but an update does not create duplicates']);
});

test("`validate` reports only the later of two resources with the same name", () => {
  const [first, second] = declared([twinLabel({}), twinLabel({})]);
  if (!first || !second) throw new Error("Two declarations are necessary");
  const again = { ...second, name: first.name, urn: first.urn };
  const { findings } = findingsIn([again, first], undefined);
  expect(findings).toMatchObject([{ position: { line: 2 }, subject: { noun: "Label", name: "r0" } }]);
  expect(textsOf([again, first])).toEqual(['Label "r0": has the name of another resource of its type: rename one of them']);
});

test("`validate` ignores resources of other packages, and members that resource classes add", () => {
  const others = declared([["Bucket", {}]], (name) => `aws:s3/bucket:${name}`);
  const ownResources = declared([label({ __provider: "code", __resource: "office" })], typeToken);
  expect(findingsIn([...others, ...ownResources], undefined)).toEqual({ findings: [], resources: 1 });
});

test("`validate` sorts findings by file, line and column", () => {
  const at = (file: string, line: number, column: number) => ({ position: { file, line, column } });
  const unsorted = [at("b", 1, 1), at("a", 2, 1), at("a", 1, 9), at("a", 1, 2), {}];
  expect(unsorted.toSorted(byPosition)).toEqual([{}, at("a", 1, 2), at("a", 1, 9), at("a", 2, 1), at("b", 1, 1)]);
});
