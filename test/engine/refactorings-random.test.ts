/** Random refactorings of random programs: after each update that ends with 0, service = state = program. */
import { amount, seed } from "../support/amount";
import { noCounts, refactor } from "./support/refactoring";
import { fronts, Stack } from "./support/stack";

jest.setTimeout(3 * 60 * 60_000);

const sequences = amount(3, 300);
const steps = amount(4, 4);
const first = seed(1);

test.each(fronts)(
  `%s front, ${sequences} sequences from seed ${first}: no record is lost, doubled, or unforeseen`,
  async (front) => {
    const stack = await Stack.startWith(front, { agents: 60 });
    const counts = noCounts();
    const seeds = Array.from({ length: sequences }, (_, i) => first + i);
    await refactor(stack, seeds, steps, counts).finally(() => stack.end());
    const { lost, doubled, notAsDeclared, unforeseen, stuck, ...done } = counts;
    if (sequences > 5) console.log(JSON.stringify({ ...done, lost: lost.length, doubled: doubled.length }, null, 2));
    const wrong = { lost, doubled, notAsDeclared, unforeseen, stuck };
    expect(wrong).toEqual({ lost: [], doubled: [], notAsDeclared: [], unforeseen: [], stuck: [] });
    expect([counts.sequences, Object.values(counts.tried).reduce((sum, times) => sum + times, 0)]).toEqual([
      sequences,
      sequences * steps,
    ]);
  },
);
