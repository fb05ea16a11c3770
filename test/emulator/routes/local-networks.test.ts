import { networkInterfaces } from "node:os";
import { Bench, example, type Json, shapeDifferences } from "../support";

const path = "/v7/endpoint/test-results/local-networks";
const addresses = Object.values(networkInterfaces())
  .flat()
  .filter((address) => address && !address.internal && !address.address.startsWith("fe80:"))
  .map((address) => address?.address);

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.close());

/** Attributes that require other hosts or hardware that a machine may lack. */
const unknown =
  /\.(publicIp\w+|networkProfile\.\w+|vpnProfile|batteryMetrics|cellularProfile|\w+Score|dnsServerTest|isIcmpBlocked|tcpConnect|icmp\w+|target|targetPort|coordinates|systemMetricDetails|cpuUtilization|next) is absent$/;

test("the list of local networks contains this machine's networks", async () => {
  const { status, body } = await bench.call("GET", path);
  expect(status).toBe(200);
  expect(body.localNetworks).toHaveLength(addresses.length);
  const differences = shapeDifferences(body, example("results.localNetworks.list.response"));
  expect(differences.filter((difference) => !unknown.test(difference))).toEqual([]);
  // The agent on this machine belongs to the first account group.
  expect((await bench.call("GET", `${path}?aid=1002`)).body.localNetworks).toEqual([]);
});

test("a user can read the topology of a local network by its id", async () => {
  const { status, body } = await bench.call("POST", `${path}/topologies/filter`);
  expect(status).toBe(200);
  expect(body.results).toHaveLength(addresses.length);
  const differences = shapeDifferences(body, example("results.localNetworks.topologies.filter.response"));
  expect(differences.filter((difference) => !unknown.test(difference))).toEqual([]);
  const seen: string[] = [];
  for (const { networkTopologyId, agentId } of body.results) {
    const detail = await bench.call("GET", `${path}/topologies/${encodeURIComponent(networkTopologyId)}`);
    const absent = shapeDifferences(detail.body, example("results.localNetworks.topologies.get.response"));
    expect(absent.filter((difference) => !unknown.test(difference))).toEqual([]);
    expect(detail.body.results).toMatchObject([{ networkTopologyId, agentId }]);
    seen.push(detail.body.results[0].networkProfile.ipAddress);
  }
  expect(seen).toEqual(addresses);
  expect((await bench.call("GET", `${path}/topologies/none`)).status).toBe(404);
});

test("a topology search applies filters and time ranges", async () => {
  const search = async (body: Json, query = "") => {
    const answer = await bench.call("POST", `${path}/topologies/filter${query}`, { body });
    return [answer.status, answer.body.results?.length];
  };
  const all = addresses.length;
  expect(await search(example("results.localNetworks.topologies.filter.request"))).toEqual([200, 0]);
  const agents = await bench.call("GET", "/v7/endpoint/agents");
  expect(await search({ searchFilters: { agentId: [agents.body.agents[0].id] } })).toEqual([200, all]);
  expect(await search({ searchFilters: { agentId: [agents.body.agents[1].id] } })).toEqual([200, 0]);
  for (const { networkId } of (await bench.call("GET", path)).body.localNetworks) {
    expect(await search({ searchFilters: { networkId: [networkId] } })).toEqual([200, 1]);
  }
  expect(await search({ searchFilters: { type: ["vpn"] } })).toEqual([200, 0]);
  expect(await search({ thresholdFilter: { filters: [{ name: "loss", value: 0, operator: "gte" }] } })).toEqual([200, 0]);
  expect(await search({}, "?startDate=2020-01-01T00:00:00Z&endDate=2020-01-02T00:00:00Z")).toEqual([200, 0]);
  expect(await search({}, "?window=1h&endDate=2020-01-02T00:00:00Z")).toEqual([400, undefined]);
});
