import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { type Emulator, start } from "../../emulator";
import { settle } from "../../emulator/options";
import { EmulatorPage } from "../../emulator/page/page";
import { Server } from "../../emulator/server";
import { Store } from "../../emulator/store";
import { Tokens } from "../../emulator/tokens";
import { paths } from "../emulator/support";
import { amount, seed } from "../support/amount";
import { hostileNames } from "../support/hostile-names";
import { call } from "../support/call";
import { look, tagOfAgents, tagsPath } from "./support";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await start({ rateLimit: "off" });
});
afterEach(() => emulator.close());

const sections = ["/", "/agents", "/labels", "/tags", "/tests", "/requests"];
const text = async (path: string) => (await look(emulator.url, path)).text();
const make = (path: string, body: unknown) => call(emulator.url, "POST", path, body);

/** Changes a record outside of the service. */
const change = (record: string, body: object) => call(emulator.url, "PATCH", `/_emulator/records/${record}`, body);

/** Sends a request with an unencoded path, which `fetch` would encode. */
const ask = (path: string) =>
  new Promise((resolve, reject) => {
    get(emulator.url, { path }, (answer) => resolve(answer.resume())).on("error", reject);
  });

test.each(sections)("the page %s loads no external resource", async (path) => {
  const answer = await look(emulator.url, path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self';/);
  const markup = await answer.text();
  expect(markup).toMatch(/^<!doctype html>\s*<html lang="en">/);
  expect(markup).not.toMatch(/\b(?:src|href|action)="(?:\w+:|\/\/)|\son\w+=|style="/);
});

test.each(["/page/style.css", "/page/script.js", "/page/icon.svg"])(
  "a browser may cache the file %s until the file changes",
  async (path) => {
    const first = await look(emulator.url, path, {});
    expect(first.status).toBe(200);
    const again = await look(emulator.url, path, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  },
);

test.each([
  ["/tests", { accept: "application/json" }],
  ["/labels", { accept: "*/*" }],
  ["/nothing", { accept: "text/html" }],
  ["/labels/1/2", { accept: "text/html" }],
  ["/v7/endpoint/nothing", { accept: "text/html" }],
])("GET %s with %j returns a JSON response with status 404", async (path, headers) => {
  const answer = await look(emulator.url, path, headers);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
});

test.each(["/agents/no", "/labels/%", "/tags/7", "/tests/7"])(
  "GET %s returns a page that reports a missing record",
  async (path) => {
    const answer = await look(emulator.url, path);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("has no record with the id")]);
  },
);

test("the emulator serves pages only to loopback addresses", () => {
  const settings = settle({});
  const store = new Store();
  const server = new Server({ settings, store, tokens: new Tokens(settings) }, new AbortController().signal);
  const page = new EmulatorPage(server);
  const url = { target: "/", pathname: "/", query: new URLSearchParams(), origin: "http://x", body: Buffer.alloc(0) };
  const answer = (method: string, fromLoopback: boolean) =>
    page.answer({ ...url, method, headers: { accept: "text/html" }, fromLoopback })?.status;
  expect([answer("GET", true), answer("HEAD", true), answer("GET", false), answer("POST", true)]).toEqual([
    200,
    200,
    undefined,
    undefined,
  ]);
  store.close();
});

test("the list of requests omits requests for pages", async () => {
  for (const path of sections) await look(emulator.url, path);
  expect(emulator.requests()).toEqual({});
});

test("a label's page shows its rule, current agents and tests", async () => {
  const label = await make(paths.label, {
    name: "Any host",
    color: "#123456",
    matchType: "and",
    filters: [
      { key: "hostname", values: ["*"] },
      { key: "platform", mode: "not-in", values: ["Mac"] },
    ],
  });
  await make(paths.httpServer, {
    testName: "Uses it",
    url: "https://x.example",
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label["id"]],
  });
  const markup = await text(`/labels/${String(label["id"])}`);
  for (const shown of ["Any host", "hostname", "not in", "#123456", "Uses it", 'href="/agents/'])
    expect(markup).toContain(shown);
  expect(await text("/labels")).toContain(`/labels/${String(label["id"])}`);
});

