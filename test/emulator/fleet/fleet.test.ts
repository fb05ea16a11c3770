import { hostname, networkInterfaces, userInfo } from "node:os";
import { join } from "node:path";
import { contains, ipRange, addressKey } from "../../../api/label-match/ip-range";
import { start } from "../../../emulator";
import { fleetOf, localAgent, prepareFleet } from "../../../emulator/fleet/fleet";
import { settle } from "../../../emulator/options";
import type { EmulatorOptions } from "../../../emulator/settings";
import { Store } from "../../../emulator/store";
import { Bench } from "../support";
import { temporary } from "../../support/temporary";

const now = () => Date.UTC(2026, 0, 15);

function world(options: EmulatorOptions = {}, file?: string) {
  const service = { store: new Store(file), settings: settle({ now, ...options }) };
  prepareFleet(service);
  return service;
}

test("two fleets of the same size have the same agents", () => {
  const [first, again, larger] = [world(), world(), world({ agents: 200 })].map((settings) => fleetOf(settings).list());
  expect(first).toHaveLength(25);
  expect(again).toEqual(first);
  expect(larger?.slice(0, 25)).toEqual(first);
  expect(new Set(larger?.map(({ id }) => id)).size).toBe(200);
  expect(new Set(larger?.map(({ body }) => body.computerName)).size).toBe(200);
  for (const { id } of larger ?? [])
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the first agent of a fleet has the local machine's name and addresses", () => {
  const service = world();
  const local = localAgent(service);
  expect(local).toBe(fleetOf(service).list()[0]);
  expect([local?.aid, local?.body.computerName, local?.body.status]).toEqual(["1001", hostname(), "enabled"]);
  const here = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith("fe80:"));
  const addresses = local?.body.networkInterfaceProfiles.flatMap(({ addressProfiles }) => addressProfiles);
  expect(addresses?.map(({ ipAddress }) => ipAddress).toSorted()).toEqual(here.toSorted());
  expect(local?.facts.username).toEqual([userInfo().username.toLowerCase()]);
});

test("the agents of a large fleet vary in each attribute", () => {
  const agents = fleetOf(world({ agents: 1000 })).list();
  const shares = (of: (agent: (typeof agents)[number]) => string) => {
    const counts = new Map<string, number>();
    for (const agent of agents) counts.set(of(agent), (counts.get(of(agent)) ?? 0) + 1);
    return Object.fromEntries(
      [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, n]) => [name, Math.round(n / 100) / 10]),
    );
  };
  expect(shares(({ aid }) => aid)).toEqual({ "1001": 0.5, "1002": 0.3, "1003": 0.2 });
  expect(Object.keys(shares(({ body }) => body.platform))).toEqual(["linux", "mac", "phoneos", "roomos", "windows"]);
  expect(Object.keys(shares(({ body }) => body.licenseType))).toEqual(["advantage", "embedded", "essentials"]);
  expect(Object.keys(shares(({ body }) => body.status))).toEqual(["disabled", "enabled"]);
  expect(Object.keys(shares(({ body }) => body.agentType))).toEqual(["endpoint", "endpoint-csc", "endpoint-pulse"]);
  expect(Object.keys(shares(({ body }) => body.version)).length).toBeGreaterThan(2);
  expect(Object.keys(shares(({ body }) => body.location.locationName)).length).toBeGreaterThan(8);
  expect(Object.keys(shares(({ facts }) => facts["vpn-vendor"].join(" "))).length).toBe(4);
  expect(Object.keys(shares(({ facts }) => facts.connection.join(" "))).toSorted()).toEqual(["Ethernet", "Wireless"]);
});

test("the attributes of an agent are consistent with each other", () => {
  const network = (text: string) => ipRange(text) ?? { first: "", last: "" };
  for (const { id, body } of fleetOf(world({ agents: 500 }))
    .list()
    .slice(1)) {
    for (const { hardwareType, addressProfiles, wirelessProfile, ethernetProfile } of body.networkInterfaceProfiles) {
      expect([id, hardwareType === "wireless"]).toEqual([id, wirelessProfile !== undefined]);
      expect([id, hardwareType === "ethernet"]).toEqual([id, ethernetProfile !== undefined]);
      for (const { ipAddress, prefixLength, gateway } of addressProfiles) {
        const near = network(`${gateway ?? ipAddress}/${prefixLength}`);
        expect([id, contains(near, addressKey(ipAddress) ?? "")]).toEqual([id, true]);
      }
    }
    for (const { vpnClientAddresses, vpnClientNetworkRange } of body.vpnProfiles) {
      expect(contains(network(vpnClientNetworkRange[0] ?? ""), addressKey(vpnClientAddresses[0] ?? "") ?? "")).toBe(true);
    }
    // Offices have their own network. Agents at home use VPNs.
    const atOffice = body.asnDetails?.asName === "Example Business Network";
    expect([id, atOffice]).toEqual([id, body.publicIP.startsWith("198.51.100.")]);
    expect([id, atOffice && body.vpnProfiles.length > 0]).toEqual([id, false]);
    expect([id, body.npcapVersion !== undefined]).toEqual([id, body.platform === "windows"]);
  }
});

test.each([0, 1, 10_000])("the emulator creates a fleet of %i agents", async (agents) => {
  const service = world({ agents });
  expect(fleetOf(service).list()).toHaveLength(agents);
  expect(localAgent(service) !== undefined).toBe(agents > 0);
});

test.each([-1, 100_001, 1.5])("the emulator rejects %p as the number of agents", async (agents) => {
  await expect(start({ agents })).rejects.toMatchObject({ code: "INVALID_OPTION", message: expect.stringContaining("agents") });
});

test("the emulator rejects an unknown license type in its options", async () => {
  const licenses: Record<string, number> = { platinum: 1 };
  await expect(start({ licenses })).rejects.toMatchObject({ message: expect.stringContaining("platinum") });
});

test("the emulator stores changes to the fleet in the data file", async () => {
  const folder = temporary();
  const dataFile = join(folder, "records.db");
  const first = await Bench.start({ dataFile, agents: 3 });
  const [id] = await first.stored("agents");
  await first.call("PATCH", `/v7/endpoint/agents/${id}`, { body: { name: "Mine" } });
  await first.close();
  const second = await Bench.start({ dataFile, agents: 10 });
  expect(await second.stored("agents")).toHaveLength(3);
  const { body } = await second.call("GET", `/v7/endpoint/agents/${id}`);
  expect([body.name, body.computerName]).toEqual(["Mine", hostname()]);
  await second.call("POST", "/_emulator/reset");
  expect(await second.stored("agents")).toHaveLength(10);
  expect((await second.call("GET", `/v7/endpoint/agents/${id}`)).body.name).toBe(hostname());
  await second.close();
});
