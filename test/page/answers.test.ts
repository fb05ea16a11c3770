/** Tests pages that explain why a test has no results and which requests a program sent, as the server renders them. */
import { createServer, type Server } from "node:http";
import { type Emulator, type EmulatorOptions, start } from "../../emulator";
import { maxBodies } from "../../emulator/requests";
import { eventually } from "../emulator/loopback";
import { paths } from "../emulator/support";
import { call, headers } from "../support/call";
import { look } from "./support";

let emulator: Emulator;
let target: Server;
let port: number;
beforeAll(async () => {
  target = createServer((_request, response) => response.end("here"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const address = target.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterEach(() => emulator.close());
afterAll(() => {
  target.close();
  target.closeAllConnections();
});

const begin = async (options: EmulatorOptions = {}) => {
  emulator = await start({ rateLimit: "off", ...options });
};
const text = async (path: string) => (await look(emulator.url, path)).text();
const make = async (path: string, body: object) => {
  const made = await call(emulator.url, "POST", path, body);
  return String(made["testId"] ?? made["id"]);
};
const here = () => ({ server: "127.0.0.1", port });
const flat = (markup: string) => markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
/** The machine's own agent is first. */
const local = async (): Promise<string> =>
  /"\/agents\/([^"]+)"/.exec(
    /<th role="rowheader"[^>]*>(?:(?!<\/th>).)*this machine/s.exec(await text("/agents"))?.[0] ?? "",
  )?.[1] ?? "";

describe("tests without measurement rounds", () => {
  const cases: Record<string, readonly [reason: string, prepare: () => Promise<string>]> = {
    disabled: [
      "The test is disabled.",
      async () => {
        const id = await make(paths.agentToServer, { testName: "A", server: "www.example.com" });
        await call(emulator.url, "PATCH", `${paths.agentToServer}/${id}`, { isEnabled: false });
        return id;
      },
    ],
    "not selected": [
      "The test does not select this machine's agent",
      () =>
        make(paths.agentToServer, {
          testName: "A",
          ...here(),
          agentSelectorType: "specific-agents",
          agents: ["00000000-0000-4000-8000-000000000000"],
        }),
    ],
    "a target that is not allowed": [
      "The target www.example.com:443 may not be contacted",
      () => make(paths.httpServer, { testName: "A", url: "https://www.example.com" }),
    ],
    "no session": [
      "No session of the test's application is open",
      () => make(paths.dynamic, { testName: "A", application: "zoom" }),
    ],
    "another account group": [
      "This machine's agent is in another account group.",
      () => make(`${paths.agentToServer}?aid=1002`, { testName: "A", ...here() }),
    ],
    "an agent that is off": [
      "This machine's agent is disabled.",
      async () => {
        await call(emulator.url, "POST", `/v7/endpoint/agents/${await local()}/disable`);
        return make(paths.agentToServer, { testName: "A", ...here() });
      },
    ],
    "a full license": [
      "The license of this machine's agent is full: essentials runs 4 tests at once",
      async () => {
        await call(emulator.url, "PATCH", `/v7/endpoint/agents/${await local()}`, { licenseType: "essentials" });
        for (let n = 0; n < 4; n += 1) await make(paths.dynamic, { testName: "First", application: "zoom" });
        return make(paths.agentToServer, { testName: "A", ...here() });
      },
    ],
  };

  test.each(Object.entries(cases))(
    "the page of a test shows why the test has no measurement rounds: %s",
    async (_name, [reason, prepare]) => {
      await begin();
      const id = await prepare();
      const readable = (markup: string) => flat(markup).replaceAll("&#39;", "'");
      expect(readable(await text(`/tests/${id}`))).toContain(`Not measured. ${reason}`);
      const aid = reason.includes("another account") ? "?aid=1002" : "";
      expect(readable(await text(`/tests${aid}`))).toContain(reason);
    },
  );

  test("the page of a test with measurement rounds shows no reason for missing rounds", async () => {
    await begin();
    const id = await make(paths.agentToServer, { testName: "A", ...here() });
    expect(flat(await text(`/tests/${id}`))).not.toContain("Not measured");
    await eventually(async () => ((await text("/tests")).includes('class="spark"') ? true : undefined));
    expect(flat(await text("/tests"))).not.toMatch(/No (more )?rounds/);
  });
});

test("failing tests are first in the list of tests and on the overview", async () => {
  await begin();
  const failing = await make(paths.agentToServer, { testName: "Fails", server: "127.0.0.1", port: 1 });
  for (let n = 0; n < 3; n += 1) await make(paths.agentToServer, { testName: `Works ${n}`, ...here() });
  for (const path of ["/tests", "/"]) {
    const names = await eventually(async () => {
      const markup = await text(path);
      const found = [...markup.matchAll(/<bdi>((?:Fails|Works) ?\d?)<\/bdi>/g)].map(([, name]) => name);
      return (markup.match(/class="spark"/g) ?? []).length === 4 ? found : undefined;
    });
    expect(names[0]).toBe("Fails");
  }
  expect(flat(await text(`/tests/${failing}`))).toMatch(/The last round failed\. [^.]*ECONNREFUSED/);
});

test("the page of a test shows the test's agents but no password", async () => {
  await begin({ agents: 60 });
  const label = await make(paths.label, { name: "All hosts", matchType: "or", filters: [{ key: "hostname", values: ["*"] }] });
  const gone = await make(paths.label, { name: "Deleted later", matchType: "or", filters: [] });
  const id = await make(paths.httpServer, {
    testName: "Portal",
    url: `http://127.0.0.1:${port}/x`,
    authType: "basic",
    username: "probe",
    password: "s3cret-word",
    httpTimeLimit: 2500,
    targetResponseTime: 800,
    sslVersionId: "6",
    verifyCertificate: false,
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label, gone],
  });
  await call(emulator.url, "DELETE", `${paths.label}/${gone}`);
  const markup = await text(`/tests/${id}`);
  const shown = flat(markup);
  for (const fact of [
    "authType basic",
    "username probe",
    "password set, not shown",
    "httpTimeLimit 2500",
    "targetResponseTime 800",
    "sslVersionId 6",
    "verifyCertificate false",
    `All hosts , ${gone} (does not exist) ; at most 25`,
    "and 22 more",
  ])
    expect(shown).toContain(fact);
  expect(markup).not.toContain("s3cret-word");
  // The agents are above the rounds.
  expect(shown.indexOf("Runs on")).toBeLessThan(shown.indexOf(" Rounds "));
});

