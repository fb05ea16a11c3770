import type { Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { closeServer, eventually, makeTest, portOf, silentServer } from "../loopback";
import { Bench, example, type Json, shapeDifferences } from "../support";
import { skipIdleTime } from "../../support/idle-time";

skipIdleTime();

let bench: Bench;
let servers: [Server, Server];
let ports: number[];
let testId: string;

const results = () => `/v7/endpoint/test-results/dynamic-tests/${testId}`;
const rounds = async (): Promise<Json[]> => (await bench.call("POST", `${results()}/network/filter`)).body.results;
const open = async (body: object) => bench.call("POST", "/_emulator/sessions", { body });

beforeAll(async () => {
  bench = await Bench.start({ speed: 60 });
  servers = [silentServer(), silentServer()];
  ports = await Promise.all(servers.map((server) => portOf(server)));
  testId = await makeTest(bench, "dynamic", { application: "webex" });
});
afterAll(async () => {
  await bench.close();
  await Promise.all(servers.map(closeServer));
});

const unknown =
  /\.(networkProfile\.\w+|vpnProfile|batteryMetrics|cellularProfile|ztaMetrics|score|isIcmpBlocked|errorDetails|userProfile|cpuUtilization|next|webex|udpProbeMode|asnDetails|sourcePrefix|location|udpPathTraceMode|rdns|prefix|network|labels\[\d\].*) is absent$/;

test("each measurement round of a dynamic test contains the test's open sessions", async () => {
  expect(await rounds()).toEqual([]);
  for (const port of ports) {
    const { status, body } = await open({ testId, server: "127.0.0.1", port });
    expect([status, body]).toEqual([200, { id: expect.any(String) }]);
  }
  const both = await eventually(async () => {
    const all = await rounds();
    const [newest] = all;
    const together = all.filter(({ roundId }) => roundId === newest?.roundId);
    return together.length === 2 ? together : undefined;
  });
  expect(new Set(both.map(({ originalTargetProfile }) => originalTargetProfile.remotePort))).toEqual(new Set(ports));
  expect(both).toMatchObject([{ application: "webex", protocol: "tcp", loss: 0 }, { application: "webex" }]);

  const { body } = await bench.call("POST", `${results()}/network/filter?expand=user-profile`);
  const differences = shapeDifferences(body, example("results.dynamic.network.filter.response"));
  expect(differences.filter((difference) => !unknown.test(difference))).toEqual([]);
  const asIs = await bench.call("POST", `${results()}/network/filter`, {
    body: example("results.dynamic.network.filter.request"),
  });
  expect([asIs.status, asIs.body.results]).toEqual([200, []]);
});

test.each(["pathvis", "path-vis"])("the dynamic test results at /%s contain network paths", async (spelling) => {
  const [newest] = (await rounds()) as [Json];
  const listed = await bench.call("GET", `${results()}/${spelling}`);
  const differences = shapeDifferences(listed.body, example("results.dynamic.pathVis.list.response"));
  expect(differences.filter((difference) => !unknown.test(difference))).toEqual([]);
  expect(listed.body.results.map(({ server }: Json) => server)).toContain(`127.0.0.1:${ports[0]}`);
  const detail = await bench.call("GET", `${results()}/${spelling}/agent/${newest.agentId}/round/${newest.roundId}`);
  const inDetail = shapeDifferences(detail.body, example("results.dynamic.pathVis.get.response"));
  expect(inDetail.filter((difference) => !unknown.test(difference))).toEqual([]);
});

test("the emulator does not measure a closed session of a dynamic test", async () => {
  for (const id of await bench.stored("sessions")) {
    expect((await bench.call("DELETE", `/_emulator/sessions/${id}`)).status).toBe(204);
    expect((await bench.call("DELETE", `/_emulator/sessions/${id}`)).status).toBe(404);
  }
  // A measurement that began before may still end.
  let before = -1;
  while (before !== (await rounds()).length) {
    before = (await rounds()).length;
    await delay(1_000);
  }
  await delay(1_500);
  expect((await rounds()).length).toBe(before);
});

test("the emulator never contacts the remote host of a session", async () => {
  expect((await open({ testId: "5", server: "127.0.0.1", port: 1 })).status).toBe(404);
  expect((await open({ testId, server: "127.0.0.1" })).body.errors).toMatchObject([{ field: "port" }]);
  const before = (await rounds()).length;
  expect((await open({ testId, server: "www.example.com", port: 443 })).status).toBe(200);
  await delay(300);
  expect((await rounds()).length).toBe(before);
});
