import { stackOf } from "../../engine/stacks";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../../engine/project";
import { AnsweringEngine } from "../support/answering-engine";
import { silentIo } from "../support/command";
import type { Update } from "../../engine/stack";
import { temporary } from "../support/temporary";

/** Returns an engine with one stack and this history, which it returns in pages like the real engine. */
function engineWith(history: readonly object[]): AnsweringEngine {
  return new AnsweringEngine(folder, ({ args }) => {
    const option = (name: string): number => Number(args[args.indexOf(name) + 1]);
    if (args[0] === "version") return { stdout: "v3.259.0\n" };
    const [size, page] = [option("--page-size"), option("--page")];
    const answer = args.includes("history") ? history.slice((page - 1) * size, page * size) : [{ name: "dev", current: true }];
    return { stdout: JSON.stringify(answer) };
  });
}

const event = (kind: string, at: number) => ({ kind, result: "succeeded", startTime: `at ${at}` });
const refreshes = (count: number): object[] => Array.from({ length: count }, (_, at) => event("refresh", at));

let folder: string;
let engine: AnsweringEngine;
beforeEach(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
});

afterEach(() => engine.end());

async function lastUpdate(): Promise<Update | undefined> {
  const io = { ...silentIo(engine.env()), cwd: folder };
  return (await stackOf(Project.open(io), "dev")).lastUpdate();
}

test.each([
  ["a few refreshes after the update", [event("update", 0), ...refreshes(3)], "at 0"],
  ["19 refreshes after the update, on the first page", [...refreshes(19), event("update", 19), event("update", 20)], "at 19"],
  ["45 refreshes after the update, on a later page", [...refreshes(45), event("update", 45), event("destroy", 46)], "at 45"],
  ["no update on a full page of refreshes", refreshes(40), undefined],
  ["no update among other operations", [event("destroy", 0), event("resource-import", 1)], undefined],
])("verify finds the last update in the stack's history: %s", async (_, history, startTime) => {
  engine = engineWith(history);
  expect((await lastUpdate())?.startTime).toBe(startTime);
});
