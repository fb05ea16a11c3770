/** Applies random operations to two stacks on the real engine, with the same steps and checks as on the model. */
import { live, noTally, type World } from "../provider/random-life";
import { ServiceView } from "../provider/service-view";
import { amount, seed } from "../support/amount";
import { RealEngine, twoStacks } from "./support/real-engine";

jest.setTimeout(8 * 60 * 60_000);

const lives = amount(1, 100);
const steps = amount(2, 5);
const first = seed(1);
/** `readLag` in seconds. A life on the engine runs in real time, so its reads lag less than on the model. */
const readLag = 12;

test(`${lives} random sequences from seed ${first} lose no records and recover from failures`, async () => {
  const tally = noTally();
  for (let at = 0; at < lives; at += 1) {
    const service = await ServiceView.start();
    const stacks = await twoStacks(service);
    try {
      const world: World = {
        engineOf: (name, settings) => new RealEngine(stacks[name], service, settings),
        readLag: String(readLag),
        maxLagSeconds: readLag - 4,
        settledSeconds: readLag + 1,
      };
      await live(first + at, steps, service, tally, world);
    } finally {
      await Promise.all([stacks.dev.end(), stacks.prod.end()]);
    }
  }
  const { lost, doubled, foreign, shared, different, stuck, ...done } = tally;
  if (lives > 1) console.log(JSON.stringify(done));
  expect({ lost, doubled, foreign, shared, different, stuck }).toEqual({
    lost: [],
    doubled: [],
    foreign: [],
    shared: [],
    different: [],
    stuck: [],
  });
  expect(tally.lives).toBe(lives);
});
