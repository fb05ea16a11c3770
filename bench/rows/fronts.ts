/** Our two fronts beside each other: what each process of an operation takes, and the provider by itself. */
import { start } from "../../emulator";
import { compared, inTurns } from "../measure";
import { type ByRole, roles } from "../processes";
import { engineOperations, type Front, withProject } from "../project";
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
  return withProject({ front, program: size }, { rateLimit: "off", agents: 0 }, async (project) => {
    const life = {} as Record<Operation, ByRole>;
    for (const name of names) life[name] = await project.byProcess(...operations[name]);
    return life;
  });
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

type All = Record<Front, readonly Driven[]>;

function startLines(driven: All): Line[] {
  const starts = (front: Front): number[] => driven[front].map(({ startSeconds }) => medianOf(startSeconds));
  const line = (front: Front, base: Front, against: string, atMost: number): Line => {
    const what = `start of the provider to its first answer, ${front} front`;
    return compared({ what, against, measure: "CPU time", unit: "s", goal: { atMost } }, starts(front), starts(base));
  };
  return [
    line("dynamic", "floor", "a provider that does nothing", 1.1),
    line("native", "floor", "a provider that does nothing", 1.1),
    line("native", "dynamic", "the dynamic front", 1),
  ];
}

/** What many resources take, beside what few do. */
function memoryLines(driven: All, large: Record<Front, Driven>): Line[] {
  const works = ["create", "compare"] as const;
  const megabytes = (front: Front, work: (typeof works)[number]) => ({
    most: large[front][work].megabytes,
    least: medianOf(driven[front].map((one) => one[work].megabytes)),
  });
  return (["dynamic", "native"] as const).flatMap((front) =>
    works.map((work) => {
      const [own, floor] = [megabytes(front, work), megabytes("floor", work)];
      const line = {
        what: `memory of the provider, ${front} front, ${many} tests to ${work}`,
        against: `${few} tests`,
        measure: "memory",
        unit: "MB",
        size: many,
        goal: { atMost: 1.5 },
        reason:
          `that of a provider that does nothing grows by ${(floor.most / floor.least).toFixed(2)}, to ${floor.most.toFixed(0)} MB, and this ` +
          `one to ${own.most.toFixed(0)} MB. A heap snapshot after ${many} comparisons (native front, 2026-11-22) holds 21 MB: the rest is ` +
          `garbage that Node has had no reason to collect.`,
      } as const;
      return compared(line, [own.most], [own.least]);
    }),
  );
}

export const provider: Row = {
  name: "provider",
  what: `a provider by itself starts, creates ${few} and ${many} tests, starts again and compares them`,
  pairs: 5,
  run: async ({ pairs, progress }) => {
    const drive = (front: Front) => (pair: number) => {
      progress(`${front}, ${pair + 1} of ${pairs}`);
      return driveOn(front, few);
    };
    const driven = await inTurns(pairs, { floor: drive("floor"), dynamic: drive("dynamic"), native: drive("native") });
    const most = (front: Front): Promise<Driven> => {
      progress(`${front}, ${many} tests`);
      return driveOn(front, many);
    };
    const large = { floor: await most("floor"), dynamic: await most("dynamic"), native: await most("native") };
    return [...startLines(driven), ...memoryLines(driven, large)];
  },
};
