/** Runs the GitLab job that finds the approval for a merge, with GitLab's API over HTTP. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import type { Artifact, Run } from "./support/artifacts";
import { eachOn, type Scene } from "./support/ci-provider-script";

const each = eachOn("gitlab");
const sha = "abcdef0123456789";
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 6, minute)).toISOString();

/** A review of the merged merge request, as a job. */
function review(
  { ciProvider }: Scene,
  text: string,
  minute: number,
  run: Partial<Run> = {},
  job = "endpoint-monitoring:review",
): Artifact {
  const whole: Run = {
    id: ciProvider.artifacts.all.length + 1,
    event: "merge_request_event",
    ref: "",
    sha: "0badcafe",
    head: "0badcafe",
    ...run,
  };
  const files = { "approval-demo@dev.json": Buffer.from(text).toString("base64") };
  return Object.assign(ciProvider.artifacts.add(whole, job, files), { at: at(minute) });
}

/** The result: the approval, or the reason why there is none. */
async function approvalOf(scene: Scene): Promise<string> {
  const file = scene.report("approval.json", "");
  rmSync(file);
  const { code, stderr } = await scene.run("approval");
  expect([code, existsSync(file)]).toEqual(stderr === "" ? [0, true] : [1, false]);
  return stderr === "" ? readFileSync(file, "utf8") : stderr;
}

each("a merge ignores approvals from a fork or another commit, branch, job or event", async (scene) => {
  const { ciProvider } = scene;
  ciProvider.merges.push({ sha, head: "0badcafe", isMerged: true });
  const genuine = review(scene, "genuine", 0);
  for (const [minute, forgery] of [{ isFork: true }, { head: "feedface" }, { event: "push" }, { event: "web" }].entries()) {
    review(scene, "forged", minute + 1, forgery);
  }
  for (const job of ["endpoint-monitoring:review-again", "evil", "endpoint-monitoring:reviewed"])
    review(scene, "forged", 9, {}, job);
  expect(await approvalOf(scene)).toBe("genuine");

  const [merged] = ciProvider.merges.splice(0, 1);
  for (const other of [
    { isMerged: false },
    { target: "release" },
    { sha: "feedface" },
    { head: "1111111" },
    { merge: "feedface" },
  ]) {
    ciProvider.merges[0] = { sha, head: "0badcafe", isMerged: true, ...merged, ...other };
    expect(await approvalOf(scene)).toContain("no merged pull or merge request with a reviewed approval contains the commit");
  }
  ciProvider.merges[0] = { sha, head: "0badcafe", isMerged: true };
  genuine.expired = true;
  expect(await approvalOf(scene)).toContain("or the approval has expired");
});

each("a merge applies the approved review instead of a later, different review", async (scene) => {
  const { ciProvider } = scene;
  ciProvider.merges.push({ sha, head: "0badcafe", isMerged: true, approvals: [{ at: at(10) }] });
  review(scene, "older", 0);
  review(scene, "what was read", 5);
  expect(await approvalOf(scene)).toBe("what was read");
  review(scene, "what was read", 20);
  expect(await approvalOf(scene)).toBe("what was read");
  review(scene, "something else", 30, {}, "endpoint-monitoring:review: [dev]");
  expect(await approvalOf(scene)).toContain("a review that finished after the approval has a different result");
  // Another user's approval of the second review is not an approval by the reader of the first.
  ciProvider.merges[0]?.approvals?.push({ at: at(40), by: 2 });
  expect(await approvalOf(scene)).toContain("a review that finished after the approval");
  Object.assign(ciProvider.merges[0] ?? {}, { approvals: [{ at: at(40), by: 2 }, { at: at(50) }] });
  expect(await approvalOf(scene)).toBe("something else");
  Object.assign(ciProvider.merges[0] ?? {}, { approvals: [{ at: "2025-12-31T00:00:00Z" }] });
  expect(await approvalOf(scene)).toContain("its review finished after the approval");
  // If no approval is required, the user who merges approves.
  Object.assign(ciProvider.merges[0] ?? {}, { approvals: [] });
  expect(await approvalOf(scene)).toBe("something else");
});
