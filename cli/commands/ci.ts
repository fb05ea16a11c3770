import { defineCommand } from "../command";

/** Tasks that run the program, with the secrets of the service and the backend, and those that report, with the token of the forge alone. */
export const programTasks = ["review", "up", "drift"] as const;
export const forgeTasks = ["comment", "approval", "report"] as const;
export type CiTask = (typeof programTasks)[number] | (typeof forgeTasks)[number];

export const ci = defineCommand({
  name: "ci",
  summary: "Run a job of a pipeline: review, apply what was approved, look for drift, report it",
  about:
    "Runs a job of a pipeline at GitHub, GitLab, Azure or Bitbucket. `endpoint-monitoring init --ci FORGE` writes the pipelines.",
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

From the environment; at GitHub also from SETTINGS (JSON) and SECRETS (lines NAME=VALUE):

  ENDPOINT_MONITORING_STACK            the stack; drift without one looks at all stacks
  ENDPOINT_MONITORING_FAIL_ON          what a review ends with 2 for, beside the address
  ENDPOINT_MONITORING_REACH_TOLERANCE  agents by which an update may differ from what was approved
  ENDPOINT_MONITORING_REHEARSE, ENDPOINT_MONITORING_VERIFY
                                       false: no rehearsal, no verification
  ENDPOINT_MONITORING_DRIFT            pull-request: drift is accepted on a branch rather than reported in an issue
  ENDPOINT_MONITORING_REPORTS          folder for what one job passes on to the next
  APPROVED                             digest of the approval that somebody confirms
  OVERRIDE_REASON                      applies without an approval; the reason is in the log and in the report`,
  options: {},
  words: () => [...programTasks, ...forgeTasks],
  needsWord: true,
  exitCodes: {
    0: "done",
    1: "failed",
    2: "done, and it found what it looks for; at GitHub drift is a warning instead",
    3: "no test was measured, or too little of one",
  },
  run: (_, out, io, task, rest) =>
    // `parsed` has seen to it that the word is a task.
    (require("../ci") as typeof import("../ci")).runCi(task as CiTask, out, io, rest),
});
