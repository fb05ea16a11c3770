/**
 * Applies random operations to two stacks on the engine model. After each operation, no record is lost, duplicated, foreign,
 * shared or stuck.
 */
import { amount, seed } from "../support/amount";
import { live, noTally } from "../provider/random-life";
import { skipIdleTime } from "../support/idle-time";
import { ServiceView } from "../provider/service-view";

skipIdleTime();

const fewest = 20;
const lives = amount(fewest, 5_000);
const steps = 5;
/** The model's provider processes never end, so their connections stay open until the emulator closes. */
const livesOfAnEmulator = 250;
const first = seed(1);

test(`${lives} random stacks from seed ${first} never lose, duplicate or share a record`, async () => {
  const tally = noTally();
  for (let from = 0; from < lives; from += livesOfAnEmulator) {
    const service = await ServiceView.start();
    try {
      const end = Math.min(from + livesOfAnEmulator, lives);
      for (let at = from; at < end; at += 1) await live(first + at, steps, service, tally);
    } finally {
      await service.emulator.close();
    }
  }
  const { wrong, ...done } = tally;
  if (lives > fewest) console.log(JSON.stringify(done));
  expect(wrong).toEqual(noTally().wrong);
  expect(tally.lives).toBe(lives);
  // Some operations must fail, or the lives test little.
  expect(tally.failed).toBeGreaterThan(tally.operations / 20);
}, 1_800_000);
