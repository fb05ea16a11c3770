import { defineCommand } from "../../command";

/** Tasks that run the program, with the secrets of the service and the backend, and tasks that report, with only the CI provider's token. */
export const programTasks = ["review", "up", "drift"] as const;
export const forgeTasks = ["comment", "approval", "report"] as const;
export type CiTask = (typeof programTasks)[number] | (typeof forgeTasks)[number];

export const ci = defineCommand({
  name: "ci",
  summary: "Run a pipeline's job: review, apply, drift or report",
  about: "Runs a job of a pipeline. `endpoint-monitoring init --ci PROVIDER` writes the pipelines for GitHub or GitLab.",
  usage: "TASK [-- OPTIONS]",
  examples: ["{} ci review", "{} ci up -- --max-loss 5", "{} ci drift -- --no-unmanaged"],
  details: `Jobs that run the program, with the secrets of the service and the backend:

  review  validates, reviews and rehearses the change, and writes the approval
  up      applies the approved change, then verifies the changed tests
  drift   finds drift

Jobs that report, with the token of GitHub (GITHUB_TOKEN) or GitLab (GITLAB_TOKEN):

  comment   writes the review as the comment on the pull (merge) request
  approval  finds the approval of the merged pull (merge) request
  report    reports drift as an issue or a pull (merge) request, and closes it after the last drift is gone

Jobs that run the program never see the CI provider's token; jobs that report get only that token. Options after -- go to review, to drift, and for up to verify.

"endpoint-monitoring help environment" lists the variables of these jobs.`,
  options: {},
  words: () => [...programTasks, ...forgeTasks],
  needsWord: true,
  exitCodes: { 2: "findings: a check of the review, a failed test, or drift (at GitHub a warning)", 3: "too few measurements" },
});
