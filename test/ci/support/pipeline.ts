import { rmSync } from "node:fs";
import { join } from "node:path";
import { type CiProvider, token } from "./ci-provider";
import type { Ended, Repository } from "./repository";

const runner = join(__dirname, "../../../node_modules/gitlab-ci-local/dist/index.js");

export const mergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_PROJECT_ID: "7" };
export const push = { CI_PIPELINE_SOURCE: "push" };
/** A manual pipeline on the default branch. */
export const web = { CI_PIPELINE_SOURCE: "web", CI_COMMIT_BRANCH: "main" };
export const schedule = { CI_PIPELINE_SOURCE: "schedule" };

/** Names of the jobs that ran. */
export function jobsOf({ text }: Ended): string[] {
  return [...text.matchAll(/^(\S+) +starting shell/gm)].map(([, name = ""]) => name);
}

/**
 * Runs a GitLab pipeline on this machine, with its jobs as shell scripts. `gitlab-ci-local` decides like GitLab which jobs run and
 * whether the pipeline succeeds.
 *
 * @param scopes patterns of environments by secret: only their jobs get the secret
 * @param manual jobs that a user starts
 */
export async function runPipeline(
  repository: Repository,
  ciProvider: CiProvider,
  predefined: Record<string, string>,
  secrets: Record<string, string> = { ...repository.secrets, GITLAB_TOKEN: token },
  scopes?: Record<string, string>,
  manual: readonly string[] = [],
): Promise<Ended> {
  // Artifacts are only for later jobs of this pipeline.
  rmSync(join(repository.folder, "endpoint-monitoring-reports"), { recursive: true, force: true });
  // Each job would run in a copy that rsync makes. Without isolation jobs run in the checkout, and the copy is unused. A machine
  // without rsync is sufficient.
  repository.tool("rsync", "exit 0");
  const scoped = Object.entries(scopes ?? {}).map(([name, scope]) => [
    name,
    { type: "variable", values: { [scope]: secrets[name] } },
  ]);
  repository.write(".gitlab-ci-local-variables.yml", JSON.stringify(Object.fromEntries(scoped)));
  const unscoped = Object.fromEntries(Object.entries(secrets).filter(([name]) => scopes?.[name] === undefined));
  const variables = {
    CI_PROJECT_DIR: repository.folder,
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...repository.vars,
    ...unscoped,
    ...ciProvider.env(""),
    ...predefined,
  };
  return repository.tell(
    process.execPath,
    [
      runner,
      "--force-shell-executor",
      "--no-shell-isolation",
      ...manual.flatMap((job) => ["--manual", job]),
      ...Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]),
    ],
    { GCL_IGNORE_PREDEFINED_VARS: Object.keys(variables).join(",") },
  );
}
