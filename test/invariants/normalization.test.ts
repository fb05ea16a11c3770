/**
 * Tests values that a service normalizes. The state contains the declared form, so there is no difference, and a refresh
 * detects a later change.
 */
import type { RecordKindName } from "../../provider/registry";
import { kindCases } from "../support/kinds";
import { Bench } from "../provider/bench";

const cases: [string, RecordKindName, object, object, object][] = [
  ["trim-names", "label", { name: "  Office " }, { name: "  Office " }, { name: "Office" }],
  ["trim-names", "agentToServerTest", { testName: "Office " }, { testName: "Office " }, { testName: "Office" }],
  ["unicode-nfc", "dynamicTest", { testName: "Bu\u0308ro" }, { testName: "Bu\u0308ro" }, { testName: "Büro" }],
  [
    "lower-hosts",
    "agentToServerTest",
    { server: "VPN.example.com" },
    { server: "VPN.example.com" },
    { server: "other.example.com" },
  ],
  [
    "root-dot",
    "agentToServerTest",
    { server: "vpn.example.com" },
    { server: "vpn.example.com." },
    { server: "other.example.com" },
  ],
  ["clamp-agents", "httpServerTest", { maxMachines: 6_000 }, { maxMachines: 6_000 }, { maxMachines: 5_000 }],
  ["clamp-agents", "dynamicTest", { maxMachines: 120_000 }, { maxMachines: 120_000 }, { maxMachines: 100_000 }],
];

let bench: Bench;
afterEach(() => bench.end());

test("a read reports drift if a user set a value to the service's maximum", async () => {
  bench = await Bench.start({}, { as: ["clamp-agents"] });
  const { id, state } = await bench.create("httpServerTest", { ...kindCases.httpServerTest.minimal, maxMachines: 100 });
  await fetch(`${bench.emulator.url}/_emulator/records/http-server-tests/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ maxMachines: 5_000 }),
  });
  bench.newSession();
  expect((await bench.life("httpServerTest").read(id, state))?.state).toMatchObject({ maxMachines: 5_000 });
});

test.each(cases)(
  "API variation %s: the diff of a %s treats %j as equal to %j but not to %j",
  async (as, name, sent, same, other) => {
    bench = await Bench.start({}, { as: [as] });
    const declared = { ...kindCases[name].minimal, ...sent };
    const { id, state, inputs } = await bench.create(name, declared);
    expect(state).toMatchObject(sent);
    const read = (await bench.life(name).read(id, state))?.state ?? {};
    expect(read).toEqual(state);
    const check = (values: object) => bench.life(name).check({ ...declared, ...values }).inputs;
    expect(bench.life(name).diff(id, read, inputs)).toEqual([]);
    expect(bench.life(name).diff(id, read, check(same))).toEqual([]);
    expect(
      bench
        .life(name)
        .diff(id, read, check(other))
        .map(({ property }) => property),
    ).toEqual(Object.keys(other));
  },
);

test("the provider finds the record of an unanswered create request by its normalized name", async () => {
  bench = await Bench.start({ createOutcomeTimeout: "2" }, { as: ["trim-names", "create-empty"] });
  const { id } = await bench.create("label", { ...kindCases.label.minimal, name: " Office " });
  expect(await bench.ids("labels")).toEqual([id]);
});

test("a create request fails if the service replaces a number with a larger minimum", async () => {
  bench = await Bench.start({}, { as: ["least-interval"] });
  await expect(bench.create("agentToServerTest", { ...kindCases.agentToServerTest.minimal, interval: 60 })).rejects.toThrow(
    "interval",
  );
});
