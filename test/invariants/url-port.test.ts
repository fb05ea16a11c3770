import { Bench } from "../provider/bench";

const url = "https://www.example.com/status";

// Whether the service returns the port is unknown.
describe.each(["added", "as-sent"] as const)("an emulator with the setting urlPort %s", (urlPort) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start({}, { urlPort });
  });
  beforeEach(() => {
    bench.emulator.reset();
    bench.newSession();
  });
  afterAll(() => bench.emulator.close());

  test.each([url, "https://www.example.com:443/status", "www.example.com/status"])(
    "a read reports no change to the declared URL %s",
    async (declared) => {
      const life = bench.life("httpServerTest");
      const { id, state, inputs } = await bench.create("httpServerTest", { testName: "Portal", url: declared });
      expect(life.diff(id, state, inputs)).toEqual([]);
      bench.newSession();
      const read = await bench.life("httpServerTest").read(id, state);
      expect(life.diff(id, read?.state ?? {}, inputs)).toEqual([]);
    },
  );

  test("a different spelling of the declared URL causes no update", async () => {
    const { id, state } = await bench.create("httpServerTest", { testName: "Other", url });
    const life = bench.life("httpServerTest");
    const changed = life.check({ testName: "Other", url: `${url}/x`, accountGroupId: "1001" }).inputs;
    expect(life.diff(id, state, changed).map(({ property }) => property)).toEqual(["url"]);
    const updated = await life.update(id, state, changed);
    expect(life.diff(id, updated, changed)).toEqual([]);
    const respelled = life.check({
      testName: "Other",
      url: "https://www.example.com:443/status/x",
      accountGroupId: "1001",
    }).inputs;
    expect(life.diff(id, updated, respelled)).toEqual([]);
  });
});

test.each([
  ["added", "www.example.com/status"],
  ["as-sent", "https://www.example.com:443/status"],
] as const)("urlPort %s: the provider adopts an existing test with the declared URL %s", async (urlPort, declared) => {
  const bench = await Bench.start({ adopt: "identical" }, { urlPort });
  const first = await bench.create("httpServerTest", { testName: "Portal", url });
  bench.newSession();
  const second = await bench.create("httpServerTest", { testName: "Portal", url: declared });
  expect(second.id).toBe(first.id);
  await bench.emulator.close();
});
