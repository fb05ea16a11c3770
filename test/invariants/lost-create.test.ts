/**
 * Creates records without a response among similar records: older records that no list contained, and records in another form.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { DuplicateError, UnknownOutcomeError } from "../../provider/failures";
import { records, type RecordKindName } from "../../provider/registry";
import { skipIdleTime } from "../support/idle-time";
import { bodyOf } from "../support/kinds";
import { Bench, everyKind } from "../provider/bench";
import { call } from "../support/call";

skipIdleTime();

const lagSeconds = 60;
const lost = { method: "POST", kind: "drop-before" };
let bench: Bench;
afterEach(() => bench.end());

/** Creates a record without the provider, so long before a create that only lagging reads hide it. */
async function makeByHand(path: string, body: object): Promise<void> {
  await call(bench.emulator.url, "POST", path, body);
  await sleep(20_000);
}

describe.each(everyKind)(
  "unanswered create requests for a %s",
  (name: RecordKindName, { minimal, collection, path, isUnique }) => {
    const hasTime = records[name].createdAt !== undefined;
    const startWithLag = async (): Promise<void> => {
      bench = await Bench.start({ readLag: "120" }, { agents: 0, as: [`lag=${lagSeconds}s`] });
      await makeByHand(path, bodyOf(name, minimal));
    };

    if (hasTime)
      it("the provider does not adopt an older identical record after an unanswered create request", async () => {
        await startWithLag();
        await bench.fault(lost);
        await expect(bench.create(name, minimal)).rejects.toBeInstanceOf(UnknownOutcomeError);
      });

    if (hasTime && !isUnique)
      it("the provider recognizes the record of an unanswered create request by its creation time", async () => {
        await startWithLag();
        const [older] = await bench.ids(collection);
        await bench.fault({ method: "POST", kind: "drop-after" });
        const { id } = await bench.create(name, minimal);
        expect(id).not.toBe(older);
        expect(await bench.ids(collection)).toContain(id);
      });

    if (!hasTime)
      it("the provider reports two identical records without creation times after an unanswered create request", async () => {
        await startWithLag();
        await bench.fault({ method: "POST", kind: "drop-after" });
        const error = await bench.create(name, minimal).catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(DuplicateError);
        for (const id of await bench.ids(collection)) expect((error as DuplicateError).message).toContain(id);
      });

    it("the provider finds the record of an unanswered create request even if reads return outdated data", async () => {
      bench = await Bench.start({ readLag: "120" }, { agents: 0, as: [`lag=${lagSeconds}s`] });
      await bench.fault({ method: "POST", kind: "drop-after" });
      const { id } = await bench.create(name, minimal);
      expect(await bench.ids(collection)).toEqual([id]);
    });
  },
);

it("the error about an unanswered create request recommends adopt: true for a similar new record", async () => {
  bench = await Bench.start({ createOutcomeTimeout: "2" }, { agents: 0, as: ["bare-colors"] });
  await bench.fault({ method: "POST", kind: "drop-after" });
  const label = { name: "Office", matchType: "or", filters: [], color: "#3366CC" };
  const error = await bench.create("label", label).catch((failure: unknown) => failure);
  const [id = ""] = await bench.ids("labels");
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect((error as Error).message).toMatch(new RegExp(`The new label ${id} has this name but other values.*adopt: true`));
  bench.newSession();
  await expect(bench.create("label", { ...label, adopt: true })).rejects.toMatchObject({ id });
  expect(await bench.ids("labels")).toEqual([id]);
});
