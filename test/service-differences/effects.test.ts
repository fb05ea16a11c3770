/** Runs the emulator with each variation. A variation changes the client's view, and the client still works. */
import type { Emulator } from "../../emulator";
import { omit, start, type VariedOptions, vary } from "../support/variations/start";
import { variations } from "../support/variations";
import { skipIdleTime } from "../support/idle-time";
import type { Json } from "../support/variations/variation";

skipIdleTime();

interface Seen {
  request: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}

const authorization = "Bearer emulator-token";
const label = {
  name: " Büro  & Cafe\u0301 of the whole company ",
  matchType: "or",
  color: "#AbCdEf",
  filters: [
    { key: "platform", mode: "in", values: ["Windows", "Mac", "Mac"] },
    { key: "hostname", mode: "in", values: ["*"] },
  ],
};
const paths = {
  label: "/v7/endpoint/labels",
  network: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  http: "/v7/endpoint/tests/scheduled-tests/http-server",
  dynamic: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
};

/** A lifecycle of a label and two tests from a client's view. Changing texts are removed. */
async function life(url: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  const call = async (method: string, path: string, body?: object): Promise<Seen> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    const text = (await answer.text()).replaceAll(url, "").replaceAll(/"[^"]*-?\d\d-\d\dT[^"]*"/g, '"date"');
    const { date: _date, ...headers } = Object.fromEntries(answer.headers);
    for (const name of Object.keys(headers)) if (name.endsWith("-reset") || name.endsWith("-remaining")) delete headers[name];
    if (headers["location"]) headers["location"] = headers["location"].replace(url, "");
    const exchange = { request: `${method} ${path}`, status: answer.status, headers, text };
    seen.push(exchange);
    return exchange;
  };
  await call("GET", "/v7/account-groups");
  await call("POST", paths.label, label);
  const labels = await call("GET", `${paths.label}?expand=filters`);
  const id = /"id":"?(\d+)/.exec(labels.text)?.[1] ?? "400000000000001";
  await call("GET", `${paths.label}/${id}?expand=filters`);
  const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [id], maxMachines: 150_000 };
  await call("POST", paths.network, { testName: " Office ", server: "VPN.example.com", interval: 60, ...selection });
  await call("POST", paths.http, { testName: "Site", url: "https://WWW.example.com", ...selection });
  const user = { authType: "basic", username: "probe.user", password: "a password" };
  await call("POST", paths.http, { testName: "Page", url: "https://WWW.example.com/a?b=1", ...user });
  await call("POST", paths.dynamic, { testName: "Calls", application: "webex" });
  await call("GET", paths.http);
  const tests = await call("GET", paths.network);
  const testId = /"testId":"?(\d+)/.exec(tests.text)?.[1] ?? "281474976710656";
  await call("PATCH", `${paths.network}/${testId}`, { testName: "Renamed", isEnabled: false });
  await call("GET", `${paths.network}/${testId}`);
  await call("GET", paths.network);
  await call("DELETE", `${paths.network}/${testId}`);
  await call("GET", paths.network);
  await call("GET", `${paths.network}/${testId}`);
  return seen;
}

const emulators: Emulator[] = [];
afterEach(async () => {
  await Promise.all(emulators.splice(0).map((running) => running.close()));
});
async function emulator(options: VariedOptions): Promise<Emulator> {
  const started = await start({ ...options });
  emulators.push(started);
  return started;
}

let usual: Seen[];
beforeAll(async () => {
  usual = await life((await emulator({})).url);
});

test("the lifecycle of a record always has the same result without an API variation", async () => {
  expect(await life((await emulator({})).url)).toEqual(usual);
});

test("the emulator has at least 80 API variations with unique names", () => {
  expect(variations.length).toBeGreaterThanOrEqual(80);
  expect(new Set(variations.map(({ name }) => name)).size).toBe(variations.length);
});

test.each(variations)("the API variation $name changes the emulator's responses: $changes", async ({ name, takesTime }) => {
  const changed = await life((await emulator({ as: [takesTime ? `${name}=150ms` : name] })).url);
  const showsInTime = name === "slow";
  expect(JSON.stringify(changed) === JSON.stringify(usual)).toBe(showsInTime);
});

test("the emulator combines several API variations", async () => {
  const { url } = await emulator({ as: ["trim-names", "gzip", "create-200"] });
  const answer = await fetch(url + paths.label, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(label),
  });
  expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "gzip"]);
  expect(await answer.json()).toMatchObject({ name: label.name.trim() });
});

test("an API variation omits members of records", async () => {
  const running = await emulator({});
  const headers = { authorization, "content-type": "application/json" };
  const create = async () => {
    const body = JSON.stringify({ testName: "Portal", url: "https://www.example.com" });
    return (await fetch(running.url + paths.http, { method: "POST", headers, body })).json();
  };
  const list = async (path: string): Promise<Json> => (await fetch(running.url + path, { headers })).json();
  await create();
  omit(running, "tests.httpServer.list", ["interval", "_links", "agentSelectorConfig.maxMachines"]);
  omit(running, "tests.httpServer.create", ["testId"]);
  const answer = await list(paths.http);
  expect(answer).not.toHaveProperty("_links");
  const [record] = answer.tests;
  for (const member of ["interval", "_links"]) expect(record).not.toHaveProperty(member);
  expect(record).toMatchObject({ testName: "Portal", agentSelectorConfig: { agentSelectorType: "all-agents" } });
  expect(record.agentSelectorConfig).not.toHaveProperty("maxMachines");
  const created = await create();
  expect(created).not.toHaveProperty("testId");
  expect(created).toHaveProperty("interval");
  omit(running, "tests.httpServer.list", []);
  expect((await list(paths.http)).tests[0]).toHaveProperty("interval");
  omit(running, "*", ["accountGroupName"]);
  expect((await list("/v7/account-groups")).accountGroups[0]).not.toHaveProperty("accountGroupName");
});

test("a running emulator changes its API variations on request", async () => {
  const running = await emulator({ as: ["gzip"] });
  const encoding = async () =>
    (await fetch(running.url + paths.label, { headers: { authorization } })).headers.get("content-encoding");
  expect(await encoding()).toBe("gzip");
  expect(() => vary(running, "lag=soon")).toThrow('"soon" of lag is no time, such as 500ms or 3s');
  expect(await encoding()).toBe("gzip");
  vary(running, "br");
  expect(await encoding()).toBe("br");
  running.reset();
  vary(running);
  expect(await encoding()).toBe(null);
});

test.each([
  ["nonsense", 'there is no variation "nonsense"'],
  ["gzip=3s", "gzip takes no time"],
  ["lag=3", '"3" of lag is no time, such as 500ms or 3s'],
])("the emulator does not start with the invalid API variation %s", async (name, message) => {
  await expect(start({ as: [name] })).rejects.toThrow(message);
});
