/** Measures how the cost of operations grows with the account, up to the size of the largest users' accounts. */
import type { Emulator } from "../../../emulator";
import { requestsTo, type Spent } from "../measure";
import { engine, packageCommand, programOf, Project, withProject } from "../project";
import type { Row } from "../row";

const sizes = [1_000, 3_000, 10_000] as const;
const agentsPerRecord = 5;

type Measured = Spent & { readonly memory: number; readonly requests: number };

/** After `up`, each operation finds the same state and program. `drift` and `import` exit with code 2 if they report findings. */
const operations: Readonly<Record<string, readonly string[]>> = {
  up: engine("up"),
  preview: engine("preview"),
  refresh: engine("refresh"),
  drift: packageCommand("drift"),
  review: packageCommand("review"),
};
const codes = [0, 2];

async function measure(project: Project, emulator: Emulator, line: readonly string[]): Promise<Measured> {
  const before = requestsTo(emulator);
  const spent = await project.runFollowed(line, codes);
  return { ...spent, requests: requestsTo(emulator) - before };
}

function measureAt(size: number, progress: (text: string) => void): Promise<Record<string, Measured>> {
  return withProject("dynamic", programOf("dynamic", size), { agents: size * agentsPerRecord }, async (project, emulator) => {
    const measured: Record<string, Measured> = {};
    for (const [name, line] of Object.entries(operations)) {
      progress(`${name} of ${size}`);
      measured[name] = await measure(project, emulator, line);
    }
    progress(`import of ${size}`);
    const empty = await Project.openEmpty({ ENDPOINT_MONITORING_BASE_URL: emulator.url });
    try {
      measured["import --run"] = await measure(empty, emulator, packageCommand("import", "--run"));
    } finally {
      empty.remove();
    }
    return measured;
  });
}

const measures = [
  { title: "time", figureOf: ({ time }: Measured) => time, digits: 1, unit: "s" },
  { title: "CPU time", figureOf: ({ cpu }: Measured) => cpu, digits: 1, unit: "s" },
  { title: "memory", figureOf: ({ memory }: Measured) => memory, digits: 0, unit: "MB" },
  { title: "requests", figureOf: ({ requests }: Measured) => requests, digits: 0, unit: "" },
] as const;

const figure = (number: number): string => number.toLocaleString("en-US");

export const growth: Row = {
  name: "growth",
  title: "Growth",
  about:
    `The table shows figures, not ratios. All stacks use dynamic resources, and the emulator has ${agentsPerRecord} agents for each record. ` +
    `All operations after \`up\` run without changes to the program or the records. Memory figures are the sum of the peaks of all processes except the emulator, so the real peak may be smaller. The column "Each further 1,000" shows the growth for every 1,000 records between ${figure(sizes[1])} and ${figure(sizes[2])}.`,
  pairs: 1,
  run: async ({ progress }) => {
    const [small, middle, large] = [
      await measureAt(sizes[0], progress),
      await measureAt(sizes[1], progress),
      await measureAt(sizes[2], progress),
    ];
    const head = ["Operation", ...sizes.map((size) => `${figure(size)} records`), "Each further 1,000"];
    const rows = Object.keys(large).flatMap((name) =>
      measures.map(({ title, figureOf, digits, unit }) => {
        const figures = [small, middle, large].map((measured) => figureOf(measured[name] as Measured));
        const further = (((figures[2] ?? 0) - (figures[1] ?? 0)) * 1_000) / (sizes[2] - sizes[1]);
        return [`${name}, ${title}`, ...[...figures, further].map((number) => `${number.toFixed(digits)} ${unit}`.trim())];
      }),
    );
    return { head, rows };
  },
};
