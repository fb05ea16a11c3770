/** Tests runs of scheduled tests: when they run again, and when they cannot return results. */
import { ExpectationError } from "../../../provider/failures";
import { skipIdleTime } from "../../support/idle-time";
import { Bench } from "../bench";

skipIdleTime();

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
    "changing the trigger from 7 to %j runs the test again",
    async (triggers) => {
      const life = bench.life("testRun");
      const state = { testId: "281474976710656", accountGroupId: "1001", triggers: [7] };
      const { inputs, failures } = life.check({ testId: state.testId, triggers });
      expect(failures).toEqual([]);
      expect(life.diff(state.testId, state, inputs)).toMatchObject([{ property: "triggers", replaces: true }]);
    },
  );
});

describe("a test with a label that selects no agent", () => {
  const filters = [{ key: "hostname", mode: "in", values: ["NOWHERE-*"] }];
  const wait = { waitForResults: { timeout: 120 } };
  let selector: object;
  beforeEach(async () => {
    const { id } = await bench.create("label", { name: "Nowhere", matchType: "and", filters });
    selector = { agentSelectorType: "agent-labels", endpointAgentLabels: [id] };
  });
  const target = { testName: "Portal", url: "https://www.example.com" };
  const failure = async (run: Promise<unknown>): Promise<ExpectationError> => {
    const started = performance.now();
    const error: unknown = await run.catch((reason: unknown) => reason);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(error).toBeInstanceOf(ExpectationError);
    return error as ExpectationError;
  };
  const runs = (): number =>
    Object.entries(bench.emulator.requests()).reduce((sum, [name, n]) => sum + (/instant|run/i.test(name) ? n : 0), 0);

  it("a run fails at once, without starting the test", async () => {
    const { id } = await bench.create("httpServerTest", { ...target, interval: 3600, ...selector });
    const before = runs();
    const { message, broken, hasVerdict, lacksAgents } = await failure(bench.create("testRun", { testId: id, ...wait }));
    expect(message).toBe(
      `Test ${id} was not started, because no agent can run the test: label "Nowhere" selects no agent. Change the filters, or select other agents.`,
    );
    expect([broken, hasVerdict, lacksAgents]).toEqual([['label "Nowhere" selects no agent'], false, true]);
    expect(runs()).toBe(before);
  });

  it("an instant test fails at once, without starting the test", async () => {
    const before = runs();
    const { message } = await failure(bench.create("httpServerInstantTest", { ...target, ...selector, ...wait }));
    expect(message).toContain("HTTP server instant test was not started");
    expect(runs()).toBe(before);
  });

  it("a run without a wait for results starts the test", async () => {
    const { id } = await bench.create("httpServerTest", { ...target, interval: 3600, ...selector });
    const before = runs();
    await bench.create("testRun", { testId: id });
    expect(runs()).toBe(before + 1);
  });

  it("a run waits for results if the service returns no agents", async () => {
    const { id } = await bench.create("httpServerTest", { ...target, interval: 3600, ...selector });
    await bench.fault({ operation: "agents.list", kind: "status", status: 403, n: 10 });
    const waiting = bench.create("testRun", { testId: id, waitForResults: { timeout: 2 } });
    await expect(waiting).rejects.toThrow("0 of 1 agents answered within 2 s");
  });

  it.each(["created", "changed"])(
    "a run waits for results if reads may not show yet that the stack %s the label",
    async (how) => {
      bench.newSession({ readLag: "60" });
      const young = { name: "Young", matchType: "and", filters };
      const { id: labelId, state, inputs } = await bench.create("label", young);
      if (how === "changed") {
        bench.newSession({ readLag: "60" });
        await bench.life("label").update(labelId, state, { ...inputs, matchType: "or" });
      }
      const byYoung = { agentSelectorType: "agent-labels", endpointAgentLabels: [labelId] };
      const { id } = await bench.create("httpServerTest", { ...target, interval: 3600, ...byYoung });
      const waiting = bench.create("testRun", { testId: id, waitForResults: { timeout: 2 } });
      await expect(waiting).rejects.toThrow("0 of 1 agents answered within 2 s");
    },
  );
});

test("concurrent runs share the list of agents, and read only its first page if a label selects an agent on this page", async () => {
  await bench.end();
  bench = await Bench.start({}, { agents: 4_000 });
  const [all, none] = await Promise.all(
    ["*", "NOWHERE-*"].map(async (value) => {
      const filters = [{ key: "hostname", mode: "in", values: [value] }];
      return (await bench.create("label", { name: value, matchType: "and", filters })).id;
    }),
  );
  const run = async (label: string | undefined): Promise<void> => {
    const selector = { agentSelectorType: "agent-labels", endpointAgentLabels: [label] };
    const { id } = await bench.create("agentToServerTest", { testName: `By ${label}`, server: "192.0.2.1", ...selector });
    await bench.create("testRun", { testId: id, waitForResults: { timeout: 1 } }).catch(() => undefined);
  };
  const pagesOf = async (...labels: (string | undefined)[]): Promise<number> => {
    const before = bench.emulator.requests()["agents.list"] ?? 0;
    await Promise.all(labels.map(run));
    return (bench.emulator.requests()["agents.list"] ?? 0) - before;
  };
  expect([await pagesOf(all), await pagesOf(none), await pagesOf(all, none, all, none)]).toEqual([1, 2, 2]);
});
