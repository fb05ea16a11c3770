import { EndpointMonitoringError } from "../../api";
import { DuplicateError, UnknownOutcomeError } from "../../provider/failures";
import type { RecordKindName } from "../../provider/registry";
import { amount } from "../support/amount";
import { bodyOf } from "../support/kinds";
import { Bench, everyKind } from "../provider/bench";
import { skipIdleTime } from "../support/idle-time";
import { headers } from "../support/call";

skipIdleTime();

/** Creates with an unknown outcome. The long form uses the named seconds. The short form uses a twentieth of each time. */
const scale = amount(1 / 20, 1);
/** Returns the milliseconds of a time in seconds. */
const ms = (seconds: number): number => seconds * 1_000 * scale;
const settings = { timeout: String(30 * scale), createOutcomeTimeout: String(60 * scale) };
/** Number of concurrent cells, which mostly wait. */
const parallel = 144;
/** Milliseconds between two checks of the stored records. */
const lookMs = 50;

const answers = {
  // Far behind the timeout, so that a busy machine does not change their order.
  late: { kind: "latency", ms: ms(900) },
  "502": { kind: "status", status: 502 },
  "503": { kind: "status", status: 503 },
  "504": { kind: "status", status: 504 },
  "303": { kind: "status", status: 303 },
  reset: { kind: "drop-before" },
  truncated: { kind: "truncate" },
};
const delays = [0, 0.3, 0.6, 1.2, 5, 31];
const always = { n: 1_000_000 };
const lists = {
  fresh: [],
  stale: [{ kind: "stale", ...always }],
  failing: [{ kind: "status", status: 500 }, { kind: "drop-before" }, { kind: "status", status: 502, ...always }],
  "empty object": [{ kind: "status", status: 200, body: {}, headers: { "content-type": "application/hal+json" }, ...always }],
};

interface Outcome {
  created?: string;
  error?: unknown;
  stored: string[];
}

/** Creates a record with the response, delay and lists of the cell. */
async function createIn(
  [answer, delay, list]: Cell,
  [name, { minimal, collection }]: (typeof everyKind)[number],
): Promise<Outcome> {
  const bench = await Bench.start(settings, { agents: 0 });
  try {
    // Reads the list before the create. Stale responses repeat this list.
    await bench.life(name).read("1", {});
    for (const fault of lists[list]) await bench.fault({ method: "GET", ...fault });
    await bench.fault({ method: "POST", ...answers[answer], storedAfterMs: ms(delay) });
    const outcome = await bench.create(name, minimal).then(
      ({ id }) => ({ created: id }),
      (error: unknown) => ({ error }),
    );
    await stored(bench, collection, 1);
    return { ...outcome, stored: await bench.ids(collection) };
  } finally {
    await bench.end();
  }
}

/** Waits until this number of records is stored. */
async function stored(bench: Bench, collection: string, count: number): Promise<void> {
  while ((await bench.ids(collection)).length < count) await new Promise((resolve) => setTimeout(resolve, lookMs));
}

type Cell = [answer: keyof typeof answers, delay: number, list: keyof typeof lists];
// The keys of literals.
const listNames = Object.keys(lists) as Cell[2][];
/** All cells. The short form has a quarter of them: each response with each delay and list, and each delay with each list. */
const cells = (Object.keys(answers) as Cell[0][]).flatMap((answer, a) =>
  delays.flatMap((delay, d) =>
    listNames.filter((_, l) => (a + d + l) % amount(listNames.length, 1) === 0).map((list): Cell => [answer, delay, list]),
  ),
);

describe("a create request with an unclear response", () => {
  const outcomes = new Map<Cell, Outcome>();

  beforeAll(async () => {
    const queue = [...cells.entries()];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [at, cell] = next;
        // Each row uses the resource types in another order.
        const kind = everyKind[(at + Math.floor(at / everyKind.length)) % everyKind.length];
        if (kind) outcomes.set(cell, await createIn(cell, kind));
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
  });

  const rows = cells.map((cell) => [...cell, cell] as const);

  test.each(rows.filter(([, , list]) => list === "fresh"))(
    "the provider finds the created record: response %s, record stored after %f s, list %s",
    (_answer, _delay, _list, cell) => {
      const { stored: ids, ...outcome } = outcomes.get(cell) ?? { stored: [] };
      expect(ids).toHaveLength(1);
      expect(outcome).toEqual({ created: ids[0] });
    },
  );

  // The record is not visible, so the create must neither succeed nor create a second record.
  test.each(rows.filter(([, , list]) => list !== "fresh"))(
    "the provider reports an error and creates no duplicate: response %s, record stored after %f s, list %s",
    (_answer, _delay, _list, cell) => {
      const { stored: ids, error } = outcomes.get(cell) ?? { stored: [] };
      expect(ids).toHaveLength(1);
      expect(error).toBeInstanceOf(UnknownOutcomeError);
      const { message, cause } = error as UnknownOutcomeError;
      expect(cause).toBeInstanceOf(EndpointMonitoringError);
      const { message: first, outcomeUnknown } = cause as EndpointMonitoringError;
      expect([message.startsWith(first), outcomeUnknown]).toEqual([true, true]);
      expect(message).toContain("`pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`");
    },
  );
});

