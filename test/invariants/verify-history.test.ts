import { stackOf } from "../../engine/stacks";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Project } from "../../engine/project";
import { silentIo } from "../support/command";
import { plainEnv } from "../support/process";
import type { Update } from "../../engine/stack";
import { skipIdleTime } from "../support/idle-time";
import { temporary } from "../support/temporary";

skipIdleTime();

/** An engine with one stack and this history, which it returns in pages like the real engine. */
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
  folder = temporary();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});

/** Asks with the test's engine on the PATH. */
async function lastUpdate(): Promise<Update | undefined> {
  const io = { ...silentIo(plainEnv({ PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter) })), cwd: folder };
  return (await stackOf(Project.open(io), "dev")).lastUpdate();
}

test.each([
  ["a few refreshes after the update", [event("update", 0), ...refreshes(3)], "at 0"],
  ["19 refreshes after the update, on the first page", [...refreshes(19), event("update", 19), event("update", 20)], "at 19"],
  ["45 refreshes after the update, on a later page", [...refreshes(45), event("update", 45), event("destroy", 46)], "at 45"],
  ["no update on a full page of refreshes", refreshes(40), undefined],
  ["no update among other operations", [event("destroy", 0), event("resource-import", 1)], undefined],
])("verify finds the last update in the stack's history: %s", async (_, history, startTime) => {
  writeFileSync(join(folder, "bin/pulumi"), engine(history), { mode: 0o755 });
  expect((await lastUpdate())?.startTime).toBe(startTime);
});
