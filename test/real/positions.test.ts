/** Tests the file and line of resources in ECMAScript modules on the real engine. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stack } from "./support/stack";

/**
 * A test of each front at two of four positions. All have the same class and name, so only the position distinguishes them.
 */
const declarations = (place: string, machines: number): string =>
  ["dynamic", "native"]
    .map((front) => {
      const test = (server: string): string =>
        `new ${front}.AgentToServerTest("${place}-${front}", { testName: "${place} ${front}", server: "${server}", interval: 60, maxMachines: ${machines} })`;
      return `if (isPilot) ${test("pilot.example.com")};\n  else ${test("www.example.com")}; // here`;
    })
    .join("\n");

const imports = `import * as dynamic from "pulumi-endpoint-monitoring";
import * as native from "pulumi-endpoint-monitoring/native";
interface Site {
  readonly isPilot: boolean;
}
`;
const program = (machines: number): Record<string, string> => ({
  "index.ts": `${imports}import { declare } from "./lib/site.ts";
const { isPilot }: Site = { isPilot: process.env["PILOT"] === "true" };
${declarations("top", machines)}
await declare({ isPilot });
`,
  "lib/site.ts": `${imports}export async function declare({ isPilot }: Site) {
  await Promise.resolve();
${declarations("site", machines)}
}
`,
});

let stack: Stack;
const write = (machines: number): void => {
  for (const [path, text] of Object.entries(program(machines))) writeFileSync(join(stack.folder, path), text);
};
const read = (path: string): string => readFileSync(join(stack.folder, path), "utf8");
/** The positions of the declarations' calls, as `path:line`. */
const places = Object.entries(program(1)).flatMap(([path, text]) =>
  text.split("\n").flatMap((line, i) => (line.endsWith("// here") ? [`${path}:${i + 1}`] : [])),
);
interface Sarif {
  runs: {
    results: { locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[] }[];
  }[];
}

beforeAll(async () => {
  stack = await Stack.start({}, "typescript");
  stack.take("native");
  mkdirSync(join(stack.folder, "lib"));
  writeFileSync(join(stack.folder, "package.json"), '{ "type": "module" }\n');
  write(1);
  await stack.up();
});
afterAll(() => stack.end());

it("the state contains the file and line of each declaration", () => {
  const recorded = stack.resources().map((resource) => String((resource as { sourcePosition?: string }).sourcePosition));
  expect(recorded.toSorted()).toEqual(places.map((place) => `project:///${place.replace(":", "#")},8`).toSorted());
});

it("a review shows positions relative to the project", async () => {
  write(2);
  const run = await stack.cli("review", "--json", "--markdown", "r.md", "--sarif", "r.sarif", "--junit", "r.xml");
  expect(run.code).toBe(0);
  const [markdown, sarif, junit] = ["r.md", "r.sarif", "r.xml"].map(read) as [string, string, string];
  const results = (JSON.parse(sarif) as Sarif).runs.flatMap((sarifRun) => sarifRun.results);
  const located = results.flatMap(({ locations }) =>
    locations.map(({ physicalLocation: { artifactLocation, region } }) => `${artifactLocation.uri}:${region.startLine}`),
  );
  expect([...new Set(located)].toSorted()).toEqual(places.toSorted());
  for (const place of places) expect([markdown.includes(place), junit.includes(place)]).toEqual([true, true]);
  expect([run.text, markdown, sarif, junit].join("\n")).not.toContain(stack.folder);
});

it("drift --accept edits only the declaration of the changed resource", async () => {
  write(1);
  const tests = "/v7/endpoint/tests/scheduled-tests/agent-to-server";
  for (const { id } of stack.resources()) await stack.api("PATCH", `${tests}/${id}`, { interval: 900 });
  const run = await stack.cli("drift", "--accept");
  expect(run.code).toBe(0);
  const edited = Object.keys(program(1)).flatMap((path) =>
    read(path)
      .split("\n")
      .flatMap((line, i) => (line.includes("interval: 900") ? [`${path}:${i + 1}`] : [])),
  );
  expect(edited).toEqual(places);
});
