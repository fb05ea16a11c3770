import { defineCommand } from "../../command";

/** Tasks that run the program, with the secrets of the service and the backend. */
export const programTasks = ["review", "up", "drift"] as const;
/** Tasks that report to the CI provider, with its token as the only secret. */
export const forgeTasks = ["comment", "approval", "report"] as const;
export type CiTask = (typeof programTasks)[number] | (typeof forgeTasks)[number];

export const ci = defineCommand({
  name: "ci",
  summary: "Run a job of a CI pipeline: review, apply, drift or report",
  about: "Runs a job of a CI pipeline. `endpoint-monitoring init --ci PROVIDER` writes the pipelines for GitHub or GitLab.",
  usage: "TASK [-- OPTIONS]",
  examples: ["{} ci review", "{} ci up -- --max-loss 5", "{} ci drift -- --no-unmanaged"],
  details: `These jobs run the program. They need the credentials of the service and the backend:

  review  validates, reviews and rehearses the change, and writes the approval
  up      applies the approved change, then verifies the changed tests
  drift   finds drift

These jobs report on GitHub or GitLab. They need its token (GITHUB_TOKEN or GITLAB_TOKEN):

  comment   writes the review as a comment on the pull (merge) request
  approval  finds the approval of the merged pull (merge) request
  report    reports drift as an issue or a pull (merge) request, and closes it when no drift remains

Jobs that run the program never see the GitHub or GitLab token. Jobs that report get only that token. The jobs review and drift pass options after -- to the command of the same name, and the job up passes them to verify.

"endpoint-monitoring help environment" lists the variables of these jobs.`,
  options: {},
  words: () => [...programTasks, ...forgeTasks],
  needsWord: true,
  exitCodes: {
    2: "a review check has a finding, a test failed, or there is drift (on GitHub, drift is only a warning)",
    3: "too few measurements",
  },
});
