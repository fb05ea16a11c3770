/** Applies random operations to two stacks on the real engine, with the same steps and checks as on the model. */
import { live, noTally, type Tally, type World } from "../provider/random-life";
import { ServiceView } from "../provider/service-view";
import { amount, seed } from "../support/amount";
import { RealEngine, twoStacks } from "./support/real-engine";

jest.setTimeout(8 * 60 * 60_000);

const first = seed(1);
/** `readLag` in seconds. A life on the engine runs in real time, so its reads lag less than on the model. */
const readLag = 12;

async function liveOnEngine(lives: number, steps: number, world: Partial<World>, agents: number): Promise<Tally> {
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

const troubled = { lives: amount(1, 100), steps: amount(2, 5) };

test(`the engine loses no records in ${troubled.lives} random sequences with failures from seed ${first}`, async () => {
  const tally = await liveOnEngine(troubled.lives, troubled.steps, {}, 8);
  expect(tally).toMatchObject({ wrong: noTally().wrong, lives: troubled.lives });
});

const calm = { lives: amount(1, 40), steps: amount(2, 4), changes: amount(4, 8) };

test(`both provider types make the reviewed changes in ${calm.lives} sequences from seed ${first}`, async () => {
  const { wrong, tried, said } = await liveOnEngine(calm.lives, calm.steps, { isCalm: true, changes: calm.changes }, 40);
  expect(wrong).toEqual(noTally().wrong);
  expect(Object.values(tried).reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(calm.steps * calm.changes);
  expect(Object.values(said).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0);
});
