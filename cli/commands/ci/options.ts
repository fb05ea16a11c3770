import { defineCommand } from "../../command";

/** Tasks that run the program and therefore receive the secrets for the service and the backend. */
export const programTasks = ["review", "up", "drift"] as const;
/** Tasks that report to the CI provider. Reporting tasks receive only one secret: the CI provider's token. */
export const publishTasks = ["comment", "approval", "report"] as const;
export type CiTask = (typeof programTasks)[number] | (typeof publishTasks)[number];

export const ci = defineCommand({
  name: "ci",
  summary: "Run a job of a CI pipeline, such as review or drift",
  about: "Runs a job of a CI pipeline. `endpoint-monitoring init --ci PROVIDER` writes the pipelines for GitHub or GitLab.",
  usage: "TASK [-- OPTIONS]",
  examples: ["{} ci review", "{} ci up -- --max-loss 5", "{} ci drift -- --no-unmanaged"],
  details: `Three jobs run the program, so they need the credentials for the service and the backend:

  - The job \`review\` validates, reviews and rehearses the change, and writes the approval.
  - The job \`up\` applies the approved change, then verifies the changed tests.
  - The job \`drift\` finds changes that were made outside of Pulumi.

Three jobs use the API of GitHub or GitLab, so they need GITHUB_TOKEN or GITLAB_TOKEN:

  - The job \`comment\` writes the review as a comment on the pull or merge request.
  - The job \`approval\` downloads the approval of the merged pull or merge request.
  - The job \`report\` reports drift in an issue, or in a pull or merge request. The job closes the issue or request when no drift remains.

Jobs that run the program never get the GitHub or GitLab token. The jobs \`comment\`, \`approval\` and \`report\` get only the GitHub or GitLab token.

The jobs \`review\` and \`drift\` pass the options that follow -- to the commands with the same names. The job \`up\` passes the options that follow -- to the command \`verify\`.

To list the environment variables of these jobs, run \`endpoint-monitoring help environment\`.`,
  options: {},
  words: () => [...programTasks, ...publishTasks],
  needsWord: true,
  exitCodes: {
    2: "a review check has a finding, a test failed, or there is drift (on GitHub, drift is only a warning)",
    3: "too few measurements",
  },
});
