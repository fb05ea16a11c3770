/**
 * Tests values that the API's open lists do not contain yet. Both provider types accept them with a warning that suggests
 * known values.
 */
import { createHost } from "../../provider/dynamic";
import { registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { Plugin, secret } from "../support/plugin";
import { Bench, hosted } from "../provider/bench";

const bssid = { key: "bssid", mode: "in", values: ["00:1b:44:11:3a:b7"] };
const cases: readonly (readonly ["label" | "dynamicTest", string, Properties, readonly string[]])[] = [
  [
    "dynamicTest",
    "DynamicTest",
    { testName: "Calls", application: "microsoft-team" },
    [
      'application "microsoft-team" is not a value that this version knows (did you mean microsoft-teams?)',
      "Known values: webex, zoom, microsoft-teams",
    ],
  ],
  [
    "label",
    "Label",
    { name: "Docks", matchType: "or", filters: [bssid, { key: "hostnames", mode: "in", values: ["d-*"] }] },
    [
      'filters[1].key "hostnames" is not a value that this version knows (did you mean hostname?)',
      "Known values: agent-id, public-network",
    ],
  ],
  [
    "label",
    "Label",
    { name: "Clients", matchType: "or", filters: [{ key: "agent-type", mode: "in", values: ["endpoint-puls"] }] },
    ['filters[0].values[0] "endpoint-puls" is not a value that this version knows (did you mean endpoint-pulse?)'],
  ],
];

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.end());

it.each(cases)("dynamic resources accept a %s with an unlisted value and warn once", async (kind, _, args, texts) => {
  const lines: string[] = [];
  const provider = hosted(bench.emulator, kind, { host: createHost((line) => lines.push(line)) });
  const { inputs, failures } = await provider.check({}, { ...args });
  expect(failures).toEqual([]);
  await provider.check({}, { ...args });
  const created = await provider.create(inputs);
  expect((await provider.diff(created.id, created.outs, inputs)).changes).toBe(false);
  const warnings = lines.filter((line) => line.includes("not a value that this version knows"));
  expect(warnings).toHaveLength(1);
  for (const text of texts) expect(warnings[0]).toContain(text);
});

it.each(cases)("the native plugin accepts a %s with an unlisted value and warns once", async (_, className, args, texts) => {
  const plugin = await Plugin.start({ baseUrl: bench.emulator.url, token: secret("emulator-token") });
  try {
    const { inputs, failures } = await plugin.check(className, {}, args);
    expect(failures).toEqual([]);
    await plugin.check(className, {}, args);
    expect(await plugin.create(className, inputs, false)).toMatchObject({ id: expect.stringMatching(/./) as unknown });
    const warnings = plugin.logged
      .map(({ line }) => line)
      .filter((line) => line.includes("not a value that this version knows"));
    expect(warnings).toHaveLength(1);
    for (const text of texts) expect(warnings[0]).toContain(text);
  } finally {
    plugin.end();
  }
});

it("a warning hides unlisted values if the resource has a secret", async () => {
  const lines: string[] = [];
  const { discreet } = createHost((line) => lines.push(line)).provider(registry.dynamicTest);
  const settings: Record<string, string> = { baseUrl: bench.emulator.url, token: "emulator-token" };
  discreet.configure({ config: { get: (key) => settings[key.replace("endpoint-monitoring:", "")] } });
  await discreet.check({}, { testName: "Calls", application: "hush-word" });
  const plugin = await Plugin.start({ ...settings, token: secret("emulator-token") });
  try {
    for (let run = 0; run < 2; run += 1)
      await plugin.check("DynamicTest", {}, { testName: "Calls", application: secret("hush-word") });
    lines.push(...plugin.logged.map(({ line }) => line));
  } finally {
    plugin.end();
  }
  expect(lines.filter((line) => line.includes("application is not a value that this version knows"))).toHaveLength(2);
  expect(lines.join()).not.toContain("hush-word");
});
