import type { ProjectStack } from "../../../../engine/stack";
import { managedAmong, type ManagedResource } from "../../../../engine/state";
import { Output } from "../../../../cli/report/output";
import { Memory } from "../../../../cli/commands/verify/memory";
import type { TestOutcome } from "../../../../cli/commands/verify/test-run";
import { silentIo } from "../../../support/command";
import { inState } from "../../drift-support";

/** A stack with only tags. */
function tagged() {
  const tags: Record<string, string> = {};
  const run = ([, , what = "", tag = "", value = ""]: string[]) => {
    if (what === "set") tags[tag] = value;
    if (what === "rm") delete tags[tag];
    return Promise.resolve({ code: 0, stdout: JSON.stringify(tags), stderr: "", interrupted: false });
  };
  // Only the tags are used.
  return { tags, stack: { name: "dev", run } as unknown as ProjectStack };
}

const testsOf = (ids: readonly string[]): ManagedResource[] =>
  managedAmong(
    "dev",
    ids.map((id) => inState("agentToServerTest", `test-${id}`, {}, { id })),
  );
const out = new Output(false, silentIo());

/** Saves the outcomes of tests. @returns the failed tests that another process reads */
async function kept(stack: ProjectStack, tests: readonly ManagedResource[], outcomes: Record<string, TestOutcome>) {
  const verdicts = tests.flatMap((resource) => {
    const outcome = outcomes[resource.id];
    return outcome === undefined ? [] : [{ resource, outcome }];
  });
  await (await Memory.of(stack)).keep(tests, verdicts, out);
  const memory = await Memory.of(stack);
  return tests.filter(memory.has).map(({ id }) => id);
}

test("`verify` remembers a failed test until it passes, even if later runs skip the test", async () => {
  const { stack, tags } = tagged();
  const tests = testsOf(["1", "2", "3", "4", "5"]);
  const first = { "1": "passed", "2": "failed", "3": "no-verdict", "4": "error", "5": "interrupted" } as const;
  expect(await kept(stack, tests, first)).toEqual(["2", "3", "4", "5"]);
  expect(await kept(stack, tests, { "2": "skipped", "3": "passed", "4": "skipped" })).toEqual(["2", "4", "5"]);
  // Deleted tests are removed.
  expect(await kept(stack, testsOf(["1", "2", "3"]), {})).toEqual(["2"]);
  expect(await kept(stack, tests, { "2": "passed" })).toEqual([]);
  expect(tags).toEqual({});
});

test("`verify` remembers all tests if the ids of the failed tests do not fit into a stack tag", async () => {
  const { stack, tags } = tagged();
  const ids = Array.from({ length: 60 }, (_, i) => String(100_000 + i));
  const tests = testsOf(ids);
  const failed = Object.fromEntries(ids.map((id) => [id, "failed" as const]));
  expect(await kept(stack, tests, failed)).toEqual(ids);
  expect(Object.values(tags)).toEqual(["all"]);
  const passed = Object.fromEntries(ids.slice(1).map((id) => [id, "passed" as const]));
  expect(await kept(stack, tests, passed)).toEqual(["100000"]);
});
