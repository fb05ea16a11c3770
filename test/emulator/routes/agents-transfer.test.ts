import { Bench, example, type Json, type Sent, shapeDifferences, fieldsOf } from "../support";

const path = "/v7/endpoint/agents";
const unknown = "5d0764ac-7e42-4ec8-a0d4-39fc53edccba";

let clock = Date.UTC(2026, 0, 15, 12);
let bench: Bench;
/** Ids of agents of the first account group. */
let ids: string[];
beforeEach(async () => {
  bench = await Bench.start({ agents: 30, now: () => clock });
  ids = (await bench.call("GET", path)).body.agents.map(({ id }: Json) => id);
});
afterEach(() => bench.close());

/** Returns the account group of an agent. */
async function whereIs(id: string | undefined): Promise<string> {
  const holders = [];
  for (const aid of ["1001", "1002", "1003"]) {
    const { status, body } = await bench.call("GET", `${path}/${id}?aid=${aid}`);
    if (status === 200) holders.push(body.aid);
  }
  return holders.join(" ");
}

const bulk = (transfers: unknown[]) => bench.call("POST", `${path}/transfer/bulk`, { body: { transfers } });

describe("a transfer of an agent", () => {
  test("a transfer moves the agent 300 ms after the response", async () => {
    const [id] = ids;
    const request = { ...example("agents.transfer.request"), toAid: "1003" };
    const accepted = await bench.call("POST", `${path}/${id}/transfer?aid=1001`, { body: request });
    expect([accepted.status, accepted.text]).toEqual([202, ""]);
    expect(await whereIs(id)).toBe("1001");
    clock += 299;
    expect(await whereIs(id)).toBe("1001");
    clock += 1;
    expect(await whereIs(id)).toBe("1003");
    expect((await bench.call("GET", path)).body.totalAgents).toBe(ids.length - 1);
    // The agent cannot be transferred again from its previous account group.
    expect((await bench.call("POST", `${path}/${id}/transfer`, { body: request })).status).toBe(404);
    const back = await bench.call("POST", `${path}/${id}/transfer?aid=1003`, { body: { toAid: "1001" } });
    expect(back.status).toBe(202);
  });

  test("a transfer keeps the changes that a user makes during the transfer", async () => {
    const before = (await bench.call("GET", `${path}/${ids[1]}`)).body;
    await bench.call("POST", `${path}/${ids[1]}/transfer`, { body: { toAid: "1002" } });
    await bench.call("PATCH", `${path}/${ids[1]}`, { body: { name: "Moving" } });
    clock += 1000;
    const { body } = await bench.call("GET", `${path}/${ids[1]}?aid=1002`);
    expect({ ...body, _links: 0, lastSeen: 0 }).toEqual({ ...before, aid: "1002", name: "Moving", _links: 0, lastSeen: 0 });
  });

  test("a later transfer replaces an earlier transfer of the same agent", async () => {
    for (const toAid of ["1002", "1003"]) await bench.call("POST", `${path}/${ids[1]}/transfer`, { body: { toAid } });
    await bench.call("POST", `${path}/${ids[2]}/transfer`, { body: { toAid: "1002" } });
    await bench.call("DELETE", `${path}/${ids[2]}`);
    clock += 1000;
    expect(await whereIs(ids[1])).toBe("1003");
    expect((await bench.call("GET", `${path}/${ids[2]}?includeDeleted=true`)).body.aid).toBe("1001");
  });

  test.each<[string, number, object]>([
    ["to the agent's own account group", 400, { toAid: "1001" }],
    ["without an account group", 400, {}],
    ["to a number", 400, { toAid: 1002 }],
    ["to an account group that the user does not belong to", 403, { toAid: "9999" }],
  ])("the emulator rejects a transfer %s with status %i and moves no agent", async (_title, status, body) => {
    const refused = await bench.call("POST", `${path}/${ids[0]}/transfer`, { body });
    expect(refused.status).toBe(status);
    expect(fieldsOf(refused.body)).toEqual(status === 400 ? ["toAid"] : []);
    clock += 1000;
    expect(await whereIs(ids[0])).toBe("1001");
    expect(await bench.stored("agent-transfers")).toEqual([]);
  });
});

