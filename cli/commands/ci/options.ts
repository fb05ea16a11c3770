import { defineCommand } from "../../command";

/** Tasks that run the program, with the secrets of the service and the backend, and those that report, with the token of the forge alone. */
export const programTasks = ["review", "up", "drift"] as const;
export const forgeTasks = ["comment", "approval", "report"] as const;
export type CiTask = (typeof programTasks)[number] | (typeof forgeTasks)[number];

export const ci = defineCommand({
  name: "ci",
  summary: "Run a pipeline's job: review, apply, drift or report",
  about: "Runs a job of a pipeline. `endpoint-monitoring init --ci FORGE` writes the pipelines for GitHub or GitLab.",
  usage: "TASK [-- OPTIONS]",
  examples: ["{} ci review", "{} ci up -- --max-loss 5", "{} ci drift -- --no-unmanaged"],
  details: `Jobs that run the program, with the secrets of the service and the backend:

  review  mistakes of the program, else what merging would do, the approval of that, and a rehearsal
  up      applies what was approved, then the tests that it changed measure once
  drift   what differs in the service

Jobs that report, with the token of GitHub (GITHUB_TOKEN) or GitLab (GITLAB_TOKEN) alone:

  comment   review and rehearsal as the one comment on the pull (merge) request
  approval  finds the approval of the pull (merge) request that was merged
  report    drift as an issue, or as a pull (merge) request; it is closed when nothing differs any more

What the program starts gets no token of the forge, and what reports starts gets nothing but that. The options after -- go to review, to drift, and of an up to verify.

The jobs read the variables that "endpoint-monitoring help environment" lists.`,
  options: {},
  words: () => [...programTasks, ...forgeTasks],
  needsWord: true,
  exitCodes: { 2: "findings: a check of the review, a failed test, or drift (at GitHub a warning)", 3: "too few measurements" },
});
