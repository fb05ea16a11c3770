import { maxBodies } from "../../../emulator/requests";
import { headers } from "../../support/call";
import { useEmulator } from "../../support/emulator";
import { flat, look, paths } from "../support";

const emulator = useEmulator({ agents: 200 });
beforeEach(() => emulator.reset());

const text = async (path: string) => (await look(emulator.url, path)).text();
const get = (path: string, more: Record<string, string> = {}) =>
  fetch(emulator.url + path, { headers: { authorization: headers.authorization, ...more } });
const label = { name: "One", matchType: "or", filters: [] };
const rows = (markup: string) =>
  markup
    .split('<tr role="row" data-number')
    .slice(1)
    .map((row) => /<code>(\w+).*?class="badge \w+">(\w+)<.*?<code class="whole">([^<]+)</s.exec(row) ?? [])
    .map(([, method, status, operation]) => `${method} ${operation}, ${status}`);

test("the list of requests shows each request with its status, the newest first", async () => {
  await emulator.create(paths.label, label);
  await get(`${paths.label}/7?aid=1002`);
  const markup = await text("/requests");
  for (const shown of ["Branch offices", "2 requests"]) expect(markup).toContain(shown);
  expect(rows(markup)).toEqual(["GET labels.get, 404", "POST labels.create, 201"]);
  expect(rows(await text("/page/requests?after=0&limit=9"))).toEqual(rows(markup));
  const newest = Number(/data-number="(\d+)"/.exec(markup)?.[1]);
  expect((await text(`/page/requests?after=${newest}&limit=9`)).trim()).toBe("");
  expect(rows(await text(`/page/requests?after=${newest - 1}&limit=9`))).toEqual(["GET labels.get, 404"]);
  emulator.reset();
  const empty = await look(emulator.url, "/page/requests?after=0&limit=9");
  expect([(await empty.text()).trim(), Number(empty.headers.get("x-oldest"))]).toEqual(["", newest + 1]);
});

test("a user can search the list of requests by method, path, operation and status", async () => {
  await emulator.create(paths.label, label);
  await get(`${paths.label}/7?aid=1002`);
  await get(`${paths.label}?aid=1002`);
  await get(paths.label, { "x-emulator-fault": "drop-before" }).catch(() => undefined);
  const of = async (query: string) => rows(await text(`/requests?${query}`));
  expect(await of("")).toHaveLength(4);
  expect(await of("search=404")).toEqual(["GET labels.get, 404"]);
  expect(await of("search=aid=1002")).toEqual(["GET labels.list, 200", "GET labels.get, 404"]);
  expect(await of("search=dropped+LABELS.list")).toEqual(["GET labels.list, dropped"]);
  expect(await of("search=post")).toEqual(["POST labels.create, 201"]);
  // The page's script requests new rows with the same search.
  const [, live = ""] = /data-live="([^"]*)"/.exec(await text("/requests?search=labels+404")) ?? [];
  expect(rows(await text(`${live.replaceAll("&amp;", "&")}&after=0`))).toEqual(["GET labels.get, 404"]);
  expect(await text("/requests?search=nothing")).toContain("No request matches the search.");
});

test("the list of requests shows at most 50 requests on each page", async () => {
  for (let n = 0; n < 120; n += 1) await get(`${paths.label}/${n}`);
  const pages = await Promise.all([1, 2, 3].map((page) => text(`/requests?page=${page}`)));
  expect(pages.map((markup) => rows(markup).length)).toEqual([50, 50, 20]);
  expect(pages[0]).toContain('href="/requests?page=2"');
  expect(pages[1]).not.toContain("data-live=");
});

test("the page of a request shows the request body and the response body without secrets", async () => {
  await emulator.create(paths.httpServer, { testName: "Portal", url: "https://x.example", password: "s3cret-word" });
  const form = new URLSearchParams("grant_type=client_credentials&client_id=emulator&client_secret=emulator-secret");
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

test("the emulator keeps only the bodies of the newest requests, and no large bodies", async () => {
  await get("/v7/endpoint/agents?max=1000&expand=clients,vpnProfiles,networkInterfaceProfiles");
  const number = Number(/href="\/requests\/(\d+)"/.exec(await text("/requests"))?.[1]);
  expect(flat(await text(`/requests/${number}`))).toMatch(/\([\d,]{6,} bytes: too large to keep\)/);
  for (let n = 1; n <= maxBodies; n += 1) await get(`${paths.label}/${n}`);
  expect(await text(`/requests/${number + 1}`)).toContain("was not found");
  expect(await text(`/requests/${number}`)).toContain(`The emulator keeps the bodies of only the last ${maxBodies} requests`);
  expect((await look(emulator.url, "/requests/5000")).status).toBe(404);
});
