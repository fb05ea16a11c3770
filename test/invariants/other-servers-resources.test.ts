import { NotFoundError } from "../../api";
import { AgentFinder } from "../../provider/resources/agent-finder";
import { Bench, everyKind } from "../provider/bench";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const headers = { "content-type": "text/html" };
const pages = [200, 404].map((status) => ({ kind: "status", status, body: "<h1>Log in to the network</h1>", headers, n: 100 }));

/** The error of a response without proof: a success without a record, or a 404 that is not the service's. */
const notTheService = { code: expect.stringMatching(/^(protocol|unconfirmed|not-found|unproven)$/) };

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start({ createOutcomeTimeout: "0.1" });
});
afterEach(() => bench.end());

describe.each(everyKind)("a %s and responses from another server", (name, { minimal, collection }) => {
  it("a response from another server neither deletes a record nor marks a record as deleted", async () => {
    const { id, state, inputs } = await bench.create(name, minimal);
    for (const page of pages) {
      bench.newSession();
      await bench.fault(page);
      await expect(bench.life(name).delete(id, state)).rejects.toMatchObject(notTheService);
      await expect(bench.life(name).read(id, state)).rejects.toMatchObject(notTheService);
      const renamed = { ...inputs, isEnabled: false };
      await expect(bench.life(name).update(id, state, renamed)).rejects.toMatchObject(notTheService);
      await expect(bench.life(name).list("1001")).rejects.toMatchObject(notTheService);
      await bench.door("faults/reset");
    }
    expect(await bench.ids(collection)).toEqual([id]);
  });

  it("status 404 counts as a deletion only if the service's list confirms the deletion", async () => {
    const { id, state } = await bench.create(name, minimal);
    bench.newSession();
    await bench.fault({
      method: "GET",
      kind: "status",
      status: 200,
      body: {},
      headers: { "content-type": "application/json" },
    });
    await expect(bench.life(name).read(id, state)).rejects.toMatchObject(notTheService);
    expect(await bench.life(name).read(id, state)).toBeDefined();
    bench.newSession();
    await bench.fault({ method: "GET", kind: "status", status: 404, body: null });
    await expect(bench.life(name).read("2", state)).rejects.toMatchObject(notTheService);
    for (const status of [404, 410]) {
      await bench.life(name).read(id, state);
      await bench.fault({ method: "GET", kind: "status", status, body: null });
      expect(await bench.life(name).read("2", state)).toBeUndefined();
      await bench.fault({ method: "DELETE", kind: "status", status, body: null });
      await expect(bench.life(name).delete(id, state)).rejects.toMatchObject({ code: "unproven" });
    }
    expect(await bench.ids(collection)).toEqual([id]);
    await bench.life(name).delete(id, state);
    await bench.fault({ method: "DELETE", kind: "status", status: 404, body: null });
    await bench.life(name).delete(id, state);
  });
});

it("the look-up of an agent reports all errors except status 404", async () => {
  const finder = AgentFinder.of(bench.session);
  const { client } = bench.session;
  const [agent] = (await client.agents.list()).agents;
  const id = agent?.id ?? "";
  expect(await finder.get("none", "1001")).toBeUndefined();
  await expect(client.agents.get({ path: { agentId: "none" } })).rejects.toBeInstanceOf(NotFoundError);
  for (const [fault, code] of [
    [{ kind: "status", status: 403 }, "forbidden"],
    [{ kind: "status", status: 400 }, "validation"],
    [{ kind: "status", status: 503, n: 4 }, "server"],
    [{ kind: "content-type" }, "protocol"],
  ] as const) {
    await bench.fault({ operation: "agents.get", ...fault });
    await expect(finder.get(id, "1001")).rejects.toMatchObject({ code });
    await bench.door("faults/reset");
  }
  expect((await finder.get(id, "1001"))?.id).toBe(id);
});
