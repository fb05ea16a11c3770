import { PartialFailure } from "../../provider/failures";
import { records } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { reportedOnly } from "./arbitrary";
import { Bench, everyKind } from "./bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.end());

/** Each property with values that the service reports and no request accepts. */
const cases = everyKind.flatMap(([name, of]) =>
  reportedOnly(records[name]).map(([property, values]) => ({ name, of, property, values, value: values[0] })),
);

it("exactly three values of tcpProbeMode occur only in the service's responses", () => {
  expect([...new Set(cases.map(({ property, values }) => `${property}: ${values.join(", ")}`))]).toEqual([
    "tcpProbeMode: syn-pcap, syn-socket, unknown",
  ]);
});

describe.each(cases)("the reported value $value of $property in a $name", ({ name, of, property, values, value }) => {
  const { minimal, collection } = of;

  /** Imports a record with the value. */
  async function imported(): Promise<{ id: string; state: Properties; inputs: Properties }> {
    const { id } = await bench.create(name, minimal);
    await bench.door(`records/${collection}/${id}`, { [property]: value }, "PATCH");
    bench.newSession();
    const record = await bench.life(name).read(id, {});
    if (!record) throw new Error(`there is no ${id}`);
    return record;
  }

  it("import accepts a value that the service reports but no request accepts", async () => {
    const { id, state, inputs } = await imported();
    expect(inputs[property]).toBe(value);
    const checked = bench.life(name).check({ ...minimal, [property]: value }, inputs);
    expect(checked.failures).toEqual([]);
    expect(bench.life(name).diff(id, state, checked.inputs)).toEqual([]);
    // The value stays while another property changes.
    const change = bench.life(name).check({ ...minimal, [property]: value, interval: 3600 }, inputs);
    expect(change.failures).toEqual([]);
    expect(await bench.life(name).update(id, state, change.inputs)).toMatchObject({ [property]: value, interval: 3600 });
  });

  it("an update resets a response-only value if the program omits the property", async () => {
    const { id, state, inputs } = await imported();
    const checked = bench.life(name).check(minimal, inputs);
    expect(
      bench
        .life(name)
        .diff(id, state, checked.inputs)
        .map((change) => change.property),
    ).toEqual([property]);
    expect(await bench.life(name).update(id, state, checked.inputs)).toMatchObject({ [property]: "auto" });
  });

  it("the provider's check rejects a value that only the service may set", async () => {
    const reason = expect.stringContaining("a value that only the service can set");
    const { inputs } = bench.life(name).check(minimal);
    for (const former of [undefined, {}, inputs])
      for (const reported of values) {
        const { failures } = bench.life(name).check({ ...minimal, [property]: reported }, former);
        expect(failures).toEqual([{ path: property, reason }]);
      }
  });

  it("an update partly fails if the service no longer has the imported response-only value", async () => {
    const { id, state, inputs } = await imported();
    await bench.door(`records/${collection}/${id}`, { [property]: "auto" }, "PATCH");
    const renamed = { ...inputs, [records[name].nameProperty]: "Renamed" };
    const failure = await bench
      .life(name)
      .update(id, state, renamed)
      .catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    expect(failure).toMatchObject({ state: { [property]: "auto" }, reasons: [expect.stringContaining(property)] });
  });
});
