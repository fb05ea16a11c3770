import { answerControl } from "../../emulator/control";
import { Problem } from "../../emulator/problem";
import { settle } from "../../emulator/options";
import { RequestLog } from "../../emulator/requests";
import { Server } from "../../emulator/server";
import { Store } from "../../emulator/store";
import { Tokens } from "../../emulator/tokens";
import { digest } from "../support/digest";
import { Bench, minimal, paths } from "./support";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.close());

const control = (method: string, path: string, body?: unknown) =>
  bench.call(method, `/_emulator/${path}`, { body, token: null });
const create = (path = "") => bench.call("POST", paths.httpServer + path, { body: { ...minimal.httpServer, password: "p" } });

test("the emulator counts requests by operation and ignores control requests", async () => {
  await create("?aid=1002");
  await create();
  await bench.call("GET", `${paths.label}/7`);
  const operations = { "labels.get": 1, "tests.httpServer.create": 2 };
  expect((await control("GET", "requests")).body).toEqual({ total: 3, operations });
  expect(bench.emulator.requests()).toEqual(operations);
  const { log } = (await control("GET", "requests?log=true")).body;
  const made = { operation: "tests.httpServer.create", method: "POST", status: 201 };
  expect(log).toEqual([
    { ...made, path: `${paths.httpServer}?aid=1002`, aid: "1002" },
    { ...made, path: paths.httpServer },
    { operation: "labels.get", method: "GET", path: `${paths.label}/7`, status: 404 },
  ]);
  expect(bench.emulator.log()).toEqual(log);
  await control("POST", "requests/reset");
  expect((await control("GET", "requests?log=true")).body).toEqual({ total: 0, operations: {}, log: [] });
});

test("the log keeps only the newest 1,000 requests, but the counters include all requests", () => {
  const log = new RequestLog();
  for (let n = 0; n < 1002; n += 1) {
    log.count("labels.get");
    log.add({ operation: "labels.get", method: "GET", path: `${paths.label}/${n}`, status: 404 }, { at: 0, durationMs: 1 });
  }
  const entries = log.entries();
  expect([entries.length, entries[0]?.path, log.counts()]).toEqual([1000, `${paths.label}/2`, { "labels.get": 1002 }]);
});

test("the control API changes records without validation", async () => {
  const made = await create();
  const path = `records/http-server-tests/${made.body.testId}`;
  expect((await control("GET", path)).body).toMatchObject({
    id: made.body.testId,
    aid: "1001",
    body: { password: digest("p") },
  });
  const changed = await control("PATCH", path, {
    isPrioritized: true,
    agentSelectorType: "agent-tags",
    tagIds: ["t"],
    username: "u",
  });
  expect(changed.body.body).toMatchObject({ password: digest("p"), isPrioritized: true });
  await control("PATCH", path, { password: null });
  expect((await control("GET", path)).body.body).not.toHaveProperty("password");
  const got = await fetch(`${bench.url}${paths.httpServer}/${made.body.testId}`, {
    headers: { authorization: "Bearer emulator-token" },
  });
  expect(await got.json()).toMatchObject({
    isPrioritized: true,
    username: "u",
    agentSelectorConfig: { agentSelectorType: "agent-tags", tagIds: ["t"], maxMachines: 25 },
  });
  expect((await control("GET", "records/http-server-tests")).body).toEqual({
    records: [{ id: made.body.testId, aid: "1001" }],
  });
});

test("the emulator's test client rejects a response that does not match the API document", async () => {
  const { body } = await bench.call("POST", paths.label, { body: minimal.label });
  await control("PATCH", `records/labels/${body.id}`, { color: 5 });
  await expect(bench.call("GET", `${paths.label}/${body.id}`)).rejects.toThrow("/color must be string");
});

test.each(["by the control API", "in process"])(
  "a reset of the emulator %s restores the initial state but keeps tokens",
  async (how) => {
    const form = { grant_type: "client_credentials", client_id: "emulator", client_secret: "emulator-secret" };
    const issued = await bench.call("POST", "/v7/oauth2/token", { raw: new URLSearchParams(form), token: null });
    const first = await create();
    await control("POST", "faults", { kind: "drop-before", n: 9 });
    if (how === "by the control API") await control("POST", "reset");
    else bench.emulator.reset();
    expect(bench.emulator.requests()).toEqual({});
    const listed = await bench.call("GET", paths.httpServer, { token: issued.body.access_token });
    expect(listed.body.tests).toEqual([]);
    expect((await create()).body.testId).toBe(first.body.testId);
  },
);

test("the control API accepts requests from this machine only", () => {
  const settings = settle({});
  const store = new Store();
  const server = new Server({ settings, store, tokens: new Tokens(settings) }, new AbortController().signal);
  const pathname = "/_emulator/requests";
  const url = { method: "GET", pathname, target: pathname, query: new URLSearchParams(), origin: "http://x" };
  const from = (fromLoopback: boolean) => {
    try {
      return answerControl(server, { ...url, headers: {}, body: Buffer.alloc(0), fromLoopback }).status;
    } catch (error) {
      return error instanceof Problem && error.status;
    }
  };
  expect([from(true), from(false)]).toEqual([200, 403]);
  store.close();
});

test.each([
  ["GET", "nothing", undefined, 404],
  ["DELETE", "requests", undefined, 404],
  ["GET", "records/labels/7", undefined, 404],
  ["PATCH", "records/labels/7", {}, 404],
  ["POST", "faults", { kind: 1 }, 400],
  ["POST", "faults", undefined, 400],
  ["GET", "records/%", undefined, 400],
])("the control request %s /_emulator/%s with the body %j gets status %i", async (method, path, body, status) => {
  const answer = await control(method, path, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ status });
});
