/** The engine's operations on both fronts, beside dynamic resources that do nothing: the floor. */
import { compared, eachInTurns } from "../measure";
import { engineOperations, type Front, fronts, type Subject, withProject, writesOnceFrom, writesStateOnce } from "../project";
import type { Goal, Line, Row } from "../row";

const { preview, up, refresh, destroy } = engineOperations;
const operations = { preview, up, "preview of nothing": preview, "no-op up": up, refresh, destroy };
type Operation = keyof typeof operations;
// The keys of the object above.
const names = Object.keys(operations) as Operation[];

/** Most time that an operation of the dynamic front may take, of the floor's. */
const dynamicGoals: Partial<Record<Operation, number>> = {
  preview: 0.9,
  up: 0.85,
  "no-op up": 0.95,
  refresh: 0.95,
  destroy: 0.75,
};
/** Most CPU time that an operation of the native front may take, of the floor's: a refresh and a destroy start no program, which is cheaper here. */
const nativeGoals: Partial<Record<Operation, number>> = { preview: 0.6, up: 0.6, "no-op up": 0.6, refresh: 0.8, destroy: 0.65 };

interface Life {
  readonly time: Record<Operation, number>;
  readonly cpu: Record<Operation, number>;
  /** Kilobytes of the state that an up left. */
  readonly state: number;
}

async function lifeOf(front: Subject, size: number): Promise<Life> {
  const settings = size >= writesOnceFrom ? writesStateOnce : {};
  // The floor's goes to nobody.
  return withProject({ front, program: size, settings }, { rateLimit: "off", agents: 0 }, async (project) => {
    const [time, cpu] = [{} as Record<Operation, number>, {} as Record<Operation, number>];
    let state = 0;
    for (const name of names) {
      const spent = await project.pulumi(...operations[name]);
      [time[name], cpu[name]] = [spent.time, spent.cpu];
      if (name === "up") state = project.stateSize();
    }
    return { time, cpu, state };
  });
}

type Ours = Exclude<Front, "floor">;
const ours: readonly Ours[] = ["dynamic", "native"];

/** Lives of one of our fronts, and of what it stands beside. */
interface Pairs {
  readonly size: number;
  readonly front: Ours;
  readonly own: readonly Life[];
  readonly base: readonly Life[];
  readonly against: string;
}

function operationLine(pairs: Pairs, operation: Operation, measure: "time" | "CPU time", goal?: Goal): Line {
  const { size, front, own, base, against } = pairs;
  const figures = (lives: readonly Life[]): number[] =>
    lives.map(({ time, cpu }) => (measure === "time" ? time : cpu)[operation]);
  const what = `${operation}, ${size} resources, ${front} front`;
  const line = { what, against, size, operation, front, measure, unit: "s", ...(goal && { goal }) } as const;
  return compared(line, figures(own), figures(base));
}

function stateLine({ size, front, own, base, against }: Pairs): Line {
  const what = `state of ${size} resources, ${front} front`;
  const figures = (lives: readonly Life[]): number[] => lives.map(({ state }) => state);
  return compared({ what, against, size, front, measure: "size", unit: "kB" }, figures(own), figures(base));
}

function linesOf(size: number, lives: Record<Front, readonly Life[]>): Line[] {
  const pairsOf = (front: Ours): Pairs => {
    return { size, front, own: lives[front], base: lives.floor, against: "resources that do nothing" };
  };
  const [dynamic, native] = [pairsOf("dynamic"), pairsOf("native")];
  const ofOperations = names.flatMap((operation) => {
    const goalOf = (most: number | undefined): Goal | undefined => (most === undefined ? undefined : { atMost: most });
    return [
      operationLine(dynamic, operation, "time", goalOf(dynamicGoals[operation])),
      operationLine(dynamic, operation, "CPU time"),
      operationLine(native, operation, "time"),
      operationLine(native, operation, "CPU time", goalOf(nativeGoals[operation])),
    ];
  });
  return [...ofOperations, stateLine(dynamic), stateLine(native)];
}

/** Sizes, and the pairs that fit into a run of three quarters of an hour. */
const sizes: readonly (readonly [size: number, pairs: number])[] = [
  [50, 3],
  [300, 2],
  [1_000, 2],
  [3_000, 1],
];

export const rows: readonly Row[] = sizes.map(([size, pairs]) => ({
  name: `engine-${size}`,
  what: `preview, up, preview and up without a change, refresh and destroy of ${size} tests${size >= writesOnceFrom ? ", the state written at the end alone" : ""}`,
  pairs,
  run: async (order) => linesOf(size, await eachInTurns(order, fronts, (front) => lifeOf(front, size))),
}));

/** The size at which ours stand beside the least that a resource can be. */
const leastSize = 300;

export const least: Row = {
  name: `least-${leastSize}`,
  what: `the same of ${leastSize} tests, beside resources that have one method and two properties: no goal is about these`,
  pairs: 1,
  run: async (order) => {
    const lives = await eachInTurns(order, ["least", ...ours] as const, (subject) => lifeOf(subject, leastSize));
    return ours.flatMap((front) => {
      const beside = {
        size: leastSize,
        front,
        own: lives[front],
        base: lives.least,
        against: "the least that a resource can be",
      };
      const lines = names.flatMap((name) => [operationLine(beside, name, "time"), operationLine(beside, name, "CPU time")]);
      return [...lines, stateLine(beside)];
    });
  },
};
