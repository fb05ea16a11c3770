/** Our commands on a stack, beside what the engine itself takes for a preview or a refresh of it. */
import { compared } from "../measure";
import { engineOperations, Project, withProject } from "../project";
import type { Goal, Line, Row } from "../row";

interface Command {
  readonly args: readonly string[];
  readonly against: "preview" | "refresh";
  readonly goal?: Goal;
  /** Exit codes that are no failure. */
  readonly codes?: readonly number[];
  /** The engine's commands that it runs, one after the other. */
  readonly engine?: readonly (readonly string[])[];
}

const plan = ["--json", "--show-sames", "--save-plan", "plan.json"];

const commands: Readonly<Record<string, Command>> = {
  check: { args: ["check"], against: "preview" },
  validate: { args: ["validate"], against: "preview" },
  drift: {
    args: ["drift"],
    against: "refresh",
    goal: { atMost: 0.3 },
    codes: [0, 2],
    engine: [
      ["stack", "ls", "--json"],
      ["stack", "export", "--show-secrets"],
    ],
  },
  review: {
    args: ["review"],
    against: "preview",
    goal: { atMost: 1 },
    engine: [
      ["stack", "ls", "--json"],
      ["preview", ...plan],
    ],
  },
  rehearse: { args: ["rehearse"], against: "preview", goal: { atMost: 2 } },
};

/** Most seconds of a look at what could be imported, into a program that declares nothing yet. */
const lookSeconds = 5;

/** How long an import takes from an account whose records nothing manages. @param option `--dry-run` or `--run` */
async function importSecondsOf(url: string, option: string): Promise<number> {
  const project = await Project.open("dynamic", 0, { ENDPOINT_MONITORING_BASE_URL: url });
  try {
    return (await project.command([0], "import", option)).time;
  } finally {
    project.remove();
  }
}

function linesOf(size: number, pairs: number, progress: (text: string) => void): Promise<Line[]> {
  return withProject({ front: "dynamic", program: size }, { rateLimit: "off", agents: 0 }, async (project, emulator) => {
    progress(`creating ${size} tests`);
    await project.create();
    const times: Record<string, number[]> = { preview: [], refresh: [] };
    const take = (name: string, time: number): void => void (times[name] ??= []).push(time);
    for (let pair = 0; pair < pairs; pair += 1) {
      progress(`${pair + 1} of ${pairs}`);
      take("preview", (await project.pulumi(...engineOperations.preview)).time);
      take("refresh", (await project.pulumi(...engineOperations.refresh)).time);
      for (const [name, { args, codes = [0], engine = [] }] of Object.entries(commands)) {
        take(name, (await project.command(codes, ...args)).time);
        let time = 0;
        for (const one of engine) time += (await project.pulumi(...one)).time;
        if (engine.length > 0) take(`the engine's part of ${name}`, time);
      }
      take("look", await importSecondsOf(emulator.url, "--dry-run"));
      take("import --run", await importSecondsOf(emulator.url, "--run"));
    }
    const lineOf = (name: string, against: string, goal?: Goal): Line => {
      const about = {
        what: `${name}, ${size} tests`,
        against: `pulumi ${against} of the same stack`,
        measure: "time",
      } as const;
      return compared({ ...about, unit: "s", size, ...(goal && { goal }) }, times[name] ?? [], times[against] ?? []);
    };
    const lines = Object.entries(commands).flatMap(([name, { against, goal, engine }]) => [
      lineOf(name, against, goal),
      ...(engine ? [lineOf(`the engine's part of ${name}`, against)] : []),
    ]);
    const looks = (times["look"] ?? []).map((seconds) => seconds / lookSeconds);
    const what = `import --dry-run of ${size} tests into a program without any`;
    return [
      ...lines,
      lineOf("import --run", "preview", { atMost: 3 }),
      { what, against: `${lookSeconds} seconds`, measure: "time", ratios: looks, goal: { atMost: 1 }, size },
    ];
  });
}

export const rows: readonly Row[] = [500, 2_000].map((size) => ({
  name: `commands-${size}`,
  what: `commands on a stack of ${size} tests`,
  pairs: 2,
  run: ({ pairs, progress }) => linesOf(size, pairs, progress),
}));
