/** Finds the reasons why goals were missed: from the figures of the same run, else from a profile, which has its date. */
import { type Measured, medianOf } from "./row";

/** Returns the reason why the goal of a line was missed; undefined if it is not known. */
export function reasonFor(line: Measured, all: readonly Measured[]): string | undefined {
  for (const [row, reason] of reasons) {
    if (row.test(line.row)) return reason(line, all);
  }
  return undefined;
}

type Reason = (line: Measured, all: readonly Measured[]) => string | undefined;

const reasons: readonly (readonly [row: RegExp, reason: Reason])[] = [
  [/^engine-/, (line, all) => (line.front === "native" ? ofEngineAndProgram(line, all) : ofMoreWork(line, all))],
  [/^fronts-/, (line, all) => ofEngineAndProgram(line, all)],
  [/^provider$/, ({ measure }) => (measure === "memory" ? undefined : ofLoading)],
  [/^growth$/, ofFixedCost],
  [/^(?:start-program|types)$/, ofSpread],
  [/^client$/, () => ofChecks],
  [/^commands-/, ofTheEngine],
];

const ofLoading =
  "in a profile (2026-11-23) Pulumi's SDK and TypeScript take most of the start. This package takes 0.10 s of CPU time: loading zod and " +
  "building the schemas of the service a third each. As one bundled file it would take 0.02 s less.";

const ofChecks =
  "in a profile (2026-11-23) both spend the same on the network and on parsing JSON. Of the CPU time of ours, checking by schemas takes 8 %, " +
  "and what they copy costs 8 % more garbage collection; the rest is in small parts, such as numbers that lose digits, pacing and deadlines.";

/** Figures of one operation at one size, process by process. */
class Split {
  private constructor(
    readonly size: number,
    private readonly lines: readonly Measured[],
  ) {}

  /** Of the largest size that is not above the line's, since not every size is measured process by process. */
  static of({ operation, size = 0 }: Measured, all: readonly Measured[]): Split | undefined {
    const found = all.filter((one) => one.row.startsWith("fronts-") && one.operation === operation && (one.size ?? 0) <= size);
    const largest = Math.max(...found.map((one) => one.size ?? 0));
    const lines = found.filter((one) => one.size === largest);
    return lines.length > 0 ? new Split(largest, lines) : undefined;
  }

  /** The whole operation, or one of its processes. */
  line(front: string, role?: Measured["role"]): Measured | undefined {
    return this.lines.find((one) => one.front === front && one.role === role);
  }

  seconds(front: string, role: Measured["role"], whose: "ours" | "base"): number {
    return medianOf(this.line(front, role)?.[whose] ?? [Number.NaN]);
  }
}

/** Separates the cost of the native front without its provider from the cost of the provider. */
function ofEngineAndProgram(line: Measured, all: readonly Measured[]): string | undefined {
  const split = Split.of(line, all);
  if (!split) return undefined;
  const provider = split.seconds("native", "provider", "ours");
  const others = split.seconds("native", undefined, "ours") - provider;
  const base = line.row.startsWith("fronts-")
    ? split.seconds("native", undefined, "base")
    : split.seconds("dynamic", undefined, "base");
  const size = split.size.toLocaleString("en-US");
  const rest = `and the provider ${(provider / base).toFixed(2)}`;
  return `at ${size} tests the engine, its language host and the program take ${(others / base).toFixed(2)} of what it is compared with, ${rest}.`;
}

/** Describes the work of the dynamic front that resources without any work do not have. */
function ofMoreWork(line: Measured, all: readonly Measured[]): string | undefined {
  const split = Split.of(line, all);
  if (!split) return undefined;
  const [ours, base] = [split.seconds("dynamic", undefined, "ours"), split.seconds("dynamic", undefined, "base")];
  const [own, other] = [split.seconds("dynamic", "provider", "ours"), split.seconds("dynamic", "provider", "base")];
  return (
    `at ${split.size.toLocaleString("en-US")} tests it takes ${ours.toFixed(1)} s of CPU time, and resources that do nothing ${base.toFixed(1)} s. ` +
    `Their provider takes ${other.toFixed(1)} s of that and ours ${own.toFixed(1)} s.`
  );
}

/** Whether a further resource costs more in a large stack than in a small one. */
function ofFixedCost({ what, front }: Measured, all: readonly Measured[]): string | undefined {
  const [, operation, from] = /resource of (\S+), from (\d+)/.exec(what) ?? [];
  const own = all
    .filter(
      (one) =>
        one.row.startsWith("engine-") && one.measure === "CPU time" && one.operation === operation && one.front === front,
    )
    .filter(({ size = 0 }) => size >= Number(from))
    .toSorted((a, b) => (a.size ?? 0) - (b.size ?? 0));
  const further = (whose: "ours" | "base"): string =>
    own
      .slice(1)
      .map((one, at) => {
        const before = own[at];
        const seconds = medianOf(one[whose] ?? []) - medianOf(before?.[whose] ?? []);
        return `${((1_000 * seconds) / ((one.size ?? 0) - (before?.size ?? 0))).toFixed(1)} ms up to ${one.size?.toLocaleString("en-US")}`;
      })
      .join(", ");
  return (
    `each further resource takes ${further("ours")}, and one that does nothing ${further("base")}: what grows is the share of the ` +
    `resources in the whole, since the start is cheaper here.`
  );
}

/** Describes a difference that is smaller than the spread of the pairs. */
function ofSpread({ ours = [], base = [], least, most }: Measured): string {
  const [own, other] = [medianOf(ours), medianOf(base)];
  return `it is ${own.toFixed(2)} s where the other is ${other.toFixed(2)} s, and pairs differ by more: from ${least.toFixed(2)} to ${most.toFixed(2)}.`;
}

/** Describes the engine's share of a command. */
function ofTheEngine({ what, ours, base }: Measured, all: readonly Measured[]): string | undefined {
  if (!ours || !base) return undefined;
  const [own, other] = [medianOf(ours), medianOf(base)];
  if (what.startsWith("rehearse, ")) {
    return `the engine previews the program, and then updates the copy. Each takes about the ${other.toFixed(1)} s of the other, of ${own.toFixed(1)} s.`;
  }
  const part = all.find((one) => one.what === `the engine's part of ${what}`);
  if (!part?.ours) return undefined;
  const engine = medianOf(part.ours);
  return (
    `what it has the engine do takes ${engine.toFixed(1)} of its ${own.toFixed(1)} s by itself, where the other takes ${other.toFixed(1)} s: ` +
    `${(engine / other).toFixed(2)} of it. The rest is its own start, what it asks of the service, and its report.`
  );
}
