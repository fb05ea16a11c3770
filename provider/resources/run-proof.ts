import { setTimeout as sleep } from "node:timers/promises";
import type { Measurement } from "../measurement";
import type { ServiceClock } from "../service-clock";
import type { SelectionProof } from "./selection-proof";

/** Largest difference between the clocks of the service's machines, in seconds. */
const futureToleranceSeconds = 5;

/** Reasons why measurements do not belong to a run, as parts of messages. */
const reasons = {
  earlier: "of rounds that began before the run",
  future: "of rounds that have not begun yet",
  foreign: "of agents that the test does not select",
} as const;

/**
 * Accepts only measurements that certainly belong to a run. A selected agent must have made the measurement in a round that began after the
 * request.
 */
export class RunProof {
  readonly #refused = new Map<string, keyof typeof reasons>();

  /** @param begunAt earliest start of the run's rounds according to the service's clock, in seconds since 1970 */
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
    // The `Date` headers of responses have whole seconds, so the actual time may be up to a second later.
    if (roundId * 1_000 > now + 1_000 + futureToleranceSeconds * 1_000) return "future";
    return (await this.selection.selects(agentId)) ? undefined : "foreign";
  }
}

/**
 * Waits for the next whole second of the service's clock, and returns that time in seconds since 1970. Rounds start at whole seconds, so a
 * round that starts at the returned time or later began after the last response.
 *
 * @returns undefined if the service's responses did not have a date
 */
export async function nextSecond(clock: ServiceClock): Promise<number | undefined> {
  const earliest = clock.earliest();
  if (earliest === undefined) return undefined;
  const second = Math.floor(earliest / 1_000) + 1;
  await sleep(Math.max(0, second * 1_000 - earliest));
  return second;
}
