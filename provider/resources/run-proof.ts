import { setTimeout as sleep } from "node:timers/promises";
import type { Measurement } from "../measurement";
import type { ServiceClock } from "../service-clock";
import type { SelectionProof } from "./selection-proof";

/** Seconds that the clocks of the service's machines may differ. */
const futureToleranceSeconds = 5;

/** Reasons why a measurement is not of the run, as people read them. */
const reasons = {
  earlier: "of rounds that began before the run",
  future: "of rounds that have not begun yet",
  foreign: "of agents that the test does not select",
} as const;

/**
 * Accepts the measurements that prove to be of a run: an agent of the selection made them, in a round that began at or after the run by
 * the clock of the service. A round may count from the beginning of its interval. Then its measurement proves nothing, and the next round
 * has to show it.
 */
export class RunProof {
  readonly #refused = new Map<string, keyof typeof reasons>();

  /** @param begunAt second since 1970 of the service's clock: rounds that began earlier do not count */
  constructor(
    private readonly clock: ServiceClock,
    private readonly begunAt: number,
    readonly selection: SelectionProof,
  ) {}

  async accepted(measured: readonly Measurement[]): Promise<Measurement[]> {
    const kept = await Promise.all(measured.map(async (m) => ({ m, reason: await this.#reasonAgainst(m) })));
    return kept.flatMap(({ m, reason }) => {
      if (reason === undefined) return [m];
      this.#refused.set(`${m.agentId} ${m.roundId}`, reason);
      return [];
    });
  }

  /** Returns a sentence about the measurements that were not accepted; undefined if there were none. */
  refusals(): string | undefined {
    if (this.#refused.size === 0) return undefined;
    const parts = [...Map.groupBy(this.#refused.values(), (reason) => reason)].map(
      ([reason, all]) => `${all.length} ${reasons[reason]}`,
    );
    return `${this.#refused.size === 1 ? "1 measurement was" : `${this.#refused.size} measurements were`} not accepted: ${parts.join(", ")}.`;
  }

  async #reasonAgainst({ agentId, roundId }: Measurement): Promise<keyof typeof reasons | undefined> {
    if (!(roundId >= this.begunAt)) return "earlier";
    const now = this.clock.earliest() ?? -Infinity;
    // A date is cut off to a whole second.
    if (roundId * 1_000 > now + 1_000 + futureToleranceSeconds * 1_000) return "future";
    return (await this.selection.selects(agentId)) ? undefined : "foreign";
  }
}

/**
 * Waits until a whole second of the service's clock begins, and returns it. The caller has just received an answer: a round of this second
 * or a later one began after the service sent that answer, though rounds are known by whole seconds only.
 *
 * @returns undefined if no answer of the service had a date
 */
export async function nextSecond(clock: ServiceClock): Promise<number | undefined> {
  const earliest = clock.earliest();
  if (earliest === undefined) return undefined;
  const second = Math.floor(earliest / 1_000) + 1;
  await sleep(Math.max(0, second * 1_000 - earliest));
  return second;
}
