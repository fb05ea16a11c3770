/**
 * Starts two stacks together, which creates duplicates. The provider reports each duplicate under a resource, with both ids.
 */
import { skipIdleTime } from "../support/idle-time";
import { equalRecords, perKind, programOf } from "../support/doubles";
import { amount } from "../support/amount";
import { Bench } from "./bench";
import { EngineModel } from "./engine-model";

skipIdleTime();

describe.each(["dynamic", "native"] as const)("duplicates with %s resources", (front) => {
  test.each(["0", "120"])(
    "two stacks that start simultaneously report each duplicate record, with readLag %s",
    async (readLag) => {
      let doubles = 0;
      for (let round = 0; round < 20; round += amount(7, 1)) {
        const bench = await Bench.start({}, { agents: 0 });
        try {
          // The responses arrive out of order.
          for (let at = 0; at < round; at += 1) await bench.fault({ method: "POST", kind: "latency", ms: (at * 370) % 900 });
          const stacks = [0, 1].map(() => new EngineModel(bench, { readLag }));
          await Promise.all(
            stacks.map((stack) => stack.up(programOf(front), { parallel: true, continueOnError: true }).catch(() => undefined)),
          );
          const printed = stacks.flatMap((stack) => stack.printed);
          for (const ids of await equalRecords(bench.newSession())) {
            doubles += 1;
            const lines = printed.filter(
              (line) => ids.every((id) => line.includes(id)) && line.includes("same name and content"),
            );
            expect([round, ids, lines.length > 0]).toEqual([round, ids, true]);
          }
        } finally {
          await bench.end();
        }
      }
      expect(doubles).toBeGreaterThan(20);
    },
  );

  test.each(["0", "120"])(
    "two stacks that create records one after another report each duplicate, with readLag %s",
    async (readLag) => {
      const bench = await Bench.start({}, { agents: 0 });
      try {
        const stacks = [0, 1].map(() => new EngineModel(bench, { readLag }));
        await Promise.all(stacks.map((stack) => stack.up(programOf(front), { continueOnError: true }).catch(() => undefined)));
        const doubles = await equalRecords(bench.newSession());
        const printed = stacks.flatMap((stack) => stack.printed);
        expect(doubles.length).toBeGreaterThan(perKind);
        for (const ids of doubles)
          expect([ids, printed.some((line) => ids.every((id) => line.includes(id)))]).toEqual([ids, true]);
      } finally {
        await bench.end();
      }
    },
  );

  test.each(["0", "120"])("creations in a single stack report no duplicates, with readLag %s", async (readLag) => {
    const bench = await Bench.start({}, { agents: 0 });
    try {
      const stack = new EngineModel(bench, { readLag });
      await stack.up(programOf(front), { parallel: true });
      expect(stack.printed).toEqual([]);
      const counts = bench.emulator.requests();
      for (const area of new Set(Object.keys(counts).flatMap((operation) => operation.match(/^(.*)\.create$/)?.[1] ?? [])))
        expect([area, counts[`${area}.create`], counts[`${area}.list`]]).toEqual([area, perKind, 2]);
    } finally {
      await bench.end();
    }
  });
});
