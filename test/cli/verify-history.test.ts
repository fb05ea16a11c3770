import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const root = join(__dirname, "../..");

/** An engine that knows one stack and this history, which it hands out in pages like the real one. */
const engine = (history: object[]): string => `#!/usr/bin/env node
const args = process.argv.slice(2);
const option = (name) => Number(args[args.indexOf(name) + 1]);
const history = ${JSON.stringify(history)};
if (args[0] === "version") console.log("v3.259.0");
else if (args.includes("history")) {
  const [size, page] = [option("--page-size"), option("--page")];
  console.log(JSON.stringify(history.slice((page - 1) * size, page * size)));
} else console.log(JSON.stringify([{ name: "dev", current: true }]));
`;

const event = (kind: string, at: number) => ({ kind, result: "succeeded", startTime: `at ${at}` });
const refreshes = (count: number): object[] => Array.from({ length: count }, (_, at) => event("refresh", at));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "history-"));
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Asks in a process of its own, where the PATH leads to the engine of the test. */
function lastUpdate(): { startTime?: string } {
  const script = `
    const { Project } = require(${JSON.stringify(join(root, "dist/cli/project.js"))});
    Project.open().then((project) => project.stack("dev")).then((stack) => stack.lastUpdate())
      .then((update = {}) => console.log(JSON.stringify(update)));`;
  const output = execFileSync(process.execPath, ["-e", script], {
    cwd: folder,
    env: { ...process.env, PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter) },
    encoding: "utf8",
  });
  return JSON.parse(output) as { startTime?: string };
}

test.each([
  ["right after it", [event("update", 0), ...refreshes(3)], "at 0"],
  ["on the first page", [...refreshes(19), event("update", 19), event("update", 20)], "at 19"],
  ["far back, after many a refresh", [...refreshes(45), event("update", 45), event("destroy", 46)], "at 45"],
  ["never, on a full page", refreshes(40), undefined],
  ["never, where other things were done", [event("destroy", 0), event("resource-import", 1)], undefined],
])("the last update is found %s", (_, history, startTime) => {
  const file = join(folder, "bin/pulumi");
  writeFileSync(file, engine(history));
  chmodSync(file, 0o755);
  expect(lastUpdate().startTime).toBe(startTime);
});