test("a tag's page shows its rule, agents and tests", async () => {
  const filters = [
    { key: "hostname", values: ["*"] },
    { key: "platform", mode: "not-in", values: ["Mac"] },
    { key: "Büro", scope: "custom", values: ["Köln"] },
  ];
  const tag = await make(tagsPath, {
    ...tagOfAgents,
    color: "#123456",
    key: "team",
    value: "sre",
    description: "On call",
    matchType: "or",
    filters,
  });
  const id = String(tag["id"]);
  await make(paths.httpServer, {
    testName: "Uses it",
    url: "https://x.example",
    agentSelectorType: "agent-tags",
    tagIds: [id],
  });
  const { agents } = (await call(emulator.url, "GET", `/_emulator/tags/${id}/agents`)) as {
    agents: { id: string; name: string }[];
  };
  expect(agents.length).toBeGreaterThan(1);
  const markup = await text(`/tags/${id}`);
  for (const shown of ["team: sre", "On call", "endpoint-agent", "hostname", "not in", "Büro", "Köln", "#123456", "Uses it"])
    expect(markup).toContain(shown);
  expect(markup).toMatch(new RegExp(`<h2>${agents.length} agents now</h2>`));
  expect(await text(`/agents/${agents[0]?.id}`)).toContain(`/tags/${id}`);
  const list = await text("/tags");
  expect(list).toContain(`/tags/${id}`);
  const rowOf = (name: string): string => list.split("<tr").find((row) => row.includes(name)) ?? "";
  // The same numbers of agents and tests as the control API and the program above.
  expect(
    rowOf("team: sre")
      .match(/class="number"[^>]*>([\d,]+)</g)
      ?.map((cell) => cell.replace(/[^\d]*(\d+)<$/, "$1")),
  ).toEqual([String(agents.length), "1"]);
  expect(await text("/tags?search=SRE")).toContain("team: sre");
  expect(await text("/tags?search=other")).toContain("No tag has this text in its name.");
  const test = await text("/tests");
  const testPath = /href="(\/tests\/[^"?]+)"/.exec(test)?.[1] ?? "";
  expect(await text(testPath)).toContain(`/tags/${id}`);
});

test("a static tag's page shows its assignments", async () => {
  const tag = await make(tagsPath, {
    key: "site",
    value: "HQ",
    objectType: "endpoint-test",
    type: "static",
    accessType: "all",
  });
  await make(`${tagsPath}/${String(tag["id"])}/assign`, { assignments: [{ id: "281474976710999", type: "endpoint-test" }] });
  expect(await text("/tags")).toContain("assigned to 1 object");
  const markup = await text(`/tags/${String(tag["id"])}`);
  for (const shown of ["site: HQ", "static", "281474976710999", "0 agents now", "Agents can have only dynamic tags."])
    expect(markup).toContain(shown);
});

test("a record's page shows the record's account group", async () => {
  const label = await make(`${paths.label}?aid=1002`, { name: "Branch", matchType: "or", filters: [] });
  const markup = await text(`/labels/${String(label["id"])}`);
  expect(markup).toContain("account group 1002");
  expect(await text("/labels")).not.toContain("Branch<");
  expect(await text("/labels?aid=1002")).toContain("Branch<");
  expect(await text("/labels?aid=9")).toContain("account group 1001");
});

test("the list of requests shows each request with its status", async () => {
  await make(paths.label, { name: "One", matchType: "or", filters: [] });
  await fetch(`${emulator.url}${paths.label}/7?aid=1002`, { headers: { authorization: "Bearer emulator-token" } });
  const markup = await text("/requests");
  for (const shown of ["labels.create", ">201<", ">404<", "Branch offices", "2 requests"]) expect(markup).toContain(shown);
  const rows = await look(emulator.url, "/page/requests?after=0&limit=9");
  expect((await rows.text()).match(/<tr/g)).toHaveLength(2);
  const newest = Number(/data-number="(\d+)"/.exec(markup)?.[1]);
  expect((await (await look(emulator.url, `/page/requests?after=${newest}&limit=9`)).text()).trim()).toBe("");
  emulator.reset();
  const empty = await look(emulator.url, "/page/requests?after=0&limit=9");
  expect([(await empty.text()).trim(), Number(empty.headers.get("x-oldest"))]).toEqual(["", newest + 1]);
});

test("the page of a damaged record shows an error", async () => {
  const label = await make(paths.label, { name: "One", matchType: "or", filters: [] });
  await change(`labels/${String(label["id"])}`, { filters: 5 });
  const answer = await look(emulator.url, `/labels/${String(label["id"])}`);
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("The page failed")]);
});

