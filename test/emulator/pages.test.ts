import { settle } from "../../emulator/options";
import { pageOf } from "../../emulator/pages";
import { labels, type StoredLabel } from "../../emulator/model/labels";
import { Store } from "../../emulator/store";
import { Tokens } from "../../emulator/tokens";
import { Bench, type Json, minimal, paths, reasonOf } from "./support";

let bench: Bench;
let all: string[];
beforeAll(async () => {
  bench = await Bench.start({ pageSize: 4 });
  for (let n = 0; n < 9; n += 1) await bench.call("POST", paths.label, { body: { ...minimal.label, name: `label ${n}` } });
  all = await bench.stored("labels");
});
afterAll(() => bench.close());

const idsOf = (body: Json): string[] => body.labels.map(({ id }: Json) => id);

/** Follows next links to the end. @returns the ids of each page */
async function pages(path: string): Promise<string[][]> {
  const { body } = await bench.call("GET", path);
  const next = body._links.next?.href;
  expect(body._links.self.href).toBe(bench.url + path);
  return [idsOf(body), ...(next === undefined ? [] : await pages(next.slice(bench.url.length)))];
}

test.each([
  ["", [4, 4, 1]],
  ["?max=5", [5, 4]],
  ["?max=9", [9]],
  ["?max=1000000", [9]],
  ["?max=3&aid=1001&expand=filters&x=y", [3, 3, 3]],
])('the pages of a list with the query "%s" contain all labels', async (query, sizes) => {
  const listed = await pages(paths.label + query);
  expect(listed.map(({ length }) => length)).toEqual(sizes);
  expect(listed.flat()).toEqual(all);
});

test("the next link repeats the query parameters max and expand", async () => {
  const { body } = await bench.call("GET", `${paths.label}?max=3&expand=filters`);
  const next = new URL(body._links.next.href).searchParams;
  expect([next.get("max"), next.get("expand")]).toEqual(["3", "filters"]);
});

test("the query expand=filters adds the filters to each label in a list", async () => {
  for (const query of ["?expand=filters", "?expand=filters,filters", "?expand=filters&expand=filters"]) {
    const { body } = await bench.call("GET", paths.label + query);
    expect(body.labels[0].filters).toEqual(minimal.label.filters);
    expect((await bench.call("GET", `${paths.label}/${all[0]}${query}`)).body.filters).toEqual(minimal.label.filters);
  }
  expect((await bench.call("GET", paths.label)).body.labels[0]).not.toHaveProperty("filters");
});

test("a deletion between two requests does not shift the next page of a list", async () => {
  const { body } = await bench.call("GET", paths.label);
  const next = body._links.next.href.slice(bench.url.length);
  await bench.call("DELETE", `${paths.label}/${all[1]}`);
  expect(idsOf((await bench.call("GET", next)).body)).toEqual(all.slice(4, 8));
});

test.each(["abc", "", Buffer.from("other:1").toString("base64url"), Buffer.from("labels:-1").toString("base64url")])(
  "the emulator returns status 400 for a list request with the cursor %p",
  async (cursor) => {
    const refused = await bench.call("GET", `${paths.label}?cursor=${cursor}`);
    expect(refused.status).toBe(400);
    expect(reasonOf(refused.body)).toContain("cursor");
  },
);

test.each(["max=0", "max=-1", "max=1.5", "max=", "max=x", "max=1&max=x", "expand=everything"])(
  "the emulator returns status 400 for a list request with %s",
  async (query) => {
    const refused = await bench.call("GET", `${paths.label}?${query}`);
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toBe(`Wrong type for path parameter ${query.split("=")[0]}`);
  },
);

test("the emulator returns all tests on one page, even if the request limits the page size", async () => {
  for (const area of ["agentToServer", "httpServer", "dynamic"] as const) {
    for (let n = 0; n < 6; n += 1) await bench.call("POST", paths[area], { body: minimal[area] });
    const { body } = await bench.call("GET", `${paths[area]}?max=2`);
    expect([body.tests.length, Object.keys(body._links)]).toEqual([6, ["self"]]);
  }
});

test("a page has at most 1,000 records, even if the parameter max is larger", () => {
  const settings = settle({});
  const store = new Store();
  const label: StoredLabel = { name: "x", color: "#000000", matchType: "and", filters: [] };
  for (let n = 0; n < 1001; n += 1) store.insert(labels, "1001", () => label);
  const service = { settings, store, tokens: new Tokens(settings) };
  const page = pageOf({ aid: "1001", self: "http://x/y", query: { max: 5000 }, service }, labels);
  expect([page.rows.length, page.next]).toEqual([1000, expect.stringContaining("http://x/y?cursor=")]);
  store.close();
});