describe("a bulk transfer of agents", () => {
  test("a bulk transfer completes the valid transfers and reports the invalid transfers", async () => {
    const [good, foreign, other, deleted] = ids;
    await bench.call("DELETE", `${path}/${deleted}`);
    const transfers = [
      { agentId: good, fromAid: "1001", toAid: "1002" },
      { agentId: unknown, fromAid: "1001", toAid: "1002" },
      { agentId: foreign, fromAid: "1001", toAid: "9999" },
      { agentId: foreign, fromAid: "9999", toAid: "1002" },
      { agentId: foreign, fromAid: "xxx", toAid: "1002" },
      { agentId: foreign, fromAid: "1001" },
      { fromAid: "1001", toAid: "1002" },
      { agentId: foreign, fromAid: "1003", toAid: "1002" },
      { agentId: foreign, fromAid: "1001", toAid: "1001" },
      { agentId: deleted, fromAid: "1001", toAid: "1002" },
      { agentId: other, fromAid: "1001", toAid: "1003" },
    ];
    const answer = await bulk(transfers);
    expect(answer.status).toBe(207);
    expect(answer.body.items.map((item: Json) => item.status)).toEqual([200, 404, 403, 403, 400, 400, 400, 404, 400, 404, 200]);
    expect(answer.body.items.map((item: Json) => item.request)).toEqual(transfers);
    expect(await whereIs(good)).toBe("1001");
    clock += 300;
    expect([await whereIs(good), await whereIs(foreign), await whereIs(other)]).toEqual(["1002", "1001", "1003"]);
  });

  test("the response to the API document's example transfer has the documented members", async () => {
    const request = example("agents.transferBulk.request");
    const asIs = await bulk(request.transfers);
    expect([asIs.status, asIs.body.items.map((item: Json) => item.status)]).toEqual([207, [403, 403]]);
    const adapted = await bulk(request.transfers.map(() => ({ agentId: ids[0], fromAid: "1001", toAid: "1002" })));
    expect(shapeDifferences(adapted.body, example("agents.transferBulk.response"))).toEqual([]);
    // Texts of the sample's three outcomes.
    const [first] = ids;
    const three = await bulk([
      { agentId: first, fromAid: "1001", toAid: "1002" },
      { agentId: first, fromAid: "xxx", toAid: "1002" },
      { agentId: first, fromAid: "1001", toAid: "12345" },
    ]);
    const outcomeOf = ({ status, detail }: Json) => ({ status, detail });
    expect(three.body.items.map(outcomeOf)).toEqual(example("agents.transferBulk.response").items.map(outcomeOf));
  });

  const { lines } = example("assembled/agents.transferBulk.csv.request");
  test.each<[string, string, (id: string) => string]>([
    ["text/csv", "as in the example", (id) => [lines[0], `${id},1001,1002`].join("\n")],
    ["text/plain", "with Windows line ends, quotes, blank lines", (id) => `${lines[0]}\r\n\r\n"${id}", "1001" ,1002\r\n`],
    ["text/csv; charset=utf-8", "with a byte order mark", (id) => `\uFEFF${lines[0]}\n${id},1001,1002`],
  ])("a bulk transfer accepts the content type %s: %s", async (contentType, _title, textOf) => {
    const raw = textOf(ids[0] ?? "");
    const answer = await bench.call("POST", `${path}/transfer/bulk`, { raw, headers: { "content-type": contentType } });
    const request = { agentId: ids[0], fromAid: "1001", toAid: "1002" };
    expect([answer.status, answer.body.items]).toEqual([207, [{ status: 200, detail: "Initiated", request }]]);
    clock += 300;
    expect(await whereIs(ids[0])).toBe("1002");
  });

  test("a bulk transfer reports status 400 for a CSV line with a missing column", async () => {
    const raw = `${lines[0]}\n${ids[0]},1001\n${ids[1]},1001,1002`;
    const answer = await bench.call("POST", `${path}/transfer/bulk`, { raw, headers: { "content-type": "text/csv" } });
    expect(answer.body.items.map((item: Json) => item.status)).toEqual([400, 200]);
  });

  const json = { "content-type": "application/json" };
  test.each<[string, number, Sent]>([
    ["another header", 400, { raw: "agent,from,to\n", headers: { "content-type": "text/csv" } }],
    ["no body", 400, { headers: json }],
    ["broken JSON", 400, { raw: "{", headers: json }],
    ["no transfers", 400, { body: {} }],
    ["transfers that are not a list", 400, { body: { transfers: "all" } }],
    ["a number for an id", 400, { body: { transfers: [{ agentId: 1 }] } }],
    ["XML", 415, { raw: "<a/>", headers: { "content-type": "text/xml" } }],
    ["2 MB", 413, { raw: "x".repeat(2 ** 21), headers: { "content-type": "text/csv" } }],
  ])("the emulator rejects a bulk transfer (%s) with status %i and moves no agent", async (_title, status, sent) => {
    const refused = await bench.call("POST", `${path}/transfer/bulk`, sent);
    expect(refused.status).toBe(status);
    expect(await bench.stored("agent-transfers")).toEqual([]);
  });

  test("a bulk transfer accepts an empty list", async () => {
    expect((await bulk([])).body).toEqual({ items: [] });
  });

  test("the emulator rejects CSV in a transfer request for a single agent", async () => {
    const sent = { raw: "toAid\n1002", headers: { "content-type": "text/csv" } };
    expect((await bench.call("POST", `${path}/${ids[0]}/transfer`, sent)).status).toBe(415);
  });
});
