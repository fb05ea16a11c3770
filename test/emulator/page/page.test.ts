import { get } from "node:http";
import fc from "fast-check";
import { settle } from "../../../emulator/options";
import { EmulatorPage } from "../../../emulator/page/page";
import { Server } from "../../../emulator/server";
import { Store } from "../../../emulator/store";
import { Tokens } from "../../../emulator/tokens";
import { amount, seed } from "../../support/amount";
import { useEmulator } from "../../support/emulator";
import { hostileNames } from "../../support/hostile-names";
import { look, paths } from "../support";

const emulator = useEmulator();
beforeEach(() => emulator.reset());

const sections = ["/", "/agents", "/labels", "/tags", "/tests", "/requests"];
const text = async (path: string) => (await look(emulator.url, path)).text();

/** Changes a record outside of the service. */
const change = (record: string, body: object) => emulator.call("PATCH", `/_emulator/records/${record}`, body);

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
  expect(emulator.emulator.requests()).toEqual({});
});

test("the page of a damaged record shows an error", async () => {
  const label = await emulator.create(paths.label, { name: "One", matchType: "or", filters: [] });
  await change(`labels/${label}`, { filters: 5 });
  const answer = await look(emulator.url, `/labels/${label}`);
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("The page failed")]);
});

test("pages escape all text from users", async () => {
  const pieces = "<script> </title> \" ' & <!-- ]]> </bdi> \u202e javascript: ` ${x} é".split(" ");
  const name = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join("")}<zz`);
  await fc.assert(
    fc.asyncProperty(name, async (written) => {
      emulator.reset();
      const label = await emulator.create(paths.label, {
        name: written,
        matchType: "or",
        filters: [{ key: "ssid", values: [written] }],
      });
      const test = await emulator.create(paths.agentToServer, {
        testName: written,
        server: "www.example.com",
        agentSelectorType: "agent-labels",
        endpointAgentLabels: [label],
      });
      await change(`agent-to-server-tests/${test}`, { server: written });
      const agent = /"\/agents\/([^"]+)"/.exec(await text("/agents"))?.[1] ?? "";
      await change(`agents/${agent}`, { name: written, computerName: written, location: { locationName: written } });
      await ask(`${paths.label}?x=<zz'`);
      const search = `?search=${encodeURIComponent(written)}`;
      const all = [...sections, `/labels/${label}`, `/tests/${test}`, `/agents/${agent}`];
      for (const path of [...all, `/agents${search}`, `/labels${search}`, `/tests${search}`, "/page/requests?limit=9"]) {
        const markup = await text(path);
        expect(markup).not.toContain("<zz");
        expect(markup.match(/<script/g) ?? []).toHaveLength(path.startsWith("/page/") ? 0 : 1);
      }
    }),
    { numRuns: amount(8, 25), seed: seed(1) },
  );
});

test("200 hostile names add no control characters, elements or script links to a page", async () => {
  // The service rejects control characters and long names, so the test changes records outside of the service.
  const [first = "", ...others] = hostileNames;
  const filters = [{ key: "hostname", values: ["a"] }];
  const id = await emulator.create(paths.label, { name: "a", matchType: "or", filters });
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
