/** Our two fronts beside each other: what each process of an operation takes, and the provider by itself. */
import { start } from "../../../emulator";
import { compared, eachInTurns } from "../measure";
import { type ByRole, type Role, roles, total } from "../processes";
import { engineOperations, type Front, fronts, withProject, writesOnceFrom, writesStateOnce } from "../project";
import { type Driven, driveProvider } from "../provider-process";
import { type Line, medianOf, type Row } from "../row";

const { up, preview, refresh, destroy } = engineOperations;
const operations = { up, preview, "no-op up": up, refresh, destroy };
type Operation = keyof typeof operations;
// The keys of the object above.
const names = Object.keys(operations) as Operation[];

type Life = Record<Operation, ByRole>;

async function lifeOf(front: Front, size: number): Promise<Life> {
  const settings = size >= writesOnceFrom ? writesStateOnce : {};
  return withProject({ front, program: size, settings }, { rateLimit: "off", agents: 0 }, async (project) => {
    const life = {} as Life;
    for (const name of names) life[name] = await project.byProcess(...operations[name]);
    return life;
  });
}

function linesOf(size: number, lives: Record<Front, readonly Life[]>, operation: Operation): Line[] {
  const of = (front: Front): ByRole[] => lives[front].map((life) => life[operation]);
  const [native, dynamic, floor] = [of("native"), of("dynamic"), of("floor")];
  const about = (front: Front, against: string) =>
    ({
      what: `${operation} of the ${front} front, ${size} tests`,
      against,
      measure: "CPU time",
      unit: "s",
      size,
      operation,
      front,
    }) as const;
  const [ofNative, ofDynamic] = [about("native", "the dynamic front"), about("dynamic", "resources that do nothing")];
  const part = (line: Omit<Line, "ratios">, role: Role, ours: readonly ByRole[], base: readonly ByRole[]): Line =>
    compared(
      { ...line, what: `${line.what}: ${role}`, role },
      ours.map((one) => one[role]),
      base.map((one) => one[role]),
    );
  // A refresh and a destroy start no program.
  const there = roles.filter((role) => dynamic.every((one) => one[role] > 0));
  return [
    compared(ofNative, native.map(total), dynamic.map(total)),
    ...there.map((role) => part(ofNative, role, native, dynamic)),
    compared(ofDynamic, dynamic.map(total), floor.map(total)),
    part(ofDynamic, "provider", dynamic, floor),
  ];
}

const sizes: readonly (readonly [size: number, pairs: number])[] = [
  [50, 3],
  [300, 2],
  [1_000, 2],
];

export const processes: readonly Row[] = sizes.map(([size, pairs]) => ({
  name: `fronts-${size}`,
  what: `up, preview and up without a change, refresh and destroy of ${size} tests on both fronts, process by process${size >= writesOnceFrom ? ", the state written at the end alone" : ""}`,
  pairs,
  run: async (order) => {
    const lives = await eachInTurns(order, fronts, (front) => lifeOf(front, size));
    return names.flatMap((name) => linesOf(size, lives, name));
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
    line("dynamic", "floor", "a provider that does nothing", 1.05),
    line("native", "floor", "a provider that does nothing", 1.1),
    line("native", "dynamic", "the dynamic front", 1),
  ];
}

/** Compares the memory in use for many resources with that for few. */
function memoryLines(driven: All, large: Record<Front, Driven>): Line[] {
  const works = ["create", "compare"] as const;
  const megabytes = (front: Front, work: (typeof works)[number]) => ({
    most: large[front][work].megabytes,
    least: medianOf(driven[front].map((one) => one[work].megabytes)),
  });
  return (["floor", "dynamic", "native"] as const).flatMap((front) =>
    works.map((work) => {
      const { most, least } = megabytes(front, work);
      const line = {
        what: `memory in use of ${namesOf[front]}, ${many} tests to ${work}`,
        against: `${few} tests`,
        measure: "memory",
        unit: "MB",
        size: many,
        ...(front !== "floor" && { goal: { atMost: 1.5 } }),
      } as const;
      return compared(line, [most], [least]);
    }),
  );
}

const namesOf: Record<Front, string> = {
  floor: "a provider that does nothing",
  dynamic: "the provider, dynamic front",
  native: "the provider, native front",
};

export const provider: Row = {
  name: "provider",
  what: `a provider by itself starts, creates ${few} and ${many} tests, starts again and compares them`,
  pairs: 5,
  run: async (order) => {
    const driven = await eachInTurns(order, fronts, (front) => driveOn(front, few));
    const most = (front: Front): Promise<Driven> => {
      order.progress(`${front}, ${many} tests`);
      return driveOn(front, many);
    };
    const large = { floor: await most("floor"), dynamic: await most("dynamic"), native: await most("native") };
    return [...startLines(driven), ...memoryLines(driven, large)];
  },
};
