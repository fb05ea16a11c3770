/** Compares this package's commands with the engine's preview or refresh of the same stack. */
import { inTurns, ratioText, spreadText } from "../measure";
import { engine, packageCommand, programOf, Project, withProject } from "../project";
import type { Row } from "../row";

const size = 1_000;

const commands = {
  check: "preview",
  validate: "preview",
  review: "preview",
  rehearse: "preview",
  drift: "refresh",
  "import --run": "preview",
} as const;
const names = Object.keys(commands) as (keyof typeof commands)[];

/** Imports the records of an account that no resource manages. */
async function importSeconds(url: string): Promise<number> {
  const project = await Project.openEmpty({ ENDPOINT_MONITORING_BASE_URL: url });
  try {
    return (await project.run(packageCommand("import", "--run"))).time;
  } finally {
    project.remove();
  }
}

export const row: Row = {
  name: "commands",
  title: "Commands",
  about:
    `Each ratio is the time of a command divided by the time of a Pulumi command. The commands run on an unchanged stack of ${size.toLocaleString("en-US")} dynamic resources, except ` +
    "`import --run`" +
    `, which imports the stack's records into an empty project.`,
  pairs: 3,
  run: (order) =>
    withProject("dynamic", programOf("dynamic", size), { agents: 0 }, async (project, emulator) => {
      order.progress(`creating ${size} records`);
      await project.run(engine("up"));
      const seconds = await inTurns(order, ["preview", "refresh", ...names] as const, async (name) => {
        if (name === "import --run") return importSeconds(emulator.url);
        if (name === "preview" || name === "refresh") return (await project.run(engine(name))).time;
        // `drift` exits with code 2 if it reports drift.
        return (await project.run(packageCommand(name), name === "drift" ? [0, 2] : [0])).time;
      });
      const rows = names.map((name) => {
        const base = seconds[commands[name]];
        return [name, `${spreadText(seconds[name], 1)} s`, `pulumi ${commands[name]}`, ratioText(seconds[name], base)];
      });
      return { head: ["Command", "Time", "Divided by", "Ratio"], rows };
    }),
};