describe("the list of requests", () => {
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(emulator.url + path, { headers: { authorization: headers.authorization, ...more } });
  const rows = (markup: string) =>
    markup
      .split('<tr role="row" data-number')
      .slice(1)
      .map((row) => /<code>(\w+).*?class="badge \w+">(\w+)<.*?<code class="whole">([^<]+)</s.exec(row) ?? [])
      .map(([, method, status, operation]) => `${method} ${operation}, ${status}`);

  test("a user can search the list of requests by method, path, operation and status", async () => {
    await begin();
    await make(paths.label, { name: "One", matchType: "or", filters: [] });
    await get(`${paths.label}/7?aid=1002`);
    await get(`${paths.label}?aid=1002`);
    await get(paths.label, { "x-emulator-fault": "drop-before" }).catch(() => undefined);
    const of = async (query: string) => rows(await text(`/requests?${query}`));
    expect(await of("")).toHaveLength(4);
    expect(await of("search=404")).toEqual(["GET labels.get, 404"]);
    expect(await of("search=aid=1002")).toEqual(["GET labels.list, 200", "GET labels.get, 404"]);
    expect(await of("search=dropped+LABELS.list")).toEqual(["GET labels.list, dropped"]);
    expect(await of("search=post")).toEqual(["POST labels.create, 201"]);
    expect(rows(await text("/page/requests?limit=9&search=404"))).toEqual(["GET labels.get, 404"]);
    expect(await text("/requests?search=nothing")).toContain("No request matches the search.");
  });

  test("the list of requests shows at most 50 requests on each page", async () => {
    await begin();
    for (let n = 0; n < 120; n += 1) await get(`${paths.label}/${n}`);
    const pages = await Promise.all([1, 2, 3].map((page) => text(`/requests?page=${page}`)));
    expect(pages.map((markup) => rows(markup).length)).toEqual([50, 50, 20]);
    expect(pages[0]).toContain('href="/requests?page=2"');
    expect(pages[1]).not.toContain("data-live=");
  });

  test("the page of a request shows the request body and the response body without secrets", async () => {
    await begin();
    await make(paths.httpServer, { testName: "Portal", url: "https://x.example", password: "s3cret-word" });
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "emulator",
      client_secret: "emulator-secret",
    });
    const issued = (await (await fetch(`${emulator.url}/v7/oauth2/token`, { method: "POST", body: form })).json()) as {
      access_token: string;
    };
    await fetch(emulator.url + paths.httpServer, { method: "POST", headers, body: '{"password": "s3cret-word",' });
    const links = [...(await text("/requests")).matchAll(/href="(\/requests\/\d+)"/g)].map(([, path = ""]) => path);
    expect(links).toHaveLength(3);
    const [broken = "", token = "", created = ""] = await Promise.all(links.map(text));
    for (const markup of [broken, token, created]) {
      for (const secret of ["s3cret-word", "emulator-secret", issued.access_token]) expect(markup).not.toContain(secret);
      expect(flat(markup)).toMatch(/Duration [\d.,]+ ms/);
    }
    expect(created).toContain("&quot;password&quot;: &quot;(hidden)&quot;");
    expect(created).toContain("&quot;testName&quot;: &quot;Portal&quot;");
    expect(token).toContain("client_secret=(hidden)");
    expect(token).toContain("&quot;access_token&quot;: &quot;(hidden)&quot;");
    expect(broken).toContain("characters that are not valid JSON");
    expect(broken).toContain("Request body is not valid JSON");
  });

  test("the page of a request omits a large body", async () => {
    await begin({ agents: 200 });
    await get("/v7/endpoint/agents?max=1000&expand=clients,vpnProfiles,networkInterfaceProfiles");
    const path = /href="(\/requests\/\d+)"/.exec(await text("/requests"))?.[1] ?? "";
    expect(flat(await text(path))).toMatch(/\([\d,]{6,} bytes: too large to keep\)/);
  });

  test("the emulator keeps only the bodies of the newest requests", async () => {
    await begin();
    for (let n = 0; n <= maxBodies; n += 1) await get(`${paths.label}/${n}`);
    const number = Number(/href="\/requests\/(\d+)"/.exec(await text("/requests"))?.[1]);
    expect(await text(`/requests/${number - maxBodies + 1}`)).toContain("was not found");
    const oldest = await text(`/requests/${number - maxBodies}`);
    expect(oldest).toContain(`The emulator keeps the bodies of only the last ${maxBodies} requests`);
    expect((await look(emulator.url, "/requests/5")).status).toBe(404);
  });
});

