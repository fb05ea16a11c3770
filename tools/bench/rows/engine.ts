/** Compares the engine's operations on this package's resources with two baselines. */
import { inTurns, type Order, ratioText, spreadText } from "../measure";
import { engine, programOf, type Subject, withProject } from "../project";
import type { Row, Table } from "../row";

const subjects: readonly Subject[] = ["least", "handwritten", "dynamic", "native"];
const operations = {
  preview: "preview",
  up: "up",
  "up without changes": "up",
  refresh: "refresh",
  destroy: "destroy",
} as const;
type Operation = keyof typeof operations;
const names = Object.keys(operations) as Operation[];

interface Life {
  readonly time: Record<Operation, number>;
  readonly cpu: Record<Operation, number>;
  /** Size of the state after an `up`, in kilobytes. */
  readonly state: number;
}

function lifeOf(subject: Subject, size: number): Promise<Life> {
  return withProject(subject, programOf(subject, size), { agents: 0 }, async (project) => {
    const [time, cpu] = [{} as Record<Operation, number>, {} as Record<Operation, number>];
    let state = 0;
    for (const name of names) {
      const spent = await project.run(engine(operations[name]));
      [time[name], cpu[name]] = [spent.time, spent.cpu];
      if (name === "up") state = project.stateSize();
    }
    return { time, cpu, state };
  });
}

async function tableOf(size: number, order: Order): Promise<Table> {
  const lives = await inTurns(order, subjects, (subject) => lifeOf(subject, size));
  const row = (name: string, figureOf: (life: Life) => number, unit: string): string[] => {
    const [least, handwritten, dynamic, native] = subjects.map((subject) => lives[subject].map(figureOf)) as [
      number[],
      number[],
      number[],
      number[],
    ];
    const ratios = [least, handwritten].flatMap((base) => [ratioText(dynamic, base), ratioText(native, base)]);
    return [name, ...ratios, `${spreadText(least, 1)} ${unit}`, `${spreadText(handwritten, 1)} ${unit}`];
  };
  const rows = names.flatMap((name) => [
    row(`${name}, time`, ({ time }) => time[name], "s"),
    row(`${name}, CPU time`, ({ cpu }) => cpu[name], "s"),
  ]);
  const head = [
    "Operation",
    "Dynamic / minimal",
    "Native / minimal",
    "Dynamic / handwritten",
    "Native / handwritten",
    "Minimal resource",
    "Handwritten provider",
  ];
  return { head, rows: [...rows, row("state size", ({ state }) => state, "kB")] };
}

const sizes = [
  [300, 3],
  [1_000, 2],
] as const;

export const rows: readonly Row[] = sizes.map(([size, pairs]) => ({
  name: `engine-${size}`,
  title: `Engine operations on ${size.toLocaleString("en-US")} resources`,
  about: "Each ratio is a figure of this package divided by the same figure of the minimal resource or handwritten provider.",
  pairs,
  run: (order) => tableOf(size, order),
}));
