import { sharedRecords } from "../../plan/shared-records";
import { managedAmong, type ManagedResource } from "../../engine/state";
import { amount } from "../support/amount";
import { equalRecords, programOf } from "../support/doubles";
import { skipIdleTime } from "../support/idle-time";
import { Bench } from "../provider/bench";
import { EngineModel } from "../provider/engine-model";
import { inState } from "../cli/drift-support";

skipIdleTime();

/** The resources of a stack on the engine model, as commands read them. */
function managedOf(stack: string, { state }: EngineModel): ManagedResource[] {
  return managedAmong(
    stack,
    [...state.values()].map(({ kind, name, id, inputs, outputs }) => inState(kind, name, {}, { id, inputs, outputs })),
  );
}

const runs = amount(4, 20);

test(`check and drift find duplicate records after simultaneous updates of two stacks (${runs} runs)`, async () => {
  let doubles = 0;
  for (let round = 0; round < runs; round += 1) {
    const bench = await Bench.start({}, { agents: 0 });
    try {
      const front = round % 2 === 0 ? "dynamic" : "native";
      const engines = [0, 1].map(() => new EngineModel(bench, { readLag: "120" }));
      await Promise.all(
        engines.map((engine) => engine.up(programOf(front), { parallel: true, continueOnError: true }).catch(() => undefined)),
      );
      const [a = [], b = []] = engines.map((engine, at) => managedOf(`stack-${at}`, engine));
      const session = bench.newSession();
      const equal = (await equalRecords(session)).map((ids) => ids.toSorted().join());
      doubles += equal.length;
      for (const [managing, others] of [
        [a, b],
        [b, a],
        [a, []],
      ] as const) {
        const shared = await sharedRecords([{ managed: managing, session: bench.newSession() }], others);
        const expected = equal.filter((ids) => managing.some(({ id }) => ids.includes(id)));
        expect(shared.map(({ check, ids }) => `${check} ${ids.join()}`).toSorted()).toEqual(
          expected.map((ids) => `doubled ${ids}`).toSorted(),
        );
        const managers = new Set(others.length === 0 ? ["stack-0"] : ["stack-0", "stack-1"]);
        for (const { text, ids, resources } of shared) {
          expect(ids.every((id) => text.includes(id))).toBe(true);
          expect(new Set(resources.map(({ stack }) => stack))).toEqual(managers);
        }
      }
    } finally {
      await bench.end();
    }
  }
  expect(doubles).toBeGreaterThan(runs);
});

test("check and drift report a record of several stacks only once", async () => {
  const managed = (stack: string, name: string, id: string) => managedAmong(stack, [inState("label", name, {}, { id })]);
  const [dev, prod] = [[...managed("dev", "a", "1"), ...managed("dev", "b", "2")], managed("prod", "c", "2")];
  const text = expect.stringContaining("the label 2 is managed by b of stack dev and c of stack prod");
  const reported = [{ check: "adopts-foreign", ids: ["2"], text }];
  expect(await sharedRecords([{ managed: [...dev, ...prod] }], [])).toMatchObject(reported);
  expect(await sharedRecords([{ managed: dev }], prod)).toMatchObject(reported);
  expect(await sharedRecords([{ managed: dev }], [])).toEqual([]);
});