test("a page shows measurements as a plot and as text", async () => {
  const target = createServer((_request, response) => response.end("here"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address. Only a server on a pipe has a name.
  const { port } = target.address() as AddressInfo;
  // The first round starts at once, the next one a minute later.
  const running = await start({ rateLimit: "off" });
  try {
    const measured = async (body: object, path: string) => {
      const { testId } = await call(running.url, "POST", path, { testName: "Measured", ...body });
      for (let looks = 0; looks < 100; looks += 1) {
        const markup = await (await look(running.url, `/tests/${String(testId)}`)).text();
        if (markup.includes('class="plot"')) return markup;
        await delay(50);
      }
      throw new Error("No round after five seconds");
    };
    const request = await measured({ url: `http://127.0.0.1:${port}/` }, paths.httpServer);
    for (const shown of ["Time of the request: 1 round, all", ">200<", "127.0.0.1"]) expect(request).toContain(shown);
    const refused = await measured({ server: "127.0.0.1", port: 1, agentSelectorType: "all-agents" }, paths.agentToServer);
    for (const shown of ["Latency: 1 round, 1 failed", ">failed<", "ECONNREFUSED"]) expect(refused).toContain(shown);
    const instant = await measured({ url: `http://127.0.0.1:${port}/` }, `${paths.httpServer}/instant`);
    for (const shown of [">instant<", "on demand", ">200<"]) expect(instant).toContain(shown);
    const list = await (await look(running.url, "/tests")).text();
    expect(list.match(/class="spark"/g)).toHaveLength(3);
  } finally {
    await running.close();
    target.close();
  }
});

test("pages escape all text from users", async () => {
  const piece = fc.constantFrom(
    "<script>",
    "</title>",
    '"',
    "'",
    "&",
    "<!--",
    "]]>",
    "</bdi>",
    "\u202e",
    "javascript:",
    "`",
    "${x}",
    "é",
  );
  const name = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `${pieces.join("")}<zz`);
  await fc.assert(
    fc.asyncProperty(name, async (written) => {
      emulator.reset();
      const label = await make(paths.label, { name: written, matchType: "or", filters: [{ key: "ssid", values: [written] }] });
      const test = await make(paths.agentToServer, {
        testName: written,
        server: "www.example.com",
        agentSelectorType: "agent-labels",
        endpointAgentLabels: [label["id"]],
      });
      await change(`agent-to-server-tests/${String(test["testId"])}`, { server: written });
      const agent = /"\/agents\/([^"]+)"/.exec(await text("/agents"))?.[1] ?? "";
      await change(`agents/${agent}`, { name: written, computerName: written, location: { locationName: written } });
      await ask(`${paths.label}?x=<zz'`);
      const search = `?search=${encodeURIComponent(written)}`;
      const all = [...sections, `/labels/${String(label["id"])}`, `/tests/${String(test["testId"])}`, `/agents/${agent}`];
      for (const path of [...all, `/agents${search}`, `/labels${search}`, `/tests${search}`, "/page/requests?limit=9"]) {
        const markup = await text(path);
        expect(markup).not.toContain("<zz");
        expect(markup.match(/<script/g) ?? []).toHaveLength(path.startsWith("/page/") ? 0 : 1);
      }
    }),
    { numRuns: amount(8, 25), seed: seed(1) },
  );
});

test("the list of agents divides a large fleet into pages", async () => {
  const large = await start({ rateLimit: "off", agents: 10_000 });
  const markup = async (path: string) => (await look(large.url, path)).text();
  const first = await markup("/agents");
  expect(first.match(/<tr/g)).toHaveLength(51);
  const [, pages = ""] = /Page 1 of ([\d,]+)/.exec(first) ?? [];
  expect(Number(pages)).toBeGreaterThan(50);
  expect(await markup(`/agents?page=${pages}`)).toContain(`Page ${pages} of ${pages}`);
  const [, name = ""] = /<bdi>(\w+-\w+)<\/bdi>/.exec(await markup("/agents?page=40")) ?? [];
  const found = await markup(`/agents?search=${name.toLowerCase()}`);
  expect(found.match(/<tr/g)).toHaveLength(2);
  expect(found).toContain(name);
  await large.close();
});

test("200 hostile names add no control characters, elements or script links to a page", async () => {
  // The service rejects control characters and long names, so the test changes records outside of the service.
  const [first = "", ...others] = hostileNames;
  const filters = [{ key: "hostname", values: ["a"] }];
  const { id } = (await make("/v7/endpoint/labels", { name: "a", matchType: "or", filters })) as { id: string };
  const plain = await text(`/labels/${id}`);
  const elements = (markup: string) => (markup.match(/<(?:script|img|a|form|iframe|button)\b/gi) ?? []).length;
  for (const name of [first, ...others]) {
    await change(`labels/${id}`, { name, filters: [{ key: "hostname", values: [name] }] });
    const page = await text(`/labels/${id}`);
    for (const markup of [page, await text("/labels")]) {
      // Line breaks and tabs are white space in a page.
      expect([name, /(?![\n\t\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.exec(markup)?.[0]]).toEqual([name, undefined]);
      expect([name, /(?:href|src|action)="(?!\/|#|\?)[^"]*"/i.exec(markup)?.[0]]).toEqual([name, undefined]);
    }
    expect([name, elements(page)]).toEqual([name, elements(plain)]);
  }
});
