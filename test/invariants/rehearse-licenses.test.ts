/** Runs updates that create more tests than licenses permit, in each order of the tests. */
import { operations, readSettings } from "../../api";
import { Account } from "../../cli/commands/rehearse/account";
import { type Emulator, start } from "../../emulator";
import { startTwin, type AccountTwin } from "../../emulator/twin/start";
import { Random } from "../../emulator/fleet/random";
import { Session } from "../../provider/session";
import { amount, seed } from "../support/amount";

interface NewTest {
  testName: string;
  server: string;
  isPrioritized: boolean;
  agentSelectorType: string;
  agents?: string[];
  maxMachines: number;
}

const path = operations.agentToServerTests.list.path;
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

let live: Emulator;
afterEach(() => live.close());

async function call(url: string, token: string, way: string, body?: object): Promise<never> {
  const [method = "", target = ""] = way.split(" ");
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...(target.startsWith("/_emulator") && { "x-emulator-control": "test" }),
  };
  const answer = await fetch(url + target, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${way}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as never;
}

/** Agents that run each test of the copy, by test name: the forecast, and the copy's current agents. */
async function agentsIn(twin: AccountTwin) {
  const all = twin.agentsOfTests().after.map(async ({ id, testName, running, undecided }) => {
    const { agents } = (await call(twin.url, twin.token, `GET /_emulator/tests/${id}/agents`)) as {
      agents: { id: string; runs: boolean }[];
    };
    const now = agents.filter(({ runs }) => runs).map((agent) => agent.id);
    return [testName, { running: running.toSorted(), undecided: undecided.toSorted(), now: now.toSorted() }] as const;
  });
  return new Map(await Promise.all(all));
}

const first = seed(1);
const cases = amount(3, 60);

test(`the license forecast is correct for ${orders.length} creation orders of new tests: ${cases} accounts from seed ${first}`, async () => {
  let undecided = 0;
  live = await start({ rateLimit: "off", agents: 9 });
  for (let number = first; number < first + cases; number += 1) {
    live.reset();
    const random = new Random(number);
    const { agents } = (await call(live.url, "emulator-token", "GET /v7/endpoint/agents?aid=1001")) as {
      agents: { id: string }[];
    };
    for (const { id } of agents) {
      const licenseType = random.pick(["embedded", "embedded", "embedded", "essentials"]);
      await call(live.url, "", `PATCH /_emulator/records/agents/${id}`, { licenseType, status: "enabled" });
    }
    const made = (testName: string): NewTest => ({
      testName,
      server: `${testName}.example.com`,
      isPrioritized: random.chance(0.25),
      maxMachines: random.pick([2, 25]),
      ...(random.chance(0.5)
        ? { agentSelectorType: "all-agents" }
        : {
            agentSelectorType: "specific-agents",
            agents: agents.filter((_, at) => at === 0 || random.chance(0.6)).map(({ id }) => id),
          }),
    });
    const oldTests = Array.from({ length: random.between(0, 2) }, (_, at) => made(`old-${at}`));
    for (const oldTest of oldTests) await call(live.url, "emulator-token", `POST ${path}?aid=1001`, oldTest);
    const fresh = [0, 1, 2].map((at) => made(`new-${at}`));

    const session = new Session(readSettings((name) => ({ baseUrl: live.url, token: "emulator-token" })[name as "token"], {}));
    const predictions: Awaited<ReturnType<typeof agentsIn>>[] = [];
    for (const order of orders) {
      const account = await Account.of(session);
      const twin = await startTwin(account);
      await twin.copy(["1001"]);
      for (const at of order) await call(twin.url, twin.token, `POST ${path}?aid=1001`, fresh[at]);
      predictions.push(await agentsIn(twin));
      await twin.close();
    }
    await session.client.close();
    for (const [testName, { running, undecided: open }] of predictions[0] ?? []) {
      const all = predictions.map((prediction) => prediction.get(testName));
      expect(all.map((prediction) => [prediction?.running, prediction?.undecided])).toEqual(all.map(() => [running, open]));
      const always = agents.flatMap(({ id }) => (all.every((prediction) => prediction?.now.includes(id)) ? [id] : []));
      const sometimes = agents.flatMap(({ id }) => (all.some((prediction) => prediction?.now.includes(id)) ? [id] : []));
      expect({ number, testName, always: always.toSorted(), sometimes: sometimes.toSorted() }).toEqual({
        number,
        testName,
        always: running,
        sometimes: [...running, ...open].toSorted(),
      });
      undecided += open.length;
    }
  }
  expect(undecided).toBeGreaterThanOrEqual(cases / 2);
});
