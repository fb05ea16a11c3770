import { vary } from "../support/variations/start";
import { express } from "../../cli/commands/import/record-declaration";
import { type RecordKindName, records } from "../../provider/registry";
import { kindCases } from "../support/kinds";
import { Bench } from "../provider/bench";

/** Two spellings of one value. The service ignores the difference, so the difference is not a change. */
const same: [RecordKindName, object, object][] = [
  ["label", { color: "#AABBCC" }, { color: "#aabbcc" }],
  [
    "label",
    {
      filters: [
        { key: "hostname", values: ["a", "b"] },
        { key: "asn", mode: "not-in", values: ["1"] },
      ],
    },
    {
      filters: [
        { key: "asn", mode: "not-in", values: ["1"] },
        { key: "hostname", mode: "in", values: ["b", "a"] },
      ],
    },
  ],
  ["agentToServerTest", { server: "VPN.example.com" }, { server: "vpn.example.COM" }],
  [
    "agentToServerTest",
    {
      agentSelectorType: "specific-agents",
      agents: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"],
    },
    {
      agentSelectorType: "specific-agents",
      agents: ["66eec0f1-72b4-4755-aa83-3aed61d17f3c", "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1"],
    },
  ],
  [
    "agentToServerTest",
    {
      agentSelectorType: "specific-agents",
      agents: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"],
    },
    {
      agentSelectorType: "specific-agents",
      agents: [
        "66eec0f1-72b4-4755-aa83-3aed61d17f3c",
        "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1",
        "66eec0f1-72b4-4755-aa83-3aed61d17f3c",
      ],
    },
  ],
  [
    "agentToServerTest",
    { agentSelectorType: "specific-agents", agents: ["0A3B9998-DC3A-4FF2-B50D-AC4A7CD986E1"] },
    { agentSelectorType: "specific-agents", agents: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1"] },
  ],
  ["httpServerTest", { url: "www.example.com" }, { url: "https://www.example.com:443/" }],
  ["httpServerTest", { url: "HTTP://WWW.example.com:80/a" }, { url: "http://www.example.com/a" }],
  [
    "dynamicTest",
    {
      agentSelectorType: "agent-tags",
      tagIds: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"],
    },
    {
      agentSelectorType: "agent-tags",
      tagIds: ["66EEC0F1-72B4-4755-AA83-3AED61D17F3C", "0A3B9998-DC3A-4FF2-B50D-AC4A7CD986E1"],
    },
  ],
  ["dynamicTest", { interval: 60, protocol: "icmp" }, { interval: undefined, protocol: null }],
];

/** Values that look alike, but differ for the service. */
const different: [RecordKindName, object, object, string][] = [
  ["label", { name: "office" }, { name: "Office" }, "name"],
  [
    "label",
    { filters: [{ key: "ssid", values: ["a"] }] },
    { filters: [{ key: "ssid", mode: "not-in", values: ["a"] }] },
    "filters",
  ],
  ["label", { filters: [{ key: "ssid", values: ["Guest"] }] }, { filters: [{ key: "ssid", values: ["guest"] }] }, "filters"],
  ["agentToServerTest", { port: 443 }, { port: 8443 }, "port"],
  ["httpServerTest", { url: "http://www.example.com" }, { url: "https://www.example.com" }, "url"],
  ["httpServerTest", { url: "https://www.example.com/A" }, { url: "https://www.example.com/a" }, "url"],
  ["httpServerTest", { url: "https://www.example.com:8443" }, { url: "https://www.example.com" }, "url"],
  [
    "dynamicTest",
    {
      agentSelectorType: "agent-tags",
      tagIds: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", "66eec0f1-72b4-4755-aa83-3aed61d17f3c"],
    },
    { agentSelectorType: "agent-tags", tagIds: ["0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1"] },
    "tagIds",
  ],
];

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.end());

it("the provider's diff ignores the port that the service returns for an ICMP test", async () => {
  const kind = "agentToServerTest";
  const declared = { ...kindCases[kind].minimal, testName: "Ping" };
  const { id, state } = await bench.create(kind, { ...declared, port: 8443 });
  vary(bench.emulator, "icmp-port");
  bench.newSession();
  const read = await bench.life(kind).read(id, state);
  expect(read?.state).toMatchObject({ protocol: "icmp", port: 8443 });
  const returned = await bench.life(kind).read(id, {});
  expect(returned?.state).toMatchObject({ port: -1 });
  expect(bench.life(kind).diff(id, returned?.state ?? {}, bench.life(kind).check(declared).inputs)).toEqual([]);
  const home = { settled: undefined, accountGroupId: "1001" };
  const expressed = express(records[kind], returned ?? { id, state: {}, inputs: {} }, home);
  expect(expressed).not.toHaveProperty("failures");
  vary(bench.emulator);
});

it.each(same)("the diff of a %s treats %j and %j as equal", async (name, a, b) => {
  const { id, state } = await bench.create(name, { ...kindCases[name].minimal, ...a });
  const { inputs, failures } = bench.life(name).check({ ...kindCases[name].minimal, ...b });
  expect(failures).toEqual([]);
  expect(bench.life(name).diff(id, state, inputs)).toEqual([]);
});

it.each(different)("the diff of a %s treats %j and %j as different", async (name, a, b, property) => {
  const { id, state } = await bench.create(name, { ...kindCases[name].minimal, ...a });
  const { inputs } = bench.life(name).check({ ...kindCases[name].minimal, ...b });
  expect(bench.life(name).diff(id, state, inputs)).toMatchObject([{ property }]);
});

it("a read keeps the program's spelling of an unchanged value", async () => {
  const { id, state } = await bench.create("httpServerTest", { testName: "T", url: "www.EXAMPLE.com" });
  expect(state["url"]).toBe("www.EXAMPLE.com");
  bench.newSession();
  expect((await bench.life("httpServerTest").read(id, state))?.inputs["url"]).toBe("www.EXAMPLE.com");
});
