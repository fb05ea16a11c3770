/** How the cost of operations grows with the account, up to the largest that users have. */
import { join } from "node:path";
import type { Emulator } from "../../../emulator";
import { requestsTo } from "../measure";
import { total } from "../processes";
import { engineOperations, Project, root, withProject, writesStateOnce } from "../project";
import { fittedExponent } from "../growth";
import type { Line, Row } from "../row";

const sizes = [1_000, 3_000, 10_000];
const agentsPerRecord = 5;

/** An operation that grows as its size does has 1. The rest is for what a larger heap costs. */
const goal = { atMost: 1.1 };

/** Every tenth record is a label; the others are tests. */
const program = (size: number): string =>
  `const { AgentToServerTest, Label } = require("pulumi-endpoint-monitoring");
   for (let i = 0; i < ${size}; i += 1) {
     if (i % 10 === 0) new Label("label-" + i, { name: "Label " + i, matchType: "or", filters: [{ key: "hostname", values: ["office-" + i] }] });
     else new AgentToServerTest("test-" + i, { testName: "Test " + i, server: "vpn.example.com" });
   }`;

const main = join(root, "dist/cli/main.js");
const command = (...args: string[]): readonly string[] => [process.execPath, main, ...args];
const engine = (args: readonly string[]): readonly string[] => ["pulumi", ...args, "--non-interactive"];

/** In this order: nothing that comes later finds another state or program than the first did. */
const operations: Readonly<Record<string, { readonly run: readonly string[]; readonly codes?: readonly number[] }>> = {
  preview: { run: engine(engineOperations.preview) },
  refresh: { run: engine(engineOperations.refresh) },
  drift: { run: command("drift"), codes: [0, 2] },
  review: { run: command("review") },
};

/** What an operation took: of its processes, and of the service. */
interface Taken {
  readonly time: number;
  readonly cpu: number;
  readonly memory: number;
  readonly requests: number;
}

const measures = {
  "CPU time": { of: ({ cpu }: Taken) => cpu, unit: "s" },
  time: { of: ({ time }: Taken) => time, unit: "s" },
  memory: { of: ({ memory }: Taken) => memory, unit: "MB" },
  requests: { of: ({ requests }: Taken) => requests, unit: "requests" },
} as const;

async function taken(project: Project, emulator: Emulator, run: readonly string[], codes?: readonly number[]): Promise<Taken> {
  const before = requestsTo(emulator);
  const { time, seconds, memory } = await project.followed(run, codes);
  return { time, cpu: total(seconds), memory, requests: requestsTo(emulator) - before };
}

/** All operations at one size. */
function takenAt(size: number, progress: (text: string) => void): Promise<Record<string, Taken>> {
  const given = { front: "dynamic", program: program(size), settings: writesStateOnce } as const;
  return withProject(given, { rateLimit: "off", agents: size * agentsPerRecord }, async (project, emulator) => {
    progress(`creating ${size} tests and labels beside ${size * agentsPerRecord} agents`);
    await project.create();
    const all: Record<string, Taken> = {};
    for (const [name, { run, codes }] of Object.entries(operations)) {
      progress(`${name} of ${size}`);
      all[name] = await taken(project, emulator, run, codes);
    }
    progress(`import of ${size}`);
    const empty = await Project.open("dynamic", "", { ENDPOINT_MONITORING_BASE_URL: emulator.url });
    try {
      all["import"] = await taken(empty, emulator, command("import", "--run"), [0, 2]);
    } finally {
      empty.remove();
    }
    return all;
  });
}

const [least, most] = [Math.min(...sizes), Math.max(...sizes)];

export const growing: Row = {
  name: "sizes",
  what: `operations of ${sizes.join(", ")} tests and labels, ${agentsPerRecord} agents beside each`,
  pairs: 1,
  run: async ({ progress }) => {
    const bySize: Record<string, Taken>[] = [];
    for (const size of sizes) bySize.push(await takenAt(size, progress));
    return [...Object.keys(operations), "import"].flatMap((name) =>
      Object.entries(measures).flatMap(([measure, { of, unit }]): Line[] => {
        const figures = bySize.map((all) => of(all[name] as Taken));
        return [
          {
            what: `${name}: exponent of its ${measure} (${figures.map((figure) => Number(figure.toFixed(1))).join(", ")} ${unit})`,
            against: `the size, from ${least} to ${most}`,
            measure: measure as keyof typeof measures,
            ratios: [fittedExponent(sizes, figures)],
            ours: figures,
            base: sizes,
            unit,
            operation: name,
            goal,
          },
        ];
      }),
    );
  },
};
