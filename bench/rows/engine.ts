/** The engine's operations on both fronts, beside dynamic resources that do nothing: the floor. */
import { compared, inTurns } from "../measure";
import { engineOperations, type Front, withProject, writesOnceFrom, writesStateOnce } from "../project";
import type { Goal, Line, Row } from "../row";

const { preview, up, refresh, destroy } = engineOperations;
const operations = { preview, up, "preview of nothing": preview, "no-op up": up, refresh, destroy };
type Operation = keyof typeof operations;
// The keys of the object above.
const names = Object.keys(operations) as Operation[];

/** Most time that an operation of the dynamic front may take, of the floor's. */
const dynamicGoals: Partial<Record<Operation, number>> = { preview: 0.9, up: 0.85, "no-op up": 0.95, refresh: 1, destroy: 0.8 };
/** Most CPU time that any operation of the native front may take, of the floor's. */
const nativeGoal: Goal = { atMost: 0.6 };

interface Life {
  readonly time: Record<Operation, number>;
  readonly cpu: Record<Operation, number>;
}

async function lifeOf(front: Front, size: number): Promise<Life> {
  const settings = size >= writesOnceFrom ? writesStateOnce : {};
  // The floor's goes to nobody.
  return withProject({ front, program: size, settings }, { rateLimit: "off", agents: 0 }, async (project) => {
    const [time, cpu] = [{} as Record<Operation, number>, {} as Record<Operation, number>];
    for (const name of names) {
      const spent = await project.pulumi(...operations[name]);
      [time[name], cpu[name]] = [spent.time, spent.cpu];
    }
    return { time, cpu };
  });
}

function linesOf(size: number, lives: Record<Front, readonly Life[]>): Line[] {
  const common = { against: "resources that do nothing", size, unit: "s" } as const;
  const of = (front: Front, name: Operation, what: keyof Life): number[] => lives[front].map((life) => life[what][name]);
  return names.flatMap((operation) => {
    const most = dynamicGoals[operation];
    const line = (front: Front, measure: "time" | "CPU time", goal?: Goal): Line => {
      const what = measure === "time" ? "time" : "cpu";
      const own = {
        ...common,
        operation,
        front,
        measure,
        what: `${operation}, ${size} resources, ${front} front`,
        ...(goal && { goal }),
      };
      return compared(own, of(front, operation, what), of("floor", operation, what));
    };
    return [
      line("dynamic", "time", most === undefined ? undefined : { atMost: most }),
      line("dynamic", "CPU time"),
      line("native", "time"),
      line("native", "CPU time", most === undefined ? undefined : nativeGoal),
    ];
  });
}

/** Sizes, and the pairs that fit into a run of little more than an hour. */
const sizes: readonly (readonly [size: number, pairs: number])[] = [
  [50, 5],
  [300, 5],
  [1_000, 5],
  [3_000, 1],
];

export const rows: readonly Row[] = sizes.map(([size, pairs]) => ({
  name: `engine-${size}`,
  what: `preview, up, preview and up without a change, refresh and destroy of ${size} tests${size >= writesOnceFrom ? ", the state written at the end alone" : ""}`,
  pairs,
  run: async ({ pairs: wanted, progress }) => {
    const one = (front: Front) => (pair: number) => {
      progress(`${front}, ${pair + 1} of ${wanted}`);
      return lifeOf(front, size);
    };
    return linesOf(size, await inTurns(wanted, { floor: one("floor"), dynamic: one("dynamic"), native: one("native") }));
  },
}));
