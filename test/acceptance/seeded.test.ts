/** The acceptance suite finds no difference in the emulator. If a proxy changes a response, only the affected checks differ. */
import { createServer } from "node:http";
import { request as sendRequest } from "undici";
import { rows } from "../../tools/acceptance/rows";
import { Session } from "../../tools/acceptance/session";
import { type Finding, runSuite } from "../../tools/acceptance/suite";
import { closeServer, portOf } from "../emulator/loopback";
import { amount, isLong, seed as seedOf } from "../support/amount";
import { type ChangedResponse, type Seed, seeds } from "./seeds";
import { accessTo, Account } from "./support";
import { skipIdleTime } from "../support/idle-time";

let account: Account;
// The account ends before the clock, because its timers cannot be cleared after the clock has stopped.
afterAll(() => account.end());
skipIdleTime();
beforeAll(async () => {
  account = await Account.start();
});

/** Forwards requests to the emulator, and changes the responses of the seeds. */
async function proxy(together: readonly Seed[]): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const { method = "GET", url = "/", headers } = request;
    const { host, connection: _connection, "content-length": _length, ...rest } = headers;
    const answer = await sendRequest(account.emulator.url + url, {
      method: method,
      headers: rest,
      body: sent.length > 0 ? sent : undefined,
    });
    const text = (await answer.body.text()).replaceAll(account.emulator.url, `http://${host}`);
    const kept = Object.entries(answer.headers as Record<string, string>).filter(
      ([name]) => !/^(content-length|connection|keep-alive|date)$/.test(name),
    );
    const changed: ChangedResponse = { status: answer.statusCode, headers: Object.fromEntries(kept), body: parsed(text) };
    const location = changed.headers["location"];
    if (location !== undefined) changed.headers["location"] = location.replace(account.emulator.url, `http://${host}`);
    const { pathname, searchParams } = new URL(url, "http://service");
    const original = { method, path: pathname, query: searchParams, headers, body: parsed(sent.toString()) };
    for (const seed of together) seed.change(original, changed);
    const answered = changed.body === undefined ? "" : JSON.stringify(changed.body);
    response.writeHead(changed.status, { ...changed.headers, "content-length": Buffer.byteLength(answered) }).end(answered);
  });
  const port = await portOf(server);
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

async function findingsAt(url: string): Promise<{ findings: Finding[]; session: Session }> {
  const session = new Session(accessTo(url, { agentId: account.agentId }));
  return { findings: await runSuite(session, { rows, operations: true }), session };
}

const differing = (findings: readonly Finding[]): string[] =>
  findings.filter(({ outcome }) => outcome === "differs").map(({ id }) => id);

test("the acceptance command finds no difference in the emulator and leaves no records", async () => {
  const { findings, session } = await findingsAt(account.emulator.url);
  expect(findings.filter(({ outcome }) => outcome === "differs")).toEqual([]);
  // A row that cannot run on a used account has a reason.
  const unknown = findings.filter(({ outcome }) => outcome === "unknown");
  expect(unknown.filter(({ reason }) => (reason ?? "") === "")).toEqual([]);
  const reasons = new Set(rows.flatMap((row) => ("reason" in row ? [row.id] : [])));
  expect(unknown.filter(({ part, id }) => part === "row" && !reasons.has(id))).toEqual([]);
  expect(unknown.filter(({ part }) => part === "operation").map(({ id }) => id)).toEqual([
    "account.usage",
    "account.user",
    "account.role",
    "agents.delete",
    "agents.transfer",
    "apiTokens.regenerate",
  ]);
  expect([...session.own]).toEqual([]);
  // The default budget is sufficient for the lifecycles of the resource types.
  expect(session.sent).toBeLessThan(430);
});

/** The long form runs each seed separately. The short form runs every n-th seed, all of them together. */
const few = 4;
const step = Math.ceil(seeds.length / amount(few, seeds.length));
const chosen = seeds.filter((_, at) => (at + seedOf(0)) % step === 0).map((make) => make());
const runs = isLong ? chosen.map((seed) => [seed]) : [chosen];

test.each(runs.map((together) => [together.map(({ what }) => what).join("; "), together] as const))(
  "only the affected acceptance checks report the changed responses: %s",
  async (_, together) => {
    const { url, close } = await proxy(together);
    try {
      const { findings } = await findingsAt(url);
      const expected = together.flatMap(({ checks }) => checks);
      expect(differing(findings).toSorted()).toEqual(expected.toSorted());
      const rowsFound = findings.filter(({ id, part }) => part === "row" && expected.includes(id));
      for (const { file, exchanges = [] } of rowsFound) {
        expect(file).toMatch(/^(emulator|api)\/.*\.ts$/);
        expect(exchanges.length).toBeGreaterThan(0);
        expect(JSON.stringify(exchanges)).not.toMatch(/emulator-secret|emulator-token/);
      }
    } finally {
      await close();
    }
  },
);

test("the test table contains more than thirty changed responses", () => expect(seeds.length).toBeGreaterThan(30));
