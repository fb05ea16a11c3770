import { largePages, NotFoundError, pages, ProtocolError, ValidationError, type Client } from "../../api";
import { bench, failureOf, type Script } from "../support/api/service";

const { serve, connect } = bench();

/** Pages of one label each, by cursor. `next` is the page's link. */
const book =
  (next: Record<string, unknown>): Script =>
  ({ query }) => {
    const cursor = query.get("cursor") ?? "start";
    return { body: { labels: [{ id: cursor }], _links: { self: { href: "/" }, next: next[cursor] } } };
  };
const link = (cursor: string, root = "https://api.example.com/v7/endpoint/labels"): object => ({
  href: `${root}?cursor=${cursor}`,
});

async function read(client: Client, got: string[] = [], query: object = {}): Promise<string[]> {
  for await (const page of pages(client.labels.list, { query })) got.push(...page.labels.map(({ id }) => id));
  return got;
}

test("the client follows next links to the last page", async () => {
  const service = await serve(book({ start: link("b%2B1%2F%3D"), "b+1/=": link("c&max=1&aid=9"), c: null }));
  const query = { aid: "12", max: 1, expand: ["filters"] };
  expect(await read(connect(service), [], query)).toEqual(["start", "b+1/=", "c"]);
  const first = { aid: "12", max: "1", expand: "filters" };
  expect(service.arrived.map((request) => Object.fromEntries(request.query))).toEqual([
    first,
    { ...first, cursor: "b+1/=" },
    { ...first, cursor: "c" },
  ]);
});

test("the client never follows a next link to another host or path", async () => {
  const elsewhere = await serve(() => ({ body: {} }));
  const links = [link("b", `${elsewhere.url}/stolen`), link("c", "//127.0.0.1:1/x"), link("d", ""), link("e", "/v8/other")];
  const service = await serve(book({ start: links[0], b: links[1], c: links[2], d: links[3] }));
  expect(await read(connect(service))).toEqual(["start", "b", "c", "d", "e"]);
  expect(elsewhere.arrived).toEqual([]);
  expect(new Set(service.arrived.map(({ path }) => path))).toEqual(new Set(["/v7/endpoint/labels"]));
});

test("the client requests each page only when the program reads it", async () => {
  const service = await serve(book({ start: link("b"), b: link("c") }));
  for await (const page of pages(connect(service).labels.list, {})) {
    expect(page.labels).toHaveLength(1);
    if (service.arrived.length === 2) break;
  }
  expect(service.arrived).toHaveLength(2);
});

const path = "/v7/endpoint/labels";

test.each<[string, Record<string, unknown>, string, string[]]>([
  ["a cursor that points at its own page", { start: link("b"), b: link("b") }, "the same cursor twice", ["start", "b"]],
  ["a ring of cursors", { start: link("b"), b: link("c"), c: link("b") }, "the same cursor twice", ["start", "b", "c"]],
  [
    "a next link without a cursor",
    { start: { href: "/v7/endpoint/labels?page=2" } },
    "a next link without a cursor",
    ["start"],
  ],
  ["a next link that is not a URL", { start: { href: "http://[" } }, "a next link that is not a URL", ["start"]],
  ["a next link without an address", { start: { title: "more" } }, "expected string", []],
])("the client rejects a list with %s", async (_, next, reason, before) => {
  const service = await serve(book(next));
  const got: string[] = [];
  const error = await failureOf(ProtocolError, read(connect(service), got));
  expect(error.message).toContain(reason);
  expect(error).toMatchObject({ method: "GET", path, outcomeUnknown: false });
  expect(error.jsonPath).toMatch(/^_links\.next/);
  expect(got).toEqual(before);
  expect(service.arrived).toHaveLength(Math.max(1, before.length));
});

test.each<[string, (nth: number) => string[], number]>([
  ["empty pages", () => [], 100],
  ["repetitions of one page", () => ["a", "b"], 101],
  ["pages that repeat the records of earlier pages in another order", (nth) => (nth % 2 === 1 ? ["a", "b"] : ["b"]), 101],
  ["a new record on each page, and then no more records", (nth) => [String(Math.min(nth, 150))], 250],
])("the client rejects a list with %s after 100 pages without a new record", async (_, idsOn, requests) => {
  const service = await serve((_request, nth) => ({
    body: { labels: idsOn(nth).map((id) => ({ id })), _links: { next: link(`cursor-${nth}`) } },
  }));
  const error = await failureOf(ProtocolError, read(connect(service)));
  expect(error.message).toContain("100 successive pages without a new record");
  expect(error).toMatchObject({ path, outcomeUnknown: false });
  expect(service.arrived).toHaveLength(requests);
});

test("the client accepts 99 pages without new records before the last page", async () => {
  const service = await serve((_request, nth) => ({
    body: { labels: [{ id: nth < 101 ? "a" : "b" }], _links: nth < 101 ? { next: link(`cursor-${nth}`) } : {} },
  }));
  const got = await read(connect(service));
  expect(new Set(got)).toEqual(new Set(["a", "b"]));
  expect(service.arrived).toHaveLength(101);
});

test("an error on one page ends the iteration over all pages", async () => {
  const service = await serve((request, nth) =>
    nth === 2 ? { status: 404, body: { title: "Not found" } } : book({ start: link("b") })(request, nth),
  );
  const got: string[] = [];
  await failureOf(NotFoundError, read(connect(service), got));
  expect(got).toEqual(["start"]);
});

describe("page size of lists", () => {
  const readLarge = async (client: Client): Promise<string[]> => {
    const got: string[] = [];
    for await (const page of largePages(client.labels.list, { query: { aid: "1001" } }))
      got.push(...page.labels.map(({ id }) => id));
    return got;
  };
  const asked = (service: { arrived: readonly { query: URLSearchParams }[] }): (string | null)[][] =>
    service.arrived.map(({ query }) => [query.get("max"), query.get("cursor"), query.get("aid")]);

  test("the client requests 1,000 records for each page", async () => {
    const service = await serve(book({ start: link("b") }));
    expect(await readLarge(connect(service))).toEqual(["start", "b"]);
    expect(asked(service)).toEqual([
      ["1000", null, "1001"],
      ["1000", "b", "1001"],
    ]);
  });

  test('the client uses the default page size if the service rejects the parameter "max"', async () => {
    const service = await serve((request, nth) =>
      request.query.has("max") ? { status: 400, body: {} } : book({ start: link("b") })(request, nth),
    );
    expect(await readLarge(connect(service))).toEqual(["start", "b"]);
    expect(asked(service)).toEqual([
      ["1000", null, "1001"],
      [null, null, "1001"],
      [null, "b", "1001"],
    ]);
  });

  test("the client reports status 404 for the first page and status 400 for a later page", async () => {
    const missing = await serve(() => ({ status: 404, body: { title: "Not found" } }));
    await failureOf(NotFoundError, readLarge(connect(missing)));
    expect(missing.arrived).toHaveLength(1);
    const broken = await serve((request, nth) =>
      nth === 2 ? { status: 400, body: {} } : book({ start: link("b") })(request, nth),
    );
    await failureOf(ValidationError, readLarge(connect(broken)));
    expect(broken.arrived).toHaveLength(2);
  });
});
