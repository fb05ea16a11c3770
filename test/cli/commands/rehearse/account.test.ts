/** Tests the copy of an account for a rehearsal, and the time of its requests under a rate limit. */
import { allOperations, operations, type Answer } from "../../../../api";
import { readOnly, Account, AccountAnswers } from "../../../../cli/commands/rehearse/account";
import { delayUnder } from "../../../../cli/commands/rehearse/forecast";
import { type Emulator, type EmulatorOptions, start } from "../../../../emulator";
import { startTwin, type TimedRequest, type AccountTwin } from "../../../../emulator/twin/start";
import { Session } from "../../../../provider/session";
import { readSettings } from "../../../../api";
import { bodyOf, kindCases, recordKinds } from "../../../support/kinds";
import { amount } from "../../../support/amount";
import { call } from "../../../support/call";

let live: Emulator;
let twin: AccountTwin | undefined;
const sessions: Session[] = [];
afterEach(async () => {
  await twin?.close();
  twin = undefined;
  await Promise.all(sessions.splice(0).map((session) => session.client.close()));
  await live.close();
});

/** Reads an emulator's account as a rehearsal does. */
async function opened(token = "emulator-token"): Promise<{ session: Session; account: Account; answers: AccountAnswers }> {
  const answers = new AccountAnswers();
  const settings = readSettings((name) => ({ baseUrl: live.url, token })[name as "baseUrl"], {});
  const client = { ...settings.client, onAnswer: (answer: Answer) => answers.note(answer) };
  const session = new Session({ ...settings, client }, readOnly);
  sessions.push(session);
  return { session, account: await Account.of(session), answers };
}

const post = (path: string, body: object): Promise<unknown> => call(live.url, "POST", path, body);

/** A response without the emulator's own URL. */
async function answered(url: string, token: string, path: string): Promise<unknown> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  return JSON.parse((await answer.text()).replaceAll(url, ""));
}

async function seeded(options: EmulatorOptions = {}): Promise<void> {
  live = await start({ rateLimit: "off", agents: 12, ...options });
  for (const kind of recordKinds) {
    const { path, minimal, full } = kindCases[kind];
    await post(path, bodyOf(kind, minimal));
    await post(path, bodyOf(kind, { ...full, ...("testName" in full && { testName: "Full" }) }));
  }
}

const lists = [
  "/v7/account-groups",
  "/v7/endpoint/labels?expand=filters",
  "/v7/tags?expand=assignments",
  ...["agentToServerTests", "httpServerTests", "dynamicTests"].map((area) => operations[area as "dynamicTests"].list.path),
];

test("a copied account returns the original lists and gives new records unused ids", async () => {
  await seeded();
  const { account } = await opened();
  twin = await startTwin(account);
  for (const path of lists) {
    const copy = await answered(twin.url, twin.token, path);
    expect(copy).toEqual(await answered(live.url, "emulator-token", path));
    expect(JSON.stringify(copy).length).toBeGreaterThan(200);
  }
  const expand = "/v7/endpoint/agents?expand=clients&expand=vpnProfiles&expand=networkInterfaceProfiles";
  const [copy, original] = [await answered(twin.url, twin.token, expand), await answered(live.url, "emulator-token", expand)];
  const still = (page: unknown): unknown =>
    (page as { agents: Record<string, unknown>[] }).agents.map(({ lastSeen: _moving, ...agent }) => agent);
  expect(still(copy)).toEqual(still(original));

  const headers = { authorization: `Bearer ${twin.token}`, "content-type": "application/json" };
  const body = JSON.stringify(bodyOf("label", kindCases["label"].minimal));
  const made = await fetch(`${twin.url}/v7/endpoint/labels`, { method: "POST", headers, body });
  expect(made.status).toBe(201);
  const { labels } = (await answered(live.url, "emulator-token", "/v7/endpoint/labels")) as { labels: { id: string }[] };
  expect(labels.map(({ id }) => id)).not.toContain(((await made.json()) as { id: string }).id);
});

