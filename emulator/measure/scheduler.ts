import { localAgent } from "../fleet/fleet";
import { forgetRounds, keepRound, latestRounds } from "../rounds";
import { type AnyTestKind, testKinds } from "../model/test-kinds";
import { instantOf, type StoredTest } from "../model/tests";
import { agentsAssigned, agentsRunning } from "../selection";
import type { Service, ServiceData } from "../service";
import type { StoreRow, Store } from "../store";
import { LoadMeter } from "./load";
import { isMeasurable, measure, type MeasurementPlan } from "./measure";
import { sessions, targetsOf } from "./sessions";
import { Slots } from "./slots";

/**
 * Maximum number of concurrent measurements.
 *
 * More concurrent measurements would distort each other's results. With fewer concurrent measurements, slow targets would delay
 * other tests.
 */
const atOnce = 4;

/**
 * Runs the tests of this machine's agent at their intervals. The scheduler finds new and changed tests itself, because it watches the
 * store.
 *
 * If a test has a forbidden target, the scheduler skips the test until the test changes.
 */
export class Scheduler {
  /** Due time of each test, as a value of `performance.now()`. Test ids are unique across all types of tests. */
  readonly #due = new Map<string, { readonly kind: AnyTestKind; at: number }>();
  readonly #changed = new Map<string, AnyTestKind>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #lastRound = new Map<string, number>();
  readonly #slots = new Slots(atOnce);
  readonly meter: LoadMeter;
  #everythingChanged = false;
  /** Number of times that the store was reset. The scheduler discards measurements that began before a reset. */
  #epoch = 0;
  #changes: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param end signal that is aborted when the emulator closes, to stop all measurements */
  constructor(
    private readonly world: ServiceData,
    private readonly end: AbortSignal,
  ) {
    const { store } = world;
    this.meter = new LoadMeter(world.settings.now);
    for (const kind of testKinds) {
      for (const { name } of [kind.collection, instantOf(kind.collection)]) {
        store.watch(name, (id) => {
          if (id === undefined) this.#epoch += 1;
          this.#note(kind, id);
        });
      }
    }
    store.watch(sessions.name, () => this.#note());
    end.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      clearImmediate(this.#changes);
    });
    this.#note();
  }

  /** Runs a test immediately, even if the test is disabled. The promise resolves when the rounds of the test are stored. */
  async runNow(kind: AnyTestKind, row: StoreRow<StoredTest>): Promise<void> {
    await this.#run(kind, row, agentsAssigned(this.world, row));
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  /** Notes that a test has changed. After the commit, the scheduler processes all noted changes together. */
  #note(kind?: AnyTestKind, id?: string): void {
    if (kind && id !== undefined) this.#changed.set(id, kind);
    else this.#everythingChanged = true;
    if (!this.end.aborted) this.#changes ??= setImmediate(() => this.#lookAtChanges());
  }

  #lookAtChanges(): void {
    this.#changes = undefined;
    if (this.#everythingChanged) {
      this.#everythingChanged = false;
      for (const [id, { kind }] of this.#due) this.#changed.set(id, kind);
      for (const kind of testKinds) {
        for (const { id } of this.world.store.ids(kind.collection.name)) this.#changed.set(id, kind);
      }
    }
    for (const [id, kind] of this.#changed) this.#lookAt(kind, id);
    this.#changed.clear();
    this.#arm();
  }

  #lookAt(kind: AnyTestKind, id: string): void {
    const { store } = this.world;
    const row = store.get(kind.collection, id);
    if (!row && !store.get(instantOf(kind.collection), id)) {
      forgetRounds(this.world, id);
      this.#lastRound.delete(id);
    }
    if (!row?.body.isEnabled || this.#plansOf(kind, row).length === 0) {
      this.#due.delete(id);
      return;
    }
    const now = performance.now();
    const known = this.#due.get(id);
    if (known?.kind === kind) known.at = Math.min(known.at, now + this.#periodOf(row));
    else this.#due.set(id, { kind, at: now });
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#due.size === 0 || this.end.aborted) return;
    const next = [...this.#due.values()].reduce((least, { at }) => Math.min(least, at), Infinity);
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, next - performance.now()));
    this.#timer.unref();
  }

