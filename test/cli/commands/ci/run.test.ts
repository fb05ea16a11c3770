import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../../cli/command/list";
import type { ExitCode } from "../../../../cli/command";
import { run } from "../../../../cli/commands/ci/run";
import { Output } from "../../../../cli/report/output";
import { ioWith } from "../../../../engine/io";
import { silentIo } from "../../../support/command";
import { plainEnv } from "../../../support/process";
import { temporary } from "../../../support/temporary";

let folder: string;
beforeEach(() => {
  folder = temporary();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: office\nruntime: nodejs\n");
  mkdirSync(join(folder, "reports"));
});

const reportOf = (name: string): string => join(folder, "reports", name.replace(".", "-office@dev."));
const textOf = (name: string): string | undefined =>
  existsSync(reportOf(name)) ? readFileSync(reportOf(name), "utf8") : undefined;

/**
 * Runs a task in a folder with the files of an earlier run and with stubs of the commands. @returns exit code and outputs for
 * later jobs
 */
async function runTask(
  task: string,
  earlier: readonly string[],
  stubs: Record<string, () => ExitCode>,
): Promise<{ code: ExitCode; outputs: string }> {
  for (const name of earlier) writeFileSync(reportOf(name), `earlier ${name}`);
  const env = { GITHUB_ACTIONS: "true", GITHUB_OUTPUT: join(folder, "outputs"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  const settings = { ENDPOINT_MONITORING_STACK: "dev", ENDPOINT_MONITORING_REPORTS: "reports" };
  const io = ioWith(silentIo(plainEnv({ ...env, ...settings })), { cwd: folder });
  const invoke = ([command = ""]: readonly string[]): Promise<ExitCode> => Promise.resolve(stubs[command]?.() ?? 0);
  const code = await run({}, { out: new Output(false, io), io, word: task, rest: [], commands, invoke });
  return { code, outputs: readFileSync(join(folder, "outputs"), "utf8") };
}

const summary = (): string => (existsSync(join(folder, "summary")) ? readFileSync(join(folder, "summary"), "utf8") : "");

describe("`ci review` after a review of an earlier commit", () => {
  const earlier = ["review.md", "rehearse.md", "approval.json"];

  it("`ci review` reports its failure and does not show the earlier review", async () => {
    const { code, outputs } = await runTask("review", earlier, { review: () => 1 });
    expect(code).toBe(1);
    expect(textOf("review.md")).toMatch(/^\*\*The review failed\.\*\*/);
    expect([textOf("rehearse.md"), textOf("approval.json")]).toEqual([undefined, undefined]);
    expect(summary()).not.toContain("earlier");
    expect(outputs).toBe("artifact=endpoint-monitoring-review-office@dev\n");
  });

  it("`ci review` does not publish the earlier approval if the new review writes no approval", async () => {
    const review = (): ExitCode => {
      writeFileSync(reportOf("review.md"), "1 deleted");
      return 2;
    };
    const { code, outputs } = await runTask("review", earlier, { review });
    expect([code, textOf("review.md"), textOf("approval.json")]).toEqual([2, "1 deleted", undefined]);
    expect(outputs).toBe("artifact=endpoint-monitoring-review-office@dev\n");
  });

  it("`ci review` reports the failed rehearsal and does not show the earlier rehearsal", async () => {
    const { code } = await runTask("review", earlier, { rehearse: () => 1 });
    expect(code).toBe(1);
    expect(textOf("rehearse.md")).toMatch(/^\*\*The rehearsal failed\.\*\*/);
    expect(summary()).not.toContain("earlier");
  });
});

it("`ci up` does not show an earlier update's report if the new update writes no report", async () => {
  const { code } = await runTask("up", ["up.md", "verify.md", "approval.json"], { apply: () => 1 });
  expect([code, textOf("up.md"), textOf("verify.md"), summary()]).toEqual([1, undefined, undefined, ""]);
});

it("`ci drift` deletes the earlier report if the comparison fails", async () => {
  const { code } = await runTask("drift", ["drift.md", "drift.found", "drift.bundle"], { drift: () => 1 });
  expect([code, ...["drift.md", "drift.found", "drift.bundle"].map(textOf)]).toEqual([1, undefined, undefined, undefined]);
  expect(summary()).toBe("");
});
