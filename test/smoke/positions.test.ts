/** Runs `validate` on programs of common shapes with both provider types. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runCommand } from "../support/command";
import { plainEnv, repository } from "../support/process";
import { junitFaults, sarifFaults } from "../support/report-schemas";
import { planted, shapes, writeShape } from "./support/program-shapes";
import { temporary } from "../support/temporary";

jest.setTimeout(60_000);

const root = join(temporary(), "repository");
const project = join(root, "infra");
const env = plainEnv({
  ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:1",
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  NODE_COMPILE_CACHE: join(repository, "node_modules/.cache/compile"),
});

interface Sarif {
  runs: {
    results: { locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[] }[];
  }[];
}

const counted = (places: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(places, (place) => place)].map(([place, all]) => [place, all.length]));

test.each(Object.entries(shapes))("validate reports the file and line of every mistake: %s", async (_, shape) => {
  await writeShape(root, shape);
  const run = await runCommand(["validate", "--json", "--sarif", "m.sarif", "--junit", "m.xml"], { cwd: project, env });
  expect(run.stderr).toBe("Stack dev (the only one)\n");
  const { data } = JSON.parse(run.stdout) as { data: { findings: { file: string; line: number }[] } };
  const expected = planted(shape);
  expect(counted(data.findings.map(({ file, line }) => `${relative(root, join(project, file))}:${line}`))).toEqual(expected);
  const [sarif = "", junit = ""] = ["m.sarif", "m.xml"].map((file) => readFileSync(join(project, file), "utf8"));
  expect([sarifFaults(sarif), junitFaults(junit)]).toEqual([[], []]);
  const places = (JSON.parse(sarif) as Sarif).runs.flatMap(({ results }) =>
    results.flatMap(({ locations }) =>
      locations.map(
        ({ physicalLocation: { artifactLocation, region } }) =>
          `${decodeURIComponent(artifactLocation.uri)}:${region.startLine}`,
      ),
    ),
  );
  expect(counted(places)).toEqual(expected);
  const cases = [...junit.matchAll(/<failure [^>]*>(.*?):(\d+)\n/g)].map(
    ([, file, line]) => `${relative(root, join(project, file ?? ""))}:${line}`,
  );
  expect(counted(cases)).toEqual(expected);
  // The reports contain no path of this machine.
  expect(run.stdout + sarif + junit).not.toContain(root);
});
