/** Runs `validate` on programs of common shapes with both provider types. */
import { join, relative } from "node:path";
import { runCommand } from "../support/command";
import { plainEnv, repository } from "../support/process";
import { planted, shapes, writeShape } from "./support/program-shapes";
import { temporary } from "../support/temporary";

const root = join(temporary(), "repository");
const project = join(root, "infra");
const env = plainEnv({
  ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  NODE_COMPILE_CACHE: join(repository, "node_modules/.cache/compile"),
});

const counted = (places: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(places, (place) => place)].map(([place, all]) => [place, all.length]));

test.each(Object.entries(shapes))("validate reports the file and line of every mistake: %s", async (_, shape) => {
  await writeShape(root, shape);
  const run = await runCommand(["validate", "--json"], { cwd: project, env });
  expect(run.stderr).toBe("Stack dev (the only one)\n");
  const { data } = JSON.parse(run.stdout) as { data: { findings: { file: string; line: number }[] } };
  const places = data.findings.map(({ file, line }) => `${relative(root, join(project, file))}:${line}`);
  expect(counted(places)).toEqual(planted(shape));
  // The report contains no path of this machine.
  expect(run.stdout).not.toContain(root);
});
