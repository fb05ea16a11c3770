import { Bench } from "../bench";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.end());

describe("a TestRun with numbers as triggers", () => {
  it("equal numbers do not count as a change", async () => {
    const test = await bench.create("httpServerTest", { testName: "Portal", url: "https://www.example.com", interval: 3600 });
    const declared = { testId: test.id, triggers: [7, 1.5, 0] };
    const { id, state, inputs } = await bench.create("testRun", declared);
    expect([inputs["triggers"], state["triggers"]]).toEqual([declared.triggers, declared.triggers]);
    expect(bench.life("testRun").diff(id, state, inputs)).toEqual([]);
    expect((await bench.life("testRun").read(id, state))?.state["triggers"]).toEqual(declared.triggers);
  });

  it.each([[[8]], [["7"]], [[true]], [[7, 7]], [[]], [undefined]])(
    "a change of the trigger from 7 to %j runs the test again",
    async (triggers) => {
      const life = bench.life("testRun");
      const state = { testId: "281474976710656", accountGroupId: "1001", triggers: [7] };
      const { inputs, failures } = life.check({ testId: state.testId, triggers });
      expect(failures).toEqual([]);
      expect(life.diff(state.testId, state, inputs)).toMatchObject([{ property: "triggers", replaces: true }]);
    },
  );
});
