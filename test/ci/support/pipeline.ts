import { join } from "node:path";
import { type Forge, token } from "./forge";
import type { Ended, Repository } from "./repository";

const runner = join(__dirname, "../../../node_modules/gitlab-ci-local/dist/index.js");

export const mergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_PROJECT_ID: "7" };
export const push = { CI_PIPELINE_SOURCE: "push" };
export const schedule = { CI_PIPELINE_SOURCE: "schedule" };

/** Names of the jobs that ran. */
export function jobsOf({ text }: Ended): string[] {
  return [...text.matchAll(/^(\S+) +starting shell/gm)].map(([, name = ""]) => name);
}

/**
 * Runs a pipeline of GitLab on this machine, its jobs as shell scripts: `gitlab-ci-local` decides which jobs run and what that
 * comes to, as GitLab does.
 */
export async function runPipeline(
  repository: Repository,
  forge: Forge,
  given: Record<string, string>,
  secrets: Record<string, string> = { ...repository.secrets, GITLAB_TOKEN: token },
): Promise<Ended> {
  // Each job would run in a copy that rsync makes. Without isolation they run in the checkout, and the copy is not looked at: a
  // machine without rsync will do.
  repository.tool("rsync", "exit 0");
  const { ENDPOINT_MONITORING_STACK: STACK = "", ...vars } = repository.vars;
  const variables = { CI_PROJECT_DIR: repository.folder, STACK, ...vars, ...secrets, ...forge.env(""), ...given };
  return repository.tell(
    process.execPath,
    [
      runner,
      "--force-shell-executor",
      "--no-shell-isolation",
      ...Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]),
    ],
    { GCL_IGNORE_PREDEFINED_VARS: Object.keys(variables).join(",") },
  );
}
