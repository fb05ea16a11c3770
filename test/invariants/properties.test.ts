import fc from "fast-check";
import { compact, unknownValue } from "../../provider/values";
import { records } from "../../provider/registry";
import { amount, seed } from "../support/amount";
import { validInputs } from "../provider/arbitrary";
import { Bench, everyKind, withLabels } from "../provider/bench";

let bench: Bench;
let labels: string[];
beforeAll(async () => {
  bench = await Bench.start();
  const put = await withLabels(bench);
  labels = Object.values(put({ a: { $id: "label-a" }, b: { $id: "label-b" } })) as string[];
});
afterAll(() => bench.end());

describe.each(everyKind)("%s with any valid inputs", (name, { full }) => {
  const life = () => bench.life(name);

  it("the provider's diff is empty after create, read and refresh", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(validInputs(name, labels), async (declared) => {
        count += 1;
        const { inputs, failures } = life().check({
          ...declared,
          [records[name].nameProperty]: `${count} ${String(declared[records[name].nameProperty])}`.slice(0, 64),
        });
        expect(failures).toEqual([]);
        const { id, state } = await life().create(inputs);
        expect(life().diff(id, state, inputs)).toEqual([]);
        bench.newSession();
        const read = await life().read(id, state);
        expect(life().diff(id, read?.state ?? {}, inputs)).toEqual([]);
        expect(read?.state).toEqual(state);
        expect(life().diff(id, state, read?.inputs ?? {})).toEqual([]);
        // Refreshed inputs have the form that check returns.
        const again = life().check(read?.inputs ?? {});
        expect([again.inputs, again.failures]).toEqual([read?.inputs, []]);
        await life().delete(id, state);
      }),
      { numRuns: amount(12, 60), seed: seed(1) },
    );
  });

  it("an update applies any change to the inputs", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(validInputs(name, labels), validInputs(name, labels), async (from, to) => {
        count += 1;
        const named = { [records[name].nameProperty]: `Change ${count}`, accountGroupId: "1001" };
        const before = await bench.create(name, { ...from, ...named });
        const { inputs } = life().check({ ...to, ...named });
        const changes = life().diff(before.id, before.state, inputs);
        if (changes.some(({ replaces }) => replaces)) await life().delete(before.id, before.state);
        const after = changes.some(({ replaces }) => replaces)
          ? await life().create(inputs)
          : { id: before.id, state: changes.length > 0 ? await life().update(before.id, before.state, inputs) : before.state };
        expect(life().diff(after.id, after.state, inputs)).toEqual([]);
        await life().delete(after.id, after.state);
      }),
      { numRuns: amount(10, 40), seed: seed(1) },
    );
  });

  it("the provider's check accepts its own result and unknown values in any position", () => {
    fc.assert(
      fc.property(validInputs(name, labels), fc.nat(), (declared, place) => {
        const { inputs } = life().check(declared);
        const again = life().check(inputs);
        expect([again.inputs, again.failures]).toEqual([inputs, []]);
        const properties = Object.keys(inputs);
        const property = properties[place % properties.length] ?? "";
        const unknown = life().check({ ...inputs, [property]: unknownValue });
        expect(unknown.failures).toEqual([]);
        const list = inputs[property];
        const longer = Array.isArray(list) ? [...list, unknownValue] : list;
        expect(life().check({ ...inputs, [property]: longer }).failures).toEqual([]);
      }),
    );
  });

  it("the provider's check never throws an error and never shows a value", () => {
    const marker = "zzz-secret-zzz";
    const anything = fc.oneof(fc.jsonValue(), fc.constant(marker), fc.constant(unknownValue), fc.constant(undefined));
    const properties = fc.constantFrom(...Object.keys(records[name].schema.shape), "other");
    fc.assert(
      fc.property(fc.dictionary(properties, anything), (extra) => {
        const { failures, inputs } = life().check({ ...full, ...extra });
        expect(inputs).toEqual(compact(inputs));
        expect(JSON.stringify(failures)).not.toContain(marker);
      }),
      { numRuns: amount(100, 500), seed: seed(1) },
    );
  });
});
