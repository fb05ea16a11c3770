/**
 * How long the emulator takes at its full size: 10,000 agents, 2,000 tests, 200 labels. Prints medians; fails nothing.
 *
 * node tools/bench/emulator-size.mjs [FOLDER OF THE BUILD, default dist]
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";

const dist = resolve(process.argv[2] ?? "dist");
const load = createRequire(import.meta.url);
const { start } = load(`${dist}/emulator/index.js`);
const { Store } = load(`${dist}/emulator/store.js`);
const { settle } = load(`${dist}/emulator/options.js`);
const { fleetOf, prepareFleet } = load(`${dist}/emulator/fleet/fleet.js`);
const { labels } = load(`${dist}/emulator/model/labels.js`);
const { testCollection } = load(`${dist}/emulator/model/tests.js`);
const { agentsOfLabel, agentsRunning, testsRunBy } = load(`${dist}/emulator/selection.js`);
const { agents } = load(`${dist}/emulator/model/agents.js`);

const size = { agents: 10_000, tests: 2000, labels: 200 };
const aids = ["1001", "1002", "1003"];

/** Runs something several times and prints its median and worst time in milliseconds. */
async function time(name, runs, work) {
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await work(run);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const [median, worst] = [times[Math.floor(runs / 2)], times.at(-1)];
  process.stdout.write(
    `${name.padEnd(52)} median ${median.toFixed(1).padStart(7)} ms, worst ${worst.toFixed(1).padStart(7)} ms\n`,
  );
}

const filterOf = (n) =>
  [
    { key: "hostname", values: [`lon-*${n % 10}`, "*-m0*"] },
    { key: "local-network", values: [`10.${n % 50}.0.0/16`, "192.168.0.0/16"] },
    { key: "platform", values: ["Windows", "Linux"] },
    { key: "username", values: ["*silva", "a*.b*"] },
  ].map((filter) => ({ mode: n % 2 === 0 ? "in" : "not-in", ...filter }));

const labelOf = (n) => ({ name: `label ${n}`, color: "#d9d9d9", matchType: n % 3 === 0 ? "and" : "or", filters: filterOf(n) });
const selectionOf = (n, labelIds) =>
  n % 2 === 0 ? { agentSelectorType: "all-agents" } : { agentSelectorType: "agent-labels", endpointAgentLabels: labelIds };

await time("start, 25 agents", 5, async () => (await start()).close());
await time("start, 10,000 agents", 3, async () => (await start({ agents: size.agents })).close());

const settings = settle({ agents: size.agents });
const store = new Store();
const service = { store, settings };
prepareFleet(service);
const rows = [];
store.together(() => {
  for (let n = 0; n < size.labels; n += 1) rows.push(store.insert(labels, aids[n % 3], () => labelOf(n)));
  for (let n = 0; n < size.tests; n += 1) {
    const aid = aids[n % 3];
    const own = rows.filter((row) => row.aid === aid);
    const body = { isEnabled: true, isPrioritized: n % 9 === 0, maxMachines: n % 4 === 0 ? 100_000 : 25 };
    store.insert(testCollection("dynamic-tests"), aid, () => ({ ...body, ...selectionOf(n, [own[n % own.length].id]) }));
  }
});
const local = fleetOf(service).list()[0];
const touch = (run) => store.replace(agents, local.id, { ...local.body, name: `name ${run}` });

await time("fleet read from the store", 1, () => fleetOf(service).list());
await time("a label matched, first time", 200, (run) => agentsOfLabel(service, rows[run]));
await time("a label matched, known", 200, (run) => agentsOfLabel(service, rows[run]));
await time("a label matched, after an agent changed", 50, (run) => {
  touch(run);
  agentsOfLabel(service, rows[run]);
});
await time("what an agent runs, after an agent changed", 10, (run) => {
  touch(run);
  testsRunBy(service, local.id);
});
await time("what an agent runs, known", 200, () => testsRunBy(service, local.id));
await time("agents that run a test, known", 200, () => agentsRunning(service, { id: "281474976710656", aid: aids[0] }));
store.close();

const emulator = await start({ agents: size.agents, rateLimit: "off" });
const send = async (method, path, body) => {
  const answer = await fetch(`${emulator.url}${path}`, {
    method,
    headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};
for (let n = 0; n < size.labels; n += 1) await send("POST", "/v7/endpoint/labels", labelOf(n));
for (let n = 0; n < size.tests; n += 1) {
  await send("POST", "/v7/endpoint/tests/dynamic-tests/agent-to-server", { testName: `test ${n}`, application: "webex" });
}
const all = "expand=clients,vpnProfiles,networkInterfaceProfiles";
await time("GET agents, a page of 100", 50, () => send("GET", `/v7/endpoint/agents?${all}`));
await time("GET agents, a page of 1,000", 10, () => send("GET", `/v7/endpoint/agents?max=1000&${all}`));
await time("GET agents by name", 50, () => send("GET", "/v7/endpoint/agents?agentName=LON-L00042"));
await time("POST agents/filter, sorted, a page of 100", 20, () =>
  send("POST", "/v7/endpoint/agents/filter", { searchFilters: { username: ["a"] }, searchSort: [{ sort: "city" }] }),
);
await time("PATCH of an agent, then a page", 20, async (run) => {
  await send("PATCH", `/v7/endpoint/agents/${local.id}`, { name: `name ${run}` });
  await send("GET", "/v7/endpoint/agents");
});
await time("GET labels, a page of 100", 50, () => send("GET", "/v7/endpoint/labels?expand=filters"));
await time("GET dynamic tests, all 2,000", 10, () => send("GET", "/v7/endpoint/tests/dynamic-tests/agent-to-server"));
await emulator.close();