test("a rehearsal's client refuses every operation that writes", async () => {
  await seeded();
  const { session } = await opened();
  const before = Object.keys(live.requests());
  for (const [area, calls] of Object.entries(operations)) {
    const writing = Object.entries(calls).filter(([, { writes }]) => writes);
    for (const [name] of writing) {
      const clientCall = (session.client as unknown as Record<string, Record<string, () => unknown>>)[area]?.[name];
      expect(clientCall).toThrow("A rehearsal only reads");
    }
  }
  expect(Object.keys(live.requests())).toEqual(before);
  expect(allOperations().filter(({ writes }) => writes).length).toBeGreaterThan(20);
});

test("a rehearsal copies an account group only once", async () => {
  await seeded();
  const { account, answers } = await opened();
  twin = await startTwin(account);
  expect(answers.count).toBe(1);
  const [first, second] = account.accountGroups;
  await Promise.all([1, 2, 3].map(() => answered(twin?.url ?? "", twin?.token ?? "", "/v7/endpoint/labels")));
  expect([twin.copied(), answers.count]).toEqual([[first.aid], 7]);
  const transfers = [{ agentId: "none", fromAid: first.aid, toAid: second?.aid }];
  const headers = { authorization: `Bearer ${twin.token}`, "content-type": "application/json" };
  await fetch(`${twin.url}/v7/endpoint/agents/transfer/bulk`, { method: "POST", headers, body: JSON.stringify({ transfers }) });
  expect([twin.copied(), answers.count]).toEqual([[first.aid, second?.aid], 13]);
});

test("a copied account refuses the real account's token and unknown base URLs", async () => {
  await seeded();
  twin = await startTwin((await opened()).account);
  expect(twin.strayed()).toBe(false);
  const headers = { authorization: "Bearer emulator-token" };
  expect((await fetch(`${twin.url}/v7/endpoint/labels`, { headers })).status).toBe(401);
  expect(twin.strayed()).toBe(true);
  expect((await fetch(`${twin.url}/_rehearsal/x/v7/endpoint/labels`, { headers })).status).toBe(421);
});

test("a rehearsal copies 1,000 records and 10,000 agents with at most 20 requests", async () => {
  const count = amount(200, 1_000);
  live = await start({ rateLimit: "off", agents: amount(1_000, 10_000) });
  for (let i = 0; i < count; i += 1) {
    if (i % 2 === 0)
      await post("/v7/endpoint/labels", {
        name: `Label ${i}`,
        matchType: "or",
        filters: [{ key: "platform", values: ["Mac"] }],
      });
    else await post(operations.agentToServerTests.list.path, { testName: `Test ${i}`, server: "example.com" });
  }
  const { account, answers } = await opened();
  twin = await startTwin(account);
  await twin.copy([account.accountGroups[0].aid]);
  expect(account.records).toBe(count);
  expect(answers.count).toBeLessThanOrEqual(20);
});

describe("predicted delay under a rate limit", () => {
  const requests = (count: number, operation = "labels.create"): TimedRequest[] =>
    Array.from({ length: count }, (_, i) => ({ operation, status: 201, from: 1_000 + i, to: 1_010 + i }));

  beforeEach(async () => {
    live = await start({ agents: 0 });
  });

  test("20 requests do not wait under a rate limit of 240 requests per minute", async () => {
    expect(await delayUnder(240, requests(20))).toBeLessThan(50);
    expect(await delayUnder(240, [])).toBe(0);
  });

  test("requests beyond the rate limit wait for later windows", async () => {
    const delay = await delayUnder(240, requests(600));
    expect(delay / 60_000).toBeGreaterThan(1.9);
    expect(delay / 60_000).toBeLessThan(3);
    expect(await delayUnder(600, requests(600))).toBeLessThan(delay / 2);
  });

  test("instant tests have their own rate limit", async () => {
    expect(await delayUnder(240, requests(30, "tests.run"))).toBeGreaterThan(20_000);
    expect(await delayUnder(10, requests(100, "token.issue"))).toBeLessThan(50);
  });
});