  #tick(): void {
    const now = performance.now();
    for (const [id, due] of this.#due) {
      if (due.at > now) continue;
      const row = this.world.store.get(due.kind.collection, id);
      if (!row) continue;
      const period = this.#periodOf(row);
      // Rounds keep their schedule, so the scheduler skips missed rounds.
      due.at += period * Math.max(1, Math.ceil((now - due.at) / period));
      // If a measurement takes longer than the interval, the scheduler skips rounds instead of queuing them.
      if (!this.#running.has(id)) void this.#run(due.kind, row, agentsRunning(this.world, row));
    }
    this.#arm();
  }

  #periodOf({ body }: StoreRow<StoredTest>): number {
    return (body.interval * 1000) / this.world.settings.speed;
  }

  #plansOf(kind: AnyTestKind, { id, aid, body }: StoreRow<StoredTest>): readonly MeasurementPlan[] {
    const plans = kind.plans(body, targetsOf(this.world, id, aid));
    return plans.filter((plan) => isMeasurable(plan, this.world.settings));
  }

  #run(kind: AnyTestKind, row: StoreRow<StoredTest>, agents: readonly { readonly id: string }[]): Promise<void> {
    const agentId = localAgent(this.world)?.id;
    const plans = this.#plansOf(kind, row);
    if (agentId === undefined || plans.length === 0 || !agents.some(({ id }) => id === agentId)) return Promise.resolve();
    const done = this.#measure(kind, row, agentId, plans)
      .catch((error: unknown) => {
        // Failures of the target become measurement results, so any other error is a bug in the emulator.
        if (!this.end.aborted) this.world.settings.onError(error, `A round of test ${row.id}`);
      })
      .finally(() => {
        if (this.#running.get(row.id) === done) this.#running.delete(row.id);
      });
    this.#running.set(row.id, done);
    return done;
  }

  async #measure(
    kind: AnyTestKind,
    { id, aid, sequence }: StoreRow<StoredTest>,
    agentId: string,
    plans: readonly MeasurementPlan[],
  ) {
    const { settings, store } = this.world;
    const roundId = this.#nextRound(id);
    const epoch = this.#epoch;
    const figures = await Promise.all(
      plans.map((plan) => this.#slots.use(() => measure(plan, settings, this.meter, this.end))),
    );
    this.end.throwIfAborted();
    // The test may have been deleted during the measurement. After a reset, another test may have the same id.
    const now = store.get(kind.collection, id) ?? store.get(instantOf(kind.collection), id);
    if (now?.sequence !== sequence || epoch !== this.#epoch) return;
    store.together(() => {
      for (const figure of figures) keepRound(this.world, aid, { ...figure, roundId, testId: id, agentId });
    });
    await store.committed();
  }

  /** Returns the id of the next round: the current time in seconds since 1970, or the next unused second. */
  #nextRound(testId: string): number {
    const last = this.#lastRound.get(testId) ?? latestRounds(this.world, testId, 1)[0]?.roundId ?? 0;
    const roundId = Math.max(Math.floor(this.world.settings.now() / 1000), last + 1);
    this.#lastRound.set(testId, roundId);
    return roundId;
  }
}

const schedulers = new WeakMap<Store, Scheduler>();

export function startScheduler(world: ServiceData, end: AbortSignal): Scheduler {
  const scheduler = new Scheduler(world, end);
  schedulers.set(world.store, scheduler);
  return scheduler;
}

export function schedulerOf({ store }: Pick<Service, "store">): Scheduler | undefined {
  return schedulers.get(store);
}
