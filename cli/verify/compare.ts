import type { Measurement } from "../../provider/measurement";

/** What the agents measured before the update, compared with after. */
export interface Comparison {
  /** Agents that measured before and after: of others nothing is compared. */
  agents: number;
  figures: ComparedFigure[];
  /** Why nothing is compared, as a sentence part. */
  reason?: string;
}

export interface ComparedFigure {
  figure: string;
  /** Absent where none of these agents measured it. */
  before?: number;
  after?: number;
  unit: "%" | "ms";
  isWorse: boolean;
}

/** Differences of times that are no difference, in milliseconds: between two rounds there are always some. */
const leastDifferenceMs = 1;

type Figure = Pick<ComparedFigure, "figure" | "unit"> & {
  of: (measured: readonly Measurement[]) => number | undefined;
  /** Whether more of it is worse. */
  isCost: boolean;
};

/** Availability counts every measurement; the others those that have the figure. Times are medians: one slow round is none. */
const figures: readonly Figure[] = [
  { figure: "availability", unit: "%", isCost: false, of: (all) => mean(all.map(({ available }) => (available ? 100 : 0))) },
  {
    figure: "packets that arrive",
    unit: "%",
    isCost: false,
    of: (all) => mean(known(all, (m) => m.loss).map((loss) => 100 - loss)),
  },
  { figure: "latency", unit: "ms", isCost: true, of: (all) => median(known(all, (m) => m.avgLatency)) },
  { figure: "response time", unit: "ms", isCost: true, of: (all) => median(known(all, (m) => m.responseTime)) },
];

/**
 * Compares what agents measured in rounds before an update with what they did after it.
 *
 * @param percent by which a figure may become worse
 */
export function compareRounds(before: readonly Measurement[], after: readonly Measurement[], percent: number): Comparison {
  if (before.length === 0) return { agents: 0, figures: [], reason: "there are no rounds of before the update" };
  const ids = (all: readonly Measurement[]): Set<string> => new Set(all.map(({ agentId }) => agentId));
  const then = ids(before);
  const agents = new Set([...ids(after)].filter((id) => then.has(id)));
  if (agents.size === 0) return { agents: 0, figures: [], reason: "no agent measured before and after the update" };
  const ofAgents = (all: readonly Measurement[]): Measurement[] => all.filter(({ agentId }) => agents.has(agentId));
  const [earlier, later] = [ofAgents(before), ofAgents(after)];
  return {
    agents: agents.size,
    figures: figures.flatMap(({ of, figure, unit, isCost }): ComparedFigure[] => {
      const [was, is] = [of(earlier), of(later)];
      if (was === undefined) return [];
      return [
        { figure, unit, before: was, ...(is !== undefined && { after: is }), isWorse: isWorse(was, is, percent, isCost) },
      ];
    }),
  };
}

/** A figure that is no longer measured is worse: where nothing answers, nothing is slow. */
function isWorse(before: number, after: number | undefined, percent: number, isCost: boolean): boolean {
  if (after === undefined) return true;
  if (!isCost) return after < before * (1 - percent / 100);
  return after > before * (1 + percent / 100) && after - before >= leastDifferenceMs;
}

/** Why a comparison fails, a part of a sentence each. */
export function worsened({ figures: compared }: Comparison, percent: number): string[] {
  return compared
    .filter((one) => one.isWorse)
    .map(({ figure, before = 0, after, unit }) => {
      if (after === undefined) return `${figure} no longer measured (${rounded(before)} ${unit} before the update)`;
      return `${figure} more than ${percent} % worse: ${rounded(before)} → ${rounded(after)} ${unit}`;
    });
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function known(all: readonly Measurement[], of: (m: Measurement) => number | undefined): number[] {
  return all.map(of).filter((value) => value !== undefined);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return mean(
    Number.isInteger(middle) ? sorted.slice(middle - 1, middle + 1) : sorted.slice(Math.floor(middle), Math.ceil(middle)),
  );
}
