import { globSync, readFileSync } from "node:fs";
import { repository } from "../support/imports";

interface Project {
  displayName: string;
  testMatch: string[];
  testPathIgnorePatterns?: string[];
}
const { projects } = jest.requireActual<{ projects: Project[] }>("../../jest.config.cjs");

/** Returns the suites of a project, as paths in the repository. */
function suitesOf({ testMatch, testPathIgnorePatterns = [] }: Project): string[] {
  const patterns = testMatch.map((pattern) => pattern.replace("<rootDir>/", ""));
  const ignored = testPathIgnorePatterns.map((pattern) => pattern.replace("<rootDir>/", ""));
  return globSync(patterns, { cwd: repository }).filter((suite) => !ignored.some((path) => suite.startsWith(path)));
}

test("every suite belongs to exactly one Jest project", () => {
  const suites = projects.flatMap(suitesOf);
  const existing = globSync("test/**/*.test.ts", { cwd: repository });
  expect(existing.length).toBeGreaterThan(300);
  expect(suites.toSorted()).toEqual(existing.toSorted());
});

test("every suite that the Jest configuration names exists", () => {
  const named = projects.flatMap(({ testMatch }) => testMatch).filter((pattern) => !pattern.includes("*"));
  expect(named.length).toBeGreaterThan(0);
  for (const path of named) {
    const suite = path.replace("<rootDir>/", "");
    expect([suite, globSync(suite, { cwd: repository })]).toEqual([suite, [suite]]);
  }
});

test("npm test and npm run test:more together select each Jest project once", () => {
  const { scripts } = JSON.parse(readFileSync(`${repository}/package.json`, "utf8")) as { scripts: Record<string, string> };
  const selected = ["test", "test:more"].flatMap(
    (name) => (scripts[name] ?? "").split("--selectProjects ")[1]?.split(" ") ?? [],
  );
  expect(selected.toSorted()).toEqual(projects.map(({ displayName }) => displayName).toSorted());
});
