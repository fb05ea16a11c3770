/**
 * Runs random refactorings of random programs with both provider types. After each successful update, service, state and
 * program agree, and the update matches the preceding review.
 */
import { amount, seed } from "../support/amount";
import { noCounts, refactor } from "./support/refactoring";
import { Stack } from "./support/stack";

jest.setTimeout(4 * 60 * 60_000);

// A step of all sequences is one update, so there are fewer by default.
const sequences = amount(4, 300);
const steps = amount(2, 4);
const first = seed(1);

test(`both provider types make the reviewed changes in ${sequences} sequences from seed ${first}`, async () => {
  const stack = await Stack.startWith("native", { agents: amount(40, 400) });
  const counts = noCounts();
  const seeds = Array.from({ length: sequences }, (_, i) => first + i);
  await refactor(stack, seeds, steps, counts).finally(() => stack.end());
  const { lost, doubled, foreign, shared, notAsDeclared, unforeseen, disagreed, stuck, ...done } = counts;
  const wrong = { lost, doubled, foreign, shared, notAsDeclared, unforeseen, disagreed, stuck };
  const found = Object.fromEntries(Object.entries(wrong).map(([name, list]) => [name, list.length]));
  if (sequences > 10) console.log(JSON.stringify({ ...done, ...found }, null, 2));
  expect(Object.fromEntries(Object.entries(wrong).map(([name, list]) => [name, list.slice(0, 3)]))).toEqual(
    Object.fromEntries(Object.keys(wrong).map((name) => [name, []])),
  );
  expect([counts.sequences, Object.values(counts.tried).reduce((sum, times) => sum + times, 0)]).toEqual([
    sequences,
    sequences * steps,
  ]);
});
