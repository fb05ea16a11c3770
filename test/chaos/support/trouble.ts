import type { Fault } from "../../../emulator/faults";
import type { Random } from "../row";
import type { Change } from "./operations";

/** A failure while a change is carried out. */
export interface Trouble {
  faults: readonly Fault[];
  /** Milliseconds after which the service has carried out late requests. */
  settledAfterMs?: number;
  /** Connections are refused: from the beginning, or from the first write. */
  refuses?: "all" | "writes";
  /** The token expires during a write. */
  tokenEnds?: boolean;
  /** Refreshes first, so that lists matter. */
  refresh?: boolean;
}

/** Timeouts of the provider in seconds during trouble. Afterwards its defaults apply. */
export const impatient = { timeout: "0.4", deadline: "2", createOutcomeTimeout: "1" };

/** Affects the writes of a change: one of their methods, or all. */
function onWrites({ operation, writes }: Change, random: Random, fault: Omit<Fault, "operation" | "method">): Fault[] {
  // Affects all repetitions, or just the first ones.
  const often = { n: random.pick([1, 2, 6]), ...fault };
  return [operation === undefined ? { ...often, method: random.pick(writes) } : { ...often, operation }];
}

const jsonOf = { "content-type": "application/hal+json" };
const reading = (fault: Omit<Fault, "method">): Fault => ({ method: "GET", ...fault });

const answered =
  (status: number) =>
  (change: Change, random: Random): Trouble => ({
    faults: onWrites(change, random, { kind: "status", status, after: status >= 500 && random.chance() }),
  });

/** Each trouble, created by a seed. */
export const troubles: Record<string, (change: Change, random: Random, elsewhere: string) => Trouble> = {
  refused: (_, random) => ({ faults: [], refuses: random.pick(["all", "writes", "writes"]) }),
  "reset before storing": (change, random) => ({ faults: onWrites(change, random, { kind: "drop-before" }) }),
  "reset after storing": (change, random) => ({ faults: onWrites(change, random, { kind: "drop-after" }) }),
  "half-closed": (change, random) => ({ faults: onWrites(change, random, { kind: "half-close", after: random.chance() }) }),
  timeout: (change, random) => {
    const ms = random.pick([700, 1_800]);
    return { faults: onWrites(change, random, { kind: "latency", ms, n: 1 }), settledAfterMs: ms + 200 };
  },
  "late response": (change, random) => {
    const [ms, storedAfterMs] = [random.pick([100, 700]), random.pick([0, 300, 1_500])];
    const late = onWrites(change, random, { kind: "latency", ms, storedAfterMs, n: 1 });
    return { faults: late, settledAfterMs: storedAfterMs + 200 };
  },
  "429 with headers": (change, random) => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 1);
    const budget = { "x-organization-rate-limit-remaining": "0", "x-organization-rate-limit-reset": reset };
    const headers: Record<string, string> = random.chance()
      ? { "retry-after": "1" }
      : { ...budget, "x-organization-rate-limit-limit": "240" };
    return { faults: onWrites(change, random, { kind: "status", status: 429, headers, n: 1 }) };
  },
  "429 without headers": (change, random) => ({ faults: onWrites(change, random, { kind: "status", status: 429, n: 1 }) }),
  "409": answered(409),
  "500": answered(500),
  "502": answered(502),
  "503": answered(503),
  "504": answered(504),
  truncated: (change, random) => ({ faults: onWrites(change, random, { kind: "truncate" }) }),
  HTML: (change, random) => {
    const page = { body: "<html>Sign in to the network</html>", headers: { "content-type": "text/html" } };
    return {
      faults: onWrites(change, random, { kind: "status", status: random.pick([200, 503]), after: random.chance(), ...page }),
    };
  },
  "wrong content type": (change, random) => ({ faults: onWrites(change, random, { kind: "content-type" }) }),
  trickle: (change, random) => ({ faults: onWrites(change, random, { kind: "trickle", ms: random.pick([3, 150]), n: 1 }) }),
  "token ends midway": (change, random) => ({
    faults: onWrites(change, random, { kind: "latency", ms: 150, n: 1 }),
    tokenEnds: true,
  }),
  "redirect to another host": (change, random, elsewhere) => ({
    faults: onWrites(change, random, { kind: "redirect", to: elsewhere }),
  }),
  "lost list": (_, random) => {
    const lost = random.pick<Omit<Fault, "method">>([
      { kind: "drop-before", n: 30 },
      { kind: "status", status: 500, n: 30 },
      { kind: "status", status: 403, n: 1 },
      { kind: "status", status: 200, body: {}, headers: jsonOf, n: 2 },
    ]);
    return { faults: [reading(lost)], refresh: random.chance() };
  },
  "stale list": (change, random) => ({
    faults: [reading({ kind: "stale", n: 1_000 }), ...onWrites(change, random, { kind: "drop-after", n: 1 })],
    refresh: random.chance(),
  }),
  "{}": (change, random) => {
    const status = random.pick([200, 201]);
    return {
      faults: onWrites(change, random, { kind: "status", status, body: {}, headers: jsonOf, after: random.chance() }),
    };
  },
};
