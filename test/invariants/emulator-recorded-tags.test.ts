/** Replays each recording of the live service about tags, in order. */
import { Bench, fixture, type Json } from "../emulator/support";

/** Host and account group of the recordings. */
const recorded = { origin: "https://api.example.com", aid: 1234 };
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const staticTag = (key: string): Json => ({ key, value: "probe", objectType: "test", accessType: "all" });

/** Tags that existed before the recordings, or without a recorded create, by their id there. */
const there: Record<string, Json> = {
  [uuid(1)]: { ...staticTag("terraform-smoke-test"), color: "#b3de69", value: "lab-graf" },
  [uuid(5)]: staticTag("deleted"),
  [uuid(7)]: staticTag("update-style"),
  [uuid(8)]: staticTag("immutability-8"),
  [uuid(9)]: staticTag("immutability-9"),
  [uuid(10)]: staticTag("immutability-10"),
  // In use: the service rejected a recorded change to this key.
  other: staticTag("tfpfgen-probe-write-immutability-alt-2"),
};

let bench: Bench;
/** Ids in the recordings, and the corresponding ids of this run. */
const ids = new Map<string, string>();

beforeAll(async () => {
  bench = await Bench.start({ rateLimit: 240 });
  for (const [id, body] of Object.entries(there)) {
    ids.set(id, (await bench.call("POST", "/v7/tags", { body })).body.id);
    // The lists were recorded when the account had one tag.
    if (id === uuid(1)) await listsAreAsRecorded();
  }
});
afterAll(() => bench.close());

function mapped(text: string): string {
  const known = [...ids].reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
  return known.replaceAll(recorded.origin, bench.url).replaceAll(`"aid":${recorded.aid}`, '"aid":1001');
}

/** Returns a body without values that differ in each run: times and sequence numbers. A present date stays a date. */
function comparable(body: Json): Json {
  if (body === undefined) return undefined;
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (/^(createDate|modifiedDate)$/.test(name) && typeof value === "string") return value.replaceAll(/\d/g, "0");
    if (name === "timestamp" && Number.isInteger(value)) return "milliseconds";
    if (name === "legacyId" && typeof value === "number" && value > 0) return String(value).length;
    return value;
  });
}

const { interactions } = fixture("recorded-tags.json");
const isList = ({ request, response }: Json): boolean => request.method === "GET" && response.body?.tags !== undefined;
const queryOf = ({ query = {} }: Json): string => {
  const pairs = Object.entries<string[]>(query).map(([name, values]) => `${name}=${values.join(",")}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
};

const lists: [expected: Json, answered: Json][] = [];

async function listsAreAsRecorded(): Promise<void> {
  for (const { request, response } of interactions.filter(isList)) {
    const answer = await bench.call("GET", `/v7/tags${queryOf(request)}`, { headers: request.headers });
    // The emulator chooses ids of built-in tags. They correspond by their position in the list.
    for (const [at, { id }] of response.body.tags.entries()) ids.set(id, answer.body.tags[at]?.id);
    lists.push([JSON.parse(mapped(JSON.stringify(response.body))), answer.body]);
  }
}

test("the emulator's lists of tags match the three recorded lists", () => {
  expect(lists).toHaveLength(3);
  for (const [expected, answered] of lists) expect(comparable(answered)).toEqual(comparable(expected));
});

test.each<Json>(interactions.filter((interaction: Json) => !isList(interaction)))(
  "the emulator reproduces recording $seq: $request.method $request.path returns status $response.status",
  async ({ request, response }) => {
    const path = mapped(request.path) + queryOf(request);
    const body = request.body && JSON.parse(mapped(JSON.stringify(request.body)));
    const answer = await bench.call(request.method, path, { body, headers: request.headers });
    expect(answer.status).toBe(response.status);
    expect(answer.headers.get("content-type")).toBe(response.headers["content-type"] ?? null);
    expect(answer.headers.get("x-organization-rate-limit-limit")).toBe(response.headers["x-organization-rate-limit-limit"]);
    expect(answer.headers.get("location")).toBeNull();
    if (response.status === 201) ids.set(response.body.id, answer.body.id);
    const expected = response.body && JSON.parse(mapped(JSON.stringify(response.body)));
    expect(comparable(answer.body)).toEqual(comparable(expected));
  },
);

test("the suite replays all 47 recorded requests for tags", () => expect(interactions).toHaveLength(47));