test("the page /emulator shows the URL, credentials, rate limit and pending faults", async () => {
  const own = { token: "own-token", clientId: "own-id", clientSecret: "own-secret" };
  await begin({ ...own, rateLimit: 100 });
  await fetch(`${emulator.url}/v7/account-groups`, { headers: { authorization: "Bearer own-token" } });
  await call(emulator.url, "POST", "/_emulator/faults", { kind: "status", status: 502, operation: "labels.list", n: 3 });
  const shown = flat(await text("/emulator"));
  for (const fact of [
    `ENDPOINT_MONITORING_BASE_URL=${emulator.url}`,
    "ENDPOINT_MONITORING_TOKEN=own-token",
    "ENDPOINT_MONITORING_CLIENT_ID=own-id",
    "ENDPOINT_MONITORING_CLIENT_SECRET=own-secret",
    "99 of 100 a minute",
    "status any method, labels.list 3 status 502",
  ])
    expect(shown).toContain(fact);
});

test("the control API deletes a scheduled fault by the fault's id", async () => {
  await begin();
  for (const kind of ["drop-before", "drop-after"]) await call(emulator.url, "POST", "/_emulator/faults", { kind });
  const { faults } = (await (await fetch(`${emulator.url}/_emulator/faults`)).json()) as { faults: { id: string }[] };
  await call(emulator.url, "DELETE", `/_emulator/faults/${faults[0]?.id}`);
  expect(await (await fetch(`${emulator.url}/_emulator/faults`)).json()).toMatchObject({ faults: [{ kind: "drop-after" }] });
  await expect(call(emulator.url, "DELETE", "/_emulator/faults/99")).rejects.toThrow("404");
});
