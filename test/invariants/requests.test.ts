/** Tests the contents and number of requests. */
import { organizationLimit, RateGovernor } from "../../api/pacing";
import { changeInPlace } from "../support/kinds";
import { Bench, everyKind } from "../provider/bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.end());

const tests = everyKind.filter(([, { full }]) => "isEnabled" in full);

describe.each(everyKind)("requests of a %s", (name, { minimal, full, collection }) => {
  it("every request of a resource names the resource's account group", async () => {
    const { id, state } = await bench.create(name, { ...minimal, accountGroupId: "1002" });
    bench.newSession();
    // The list was read before the second record existed, so that record takes a get request.
    await bench.life(name).read(id, state);
    const other = new Bench(bench.emulator, {});
    const second = await other.create(name, { ...full, accountGroupId: "1002" });
    expect(await bench.life(name).read(second.id, second.state)).toBeDefined();
    const { property, to } = changeInPlace(name);
    const { inputs } = bench.life(name).check({ ...minimal, accountGroupId: "1002", [property]: to });
    await bench.life(name).update(id, state, inputs);
    await bench.life(name).delete(id, state);
    await other.session.client.close();
    const sent = bench.emulator.log().filter(({ operation }) => operation !== "accountGroups.list");
    const verbs = new Set(sent.map(({ operation }) => operation.split(".").at(-1)));
    expect(verbs).toEqual(new Set(["create", "delete", "get", "list", "update"]));
    expect(sent.map(({ operation, aid }) => [operation, aid])).toEqual(sent.map(({ operation }) => [operation, "1002"]));
  });

  it("a read repeats the list request if the previous list request failed", async () => {
    const { id, state } = await bench.create(name, minimal);
    bench.newSession();
    await bench.fault({ method: "GET", kind: "status", status: 403 });
    await expect(bench.life(name).read(id, state)).rejects.toMatchObject({ code: "forbidden" });
    await bench.door("requests/reset");
    expect(await bench.life(name).read(id, state)).toMatchObject({ id });
    expect(await bench.life(name).list("1001")).toHaveLength(1);
    expect(Object.values(bench.emulator.requests())).toEqual([1]);
    expect(await bench.ids(collection)).toEqual([id]);
  });
});

describe.each(tests)("the property isEnabled of a %s", (name, { minimal, collection }) => {
  const stored = async (id: string): Promise<unknown> => {
    const answer = await fetch(`${bench.emulator.url}/_emulator/records/${collection}/${id}`);
    return ((await answer.json()) as { body: { isEnabled: unknown } }).body.isEnabled;
  };
  const writes = (): number[] => {
    const counts = bench.emulator.requests();
    return ["create", "update"].map(
      (verb) => Object.entries(counts).find(([operationId]) => operationId.endsWith(`.${verb}`))?.[1] ?? 0,
    );
  };

  it.each([
    [undefined, true, [1, 0]],
    [true, true, [1, 0]],
    [false, false, [1, 1]],
  ])(
    "creating a test with isEnabled: %s stores %s and sends these numbers of create and update requests: %j",
    async (declared, expected, requests) => {
      const { id, state } = await bench.create(name, { ...minimal, isEnabled: declared });
      expect([state["isEnabled"], await stored(id), writes()]).toEqual([expected, expected, requests]);
    },
  );

  it("an update changes isEnabled in place", async () => {
    let { id, state } = await bench.create(name, minimal);
    for (const isEnabled of [false, true, false]) {
      const { inputs } = bench.life(name).check({ ...minimal, isEnabled });
      expect(bench.life(name).diff(id, state, inputs)).toMatchObject([{ property: "isEnabled", replaces: false }]);
      state = await bench.life(name).update(id, state, inputs);
      expect([state["isEnabled"], await stored(id)]).toEqual([isEnabled, isEnabled]);
    }
    expect(writes()).toEqual([1, 3]);
  });
});

it("an error never shows a password that the service returns", async () => {
  const login = { authType: "basic", username: "probe", password: "pass-w0rd" };
  const declared = { testName: "Portal", url: "https://portal.example.com", ...login };
  const { id, state } = await bench.create("httpServerTest", declared);
  const echo = { kind: "status", status: 400, body: { title: "Not with pass-w0rd" } };
  bench.newSession();
  const life = bench.life("httpServerTest");
  const { inputs } = life.check({ ...declared, interval: 300 });
  await bench.fault({ method: "PATCH", ...echo });
  await expect(life.update(id, state, inputs)).rejects.toThrow("Not with [secret]");
  bench.newSession();
  await bench.fault({ method: "DELETE", ...echo });
  await expect(bench.life("httpServerTest").delete(id, state)).rejects.toThrow("Not with [secret]");
});

it("a delayed response from an earlier rate-limit window does not raise the request budget", async () => {
  jest.useFakeTimers({ now: 1_000_000_000_000 });
  try {
    const governor = new RateGovernor(organizationLimit);
    const reset = (Date.now() + 60_000) / 1_000;
    const headers = (remaining: number) => ({
      [organizationLimit.limit]: "240",
      [organizationLimit.remaining]: String(remaining),
      [organizationLimit.reset]: String(reset),
    });
    await governor.acquire();
    await governor.acquire();
    governor.release(headers(1));
    governor.release(headers(2));
    await governor.acquire();
    let out = false;
    const next = governor.acquire().then(() => (out = true));
    await jest.advanceTimersByTimeAsync(59_900);
    expect(out).toBe(false);
    // The next window has its own budget.
    await jest.advanceTimersByTimeAsync(200);
    await next;
  } finally {
    jest.useRealTimers();
  }
});
