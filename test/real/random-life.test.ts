/** Applies random operations to two stacks on the real engine, with the same steps and checks as on the model. */
import { live, noTally, type Tally, type World } from "../provider/random-life";
import { ServiceView } from "../provider/service-view";
import { amount, seed } from "../support/amount";
import { RealEngine, twoStacks } from "./support/real-engine";

jest.setTimeout(8 * 60 * 60_000);

/** `readLag` in seconds. A life on the engine runs in real time, so its reads lag less than on the model. */
const readLag = 12;

interface Lives extends Partial<World> {
  first: number;
  lives: number;
  steps: number;
  agents: number;
}

async function liveOnEngine({ first, lives, steps, agents, ...world }: Lives): Promise<Tally> {
  const tally = noTally();
  for (let at = 0; at < lives; at += 1) {
    const service = await ServiceView.start({ agents });
    const stacks = await twoStacks(service);
    try {
      await live(first + at, steps, service, tally, {
        engineOf: (name, settings) => new RealEngine(stacks[name], service, settings),
        readLag: String(readLag),
        maxLagSeconds: readLag - 4,
        settledSeconds: readLag + 1,
        ...world,
      });
    } finally {
      await Promise.all([stacks.dev.end(), stacks.prod.end()]);
    }
  }
  if (lives > 1) console.log(JSON.stringify(tally));
  return tally;
}

const troubled = { first: seed(1), lives: amount(1, 100), steps: amount(2, 5), agents: 8 };

test(`the engine loses no records in ${troubled.lives} random sequences with failures from seed ${troubled.first}`, async () => {
  const tally = await liveOnEngine(troubled);
  expect(tally).toMatchObject({ wrong: noTally().wrong, lives: troubled.lives });
});

const calm = { first: seed(2), lives: amount(1, 40), steps: amount(2, 4), changes: amount(6, 10), agents: 40, isCalm: true };

test(`both provider types make the reviewed changes in ${calm.lives} sequences from seed ${calm.first}`, async () => {
  const { wrong, tried, counts } = await liveOnEngine(calm);
  expect(wrong).toEqual(noTally().wrong);
  expect(Object.values(tried).reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(calm.steps * calm.changes);
  expect(Object.values(counts).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0);
});