describe.each(everyKind)(
  "unanswered create requests for a %s",
  (name: RecordKindName, { minimal, collection, path, isUnique }) => {
    const short = { createOutcomeTimeout: "0.4" };
    const lost = { method: "POST", kind: "drop-before" };
    let bench: Bench;
    beforeEach(async () => {
      bench = await Bench.start(short, { agents: 0 });
    });
    afterEach(() => bench.end());

    it("the next update creates the record if an unanswered create request stored nothing", async () => {
      await bench.fault(lost);
      const error = await bench.create(name, minimal).catch((e: unknown) => e);
      expect(error).toMatchObject({ code: "unknown-outcome", outcomeUnknown: true });
      expect(await bench.ids(collection)).toEqual([]);
      bench.newSession({ adopt: "identical" });
      const { id } = await bench.create(name, minimal);
      expect(await bench.ids(collection)).toEqual([id]);
    });

    it("the next update adopts a record that the service stored after the timeout", async () => {
      await bench.fault({ ...lost, storedAfterMs: 800 });
      await expect(bench.create(name, minimal)).rejects.toBeInstanceOf(UnknownOutcomeError);
      await stored(bench, collection, 1);
      bench.newSession({ adopt: "identical" });
      const { id } = await bench.create(name, minimal);
      expect(await bench.ids(collection)).toEqual([id]);
    });

    it("the provider does not adopt another resource's record after an unanswered create request", async () => {
      const { id, inputs } = await bench.create(name, minimal);
      bench.newSession();
      // The engine has checked the other resource, but not compared it yet, so only its inputs are known.
      bench.life(name).check(inputs, inputs, "urn:of-another");
      await bench.fault({ method: "POST", kind: "drop-before", n: 1 });
      await expect(bench.create(name, minimal)).rejects.toBeInstanceOf(UnknownOutcomeError);
      expect(await bench.ids(collection)).toEqual([id]);
    });

    it("the provider finds the record of an unanswered create request even if lists are outdated or fail", async () => {
      bench.newSession({ createOutcomeTimeout: "4" });
      await bench.life(name).read("1", {});
      await bench.fault({ method: "POST", kind: "drop-after" });
      const list = Object.keys(bench.emulator.requests()).find(
        (operation) => operation.endsWith(".list") && operation !== "accountGroups.list",
      );
      // The client retries after a 5xx or a broken connection, but not after these responses.
      const failing = [{ kind: "status", status: 403 }, { kind: "status", status: 200, body: {} }, { kind: "content-type" }];
      for (const fault of [{ kind: "stale" }, ...failing, { kind: "stale" }])
        await bench.fault({ operation: list, n: 2, ...fault });
      const { id } = await bench.create(name, minimal);
      expect(await bench.ids(collection)).toEqual([id]);
    });

    /** Creates two identical records: the first is stored and its response is pending; the second is lost and stored later. */
    async function bothAlike(): Promise<PromiseSettledResult<{ id: string }>[]> {
      // If the service accepts only one of them, the create searches for the other one until the timeout.
      bench.newSession({ createOutcomeTimeout: isUnique ? "3" : "10" });
      await bench.fault({ method: "POST", kind: "latency", ms: 700, storedAfterMs: 0 });
      await bench.fault({ ...lost, storedAfterMs: 300 });
      return Promise.allSettled([bench.create(name, minimal), bench.create(name, minimal)]);
    }

    /** Returns the outcome of a create if its record appears together with an identical record. */
    async function besideAnother(): Promise<unknown> {
      bench.newSession({ createOutcomeTimeout: "10" });
      await bench.life(name).read("1", {});
      await bench.fault({ method: "GET", kind: "stale", ...always });
      await bench.fault({ method: "POST", kind: "drop-after" });
      const creating = bench.create(name, minimal).catch((e: unknown) => e);
      await stored(bench, collection, 1);
      // A tag with this key and value exists already, so the service refuses a second one.
      await fetch(bench.emulator.url + path, { method: "POST", headers, body: JSON.stringify(bodyOf(name, minimal)) });
      await bench.door("faults/reset");
      return creating;
    }

    if (isUnique) {
      it("one of two identical simultaneous creations fails if the service rejects duplicates", async () => {
        const outcomes = await bothAlike();
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
        expect(outcomes).toContainEqual({ status: "rejected", reason: expect.any(UnknownOutcomeError) });
        expect(await bench.ids(collection)).toHaveLength(1);
      });

      it("the provider adopts the only new record that matches an unanswered create request", async () => {
        const { id } = (await besideAnother()) as { id: string };
        expect(await bench.ids(collection)).toEqual([id]);
      });
    } else {
      it("two identical simultaneous creations return different records even if one response is lost", async () => {
        const ids = (await bothAlike()).map((outcome) =>
          outcome.status === "fulfilled" ? outcome.value.id : String(outcome.reason),
        );
        expect(ids.toSorted()).toEqual((await bench.ids(collection)).toSorted());
        expect(new Set(ids).size).toBe(2);
      });

      it("the provider reports all new records that match an unanswered create request", async () => {
        const error = await besideAnother();
        expect(error).toBeInstanceOf(DuplicateError);
        expect(error).toMatchObject({ ids: await bench.ids(collection), cause: { outcomeUnknown: true } });
        for (const id of await bench.ids(collection)) expect((error as DuplicateError).message).toContain(id);
      });
    }
  },
);

describe("simultaneous unanswered create requests", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.start({ createOutcomeTimeout: "10" }, { agents: 0 });
  });
  afterEach(() => bench.end());

  it("the provider shares list requests between simultaneous unanswered create requests", async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ name: `Label ${n}`, matchType: "or", filters: [] }));
    await bench.fault({ method: "POST", kind: "drop-after", n: many.length });
    await Promise.all(many.map((body) => bench.create("label", body)));
    expect(await bench.ids("labels")).toHaveLength(many.length);
    const { "labels.create": creates, "labels.list": listings } = bench.emulator.requests();
    expect(creates).toBe(many.length);
    expect(listings).toBeLessThan(many.length);
  });
});
