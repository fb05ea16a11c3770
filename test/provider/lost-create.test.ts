/** Creates without an answer among records that only look like theirs: older ones that no list showed before, and ones in another form. */
import { setTimeout as sleep } from "node:timers/promises";
import { DuplicateError, UnknownOutcomeError } from "../../provider/failures";
import { records, type RecordKindName } from "../../provider/registry";
import { skipIdleTime } from "../support/idle-time";
import { bodyOf } from "../support/kinds";
import { Bench, everyKind } from "./bench";

skipIdleTime();

const lagSeconds = 60;
const lost = { method: "POST", kind: "drop-before" };
let bench: Bench;
afterEach(() => bench.end());

/** Creates a record by hand, so long before a create that only reads which lag hide it. */
async function makeByHand(path: string, body: object): Promise<void> {
  const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
  const answer = await fetch(bench.emulator.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  await sleep(20_000);
}

describe.each(everyKind)("%s", (name: RecordKindName, { minimal, collection, path, isUnique }) => {
  const hasTime = records[name].createdAt !== undefined;
  const startWithLag = async (): Promise<void> => {
    bench = await Bench.start({ readLag: "120" }, { agents: 0, as: [`lag=${lagSeconds}s`] });
    await makeByHand(path, bodyOf(name, minimal));
  };

  if (hasTime)
    it("is not taken for an older equal record that no list showed before", async () => {
      await startWithLag();
      await bench.fault(lost);
      await expect(bench.create(name, minimal)).rejects.toBeInstanceOf(UnknownOutcomeError);
    });

  if (hasTime && !isUnique)
    it("differs from an older equal record in its creation time", async () => {
      await startWithLag();
      const [older] = await bench.ids(collection);
      await bench.fault({ method: "POST", kind: "drop-after" });
      const { id } = await bench.create(name, minimal);
      expect(id).not.toBe(older);
      expect(await bench.ids(collection)).toContain(id);
    });

  if (!hasTime)
    it("has no time of its creation, so both records are reported", async () => {
      await startWithLag();
      await bench.fault({ method: "POST", kind: "drop-after" });
      const error = await bench.create(name, minimal).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(DuplicateError);
      for (const id of await bench.ids(collection)) expect((error as DuplicateError).message).toContain(id);
    });

  it("is found although reads lag", async () => {
    bench = await Bench.start({ readLag: "120" }, { agents: 0, as: [`lag=${lagSeconds}s`] });
    await bench.fault({ method: "POST", kind: "drop-after" });
    const { id } = await bench.create(name, minimal);
    expect(await bench.ids(collection)).toEqual([id]);
  });
});

it("a record that the service returns in another form is named by the failure, and adopt: true adopts it", async () => {
  bench = await Bench.start({ createOutcomeTimeout: "2" }, { agents: 0, as: ["bare-colors"] });
  await bench.fault({ method: "POST", kind: "drop-after" });
  const label = { name: "Office", matchType: "or", filters: [], color: "#3366CC" };
  const error = await bench.create("label", label).catch((failure: unknown) => failure);
  const [id = ""] = await bench.ids("labels");
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect((error as Error).message).toMatch(new RegExp(`The new label ${id} has this name and other values.*adopt: true`));
  bench.newSession();
  await expect(bench.create("label", { ...label, adopt: true })).rejects.toMatchObject({ id });
  expect(await bench.ids("labels")).toEqual([id]);
});
