/** Our two fronts beside each other: what each process of an operation takes, and the provider by itself. */
import { start } from "../../emulator";
import { compared, inTurns } from "../measure";
import { type ByRole, roles } from "../processes";
import { engineOperations, type Front, Project } from "../project";
import { type Driven, driveProvider } from "../provider-process";
import { type Line, medianOf, type Row } from "../row";

const { up, preview, refresh, destroy } = engineOperations;
const operations = { up, preview, "no-op up": up, refresh, destroy };
type Operation = keyof typeof operations;
// The keys of the object above.
const names = Object.keys(operations) as Operation[];

/** Most CPU time that an operation of the native front may take, of the dynamic front's. */
const goals: Partial<Record<Operation, number>> = { preview: 0.75, "no-op up": 0.6 };

async function lifeOf(front: Front, size: number): Promise<Record<Operation, ByRole>> {
  const emulator = await start({ rateLimit: "off", agents: 0 });
  const project = await Project.create(front, size, { ENDPOINT_MONITORING_BASE_URL: emulator.url });
  const life = {} as Record<Operation, ByRole>;
  try {
    for (const name of names) life[name] = await project.byProcess(...operations[name]);
  } finally {
    project.remove();
    await emulator.close();
  }
  return life;
}

const total = (one: ByRole): number => roles.reduce((sum, role) => sum + one[role], 0);

function linesOf(size: number, native: readonly ByRole[], dynamic: readonly ByRole[], operation: Operation): Line[] {
  const common = { against: "the dynamic front", measure: "CPU time", unit: "s", size } as const;
  const what = `${operation} of the native front, ${size} tests`;
  const most = goals[operation];
  const free = medianOf(native.map((one, at) => (total(one) - one.provider) / total(dynamic[at] ?? one)));
  const all = compared(
    {
      ...common,
      what,
      ...(most !== undefined && { goal: { atMost: most } }),
      reason: `without the native provider at all, its engine, language host and program would still take ${free.toFixed(2)} of it.`,
    },
    native.map(total),
    dynamic.map(total),
  );
  // A refresh and a destroy start no program.
  const parts = roles
    .filter((role) => dynamic.every((one) => one[role] > 0))
    .map((role) =>
      compared(
        { ...common, what: `${what}: ${role}` },
        native.map((one) => one[role]),
        dynamic.map((one) => one[role]),
      ),
    );
  return [all, ...parts];
}

const sizes: readonly (readonly [size: number, pairs: number])[] = [
  [300, 5],
  [1_000, 3],
];

export const processes: readonly Row[] = sizes.map(([size, pairs]) => ({
  name: `fronts-${size}`,
  what: `up, preview and up without a change, refresh and destroy of ${size} tests on both fronts, process by process`,
  pairs,
  run: async ({ pairs: wanted, progress }) => {
    const one = (front: Front) => (pair: number) => {
      progress(`${front}, ${pair + 1} of ${wanted}`);
      return lifeOf(front, size);
    };
    const lives = await inTurns(wanted, { dynamic: one("dynamic"), native: one("native") });
    return names.flatMap((name) =>
      linesOf(
        size,
        lives.native.map((life) => life[name]),
        lives.dynamic.map((life) => life[name]),
        name,
      ),
    );
  },
}));

/** On a service of its own: another has the records of the one before. */
async function driveOn(front: Front, resources: number): Promise<Driven> {
  const emulator = await start({ rateLimit: "off", agents: 0 });
  try {
    return await driveProvider(front, emulator.url, resources);
  } finally {
    await emulator.close();
  }
}

const few = 100;
const many = 3_000;

export const provider: Row = {
  name: "provider",
  what: `a provider by itself starts, creates ${few} and ${many} tests, starts again and compares them`,
  pairs: 5,
  run: async ({ pairs, progress }) => {
    const one = (front: Front) => (pair: number) => {
      progress(`${front}, ${pair + 1} of ${pairs}`);
      return driveOn(front, few);
    };
    const driven = await inTurns(pairs, { floor: one("floor"), dynamic: one("dynamic"), native: one("native") });
    const starts = (all: readonly Driven[]): number[] => all.map(({ startSeconds }) => medianOf(startSeconds));
    const line = { measure: "CPU time", unit: "s" } as const;
    const what = "start of the provider to its first answer";
    const begun = [
      compared(
        { ...line, what: `${what}, dynamic front`, against: "a provider that does nothing", goal: { atMost: 1.1 } },
        starts(driven.dynamic),
        starts(driven.floor),
      ),
      compared(
        { ...line, what: `${what}, native front`, against: "a provider that does nothing", goal: { atMost: 1.1 } },
        starts(driven.native),
        starts(driven.floor),
      ),
      compared(
        { ...line, what: `${what}, native front`, against: "the dynamic front", goal: { atMost: 1 } },
        starts(driven.native),
        starts(driven.dynamic),
      ),
    ];
    const grown: Line[] = [];
    const most = async (front: Front): Promise<Driven> => {
      progress(`${front}, ${many} tests`);
      return driveOn(front, many);
    };
    const growthOf = (large: Driven, small: readonly Driven[], work: "create" | "compare") => ({
      ours: [large[work].megabytes],
      base: [medianOf(small.map((one) => one[work].megabytes))],
    });
    const floor = await most("floor");
    for (const front of ["dynamic", "native"] as const) {
      const large = await most(front);
      for (const work of ["create", "compare"] as const) {
        const [own, least] = [growthOf(large, driven[front], work), growthOf(floor, driven.floor, work)];
        const idle = (least.ours[0] ?? 0) / (least.base[0] ?? 1);
        const line = {
          what: `memory of the provider, ${front} front, ${many} tests to ${work}`,
          against: `${few} tests`,
          measure: "memory",
          unit: "MB",
          size: many,
          goal: { atMost: 1.5 },
          reason:
            `that of a provider that does nothing grows by ${idle.toFixed(2)}, to ${(least.ours[0] ?? 0).toFixed(0)} MB, and this one to ` +
            `${(own.ours[0] ?? 0).toFixed(0)} MB. A heap snapshot after ${many} comparisons (native front, 2026-11-22) holds 21 MB: the rest ` +
            `is garbage that Node has had no reason to collect.`,
        } as const;
        grown.push(compared(line, own.ours, own.base));
      }
    }
    return [...begun, ...grown];
  },
};
