import { basename } from "node:path";
import { objectOf } from "../../../provider/values";
import { digestIn } from "./pipeline";
import type { JsonObject, CiProviderApi } from "./ci-provider";
import { type Pipeline, sha256 } from "./pipeline";
import { fileIn } from "./zip";
import { UsageError } from "../../../common/errors";

/** Path of the GitHub workflow that writes approvals. Other workflows could also write an artifact with the name of an approval. */
const reviewWorkflow = /^\.github\/workflows\/endpoint-monitoring-review(?:-[\w.-]+)?\.yml$/;
const unreviewed = "no merged pull or merge request with a reviewed approval contains the commit, or the approval has expired";

interface StoredApproval {
  readonly at: unknown;
  /** The approval's digest on GitHub, or the content of the approval file on GitLab. */
  readonly content: string;
  /** Id of the artifact on GitHub. */
  readonly id?: unknown;
}

/** Downloads the approval of the pull or merge request that contains this commit. */
export async function findApproval(ciProvider: CiProviderApi, pipeline: Pipeline): Promise<string> {
  const isGithub = ciProvider.kind === "github";
  const { APPROVED: confirmed } = pipeline.env;
  const commit = ciProvider.need(isGithub ? "GITHUB_SHA" : "CI_COMMIT_SHA");
  const why = confirmed
    ? await confirmedAtGithub(ciProvider, pipeline, digestIn(confirmed))
    : await (isGithub ? atGithub : atGitlab)(ciProvider, pipeline, commit);
  if (why === undefined) return "Approval found";
  throw new UsageError(
    `There is no approval for commit ${commit.slice(0, 7)}: ${why}. ` +
      `Review and approve the current change, as described under "Review again" in examples/ci/README.md`,
    "work",
  );
}

/**
 * Downloads the approval to a file.
 * @returns the reason if no approval exists
 */
async function atGithub(ciProvider: CiProviderApi, pipeline: Pipeline, commit: string): Promise<string | undefined> {
  const { project } = ciProvider.is;
  const pull = (await ciProvider.list(`${project}/commits/${commit}/pulls`)).find(
    (answer) =>
      answer["merged_at"] &&
      answer["merge_commit_sha"] === commit &&
      objectOf(answer["base"])["ref"] === ciProvider.need("GITHUB_REF_NAME"),
  );
  if (!pull) return unreviewed;
  const head = objectOf(pull["head"])["sha"];
  const reviews = await ciProvider.list(`${project}/pulls/${String(pull["number"])}/reviews`);
  const approving = reviews.filter((review) => review["state"] === "APPROVED" && review["commit_id"] === head);
  const query = `event=pull_request&head_sha=${String(head)}&per_page=100`;
  const { workflow_runs: runs } = await ciProvider.request("GET", `${project}/actions/runs?${query}`);
  const isReview = (run: JsonObject): boolean =>
    run["event"] === "pull_request" && run["head_sha"] === head && reviewWorkflow.test(String(run["path"])) && isOwn(run);
  const stored: StoredApproval[] = [];
  for (const { id } of itemsOf(runs).filter(isReview)) {
    const { artifacts } = await ciProvider.request("GET", `${project}/actions/runs/${String(id)}/artifacts?per_page=100`);
    for (const { id: artifact, name, expired, created_at: at } of itemsOf(artifacts)) {
      const digest = String(name).startsWith(pipeline.approvalName) && String(name).slice(pipeline.approvalName.length);
      if (digest && expired === false && /^[0-9a-f]{64}$/.test(digest)) stored.push({ at, content: digest, id: artifact });
    }
  }
  const { review, why } = approved(
    stored,
    // Only each user's last approval counts, because it covers the newest review that the user read.
    [...Map.groupBy(approving, ({ user }) => objectOf(user)["id"]).values()].map(
      (approvals) => approvals.at(-1)?.["submitted_at"],
    ),
    pull["merged_at"],
  );
  if (review) await download(ciProvider, pipeline, review.id, review.content);
  return why;
}

/** Whether a workflow run belongs to this repository. A pull request from a fork can write artifacts with any name. */
function isOwn(run: JsonObject): boolean {
  const { id } = objectOf(run["repository"]);
  return id !== undefined && id === objectOf(run["head_repository"])["id"];
}

/**
 * Downloads the approval with the digest that a user confirmed. The approval may come from any workflow run, because `apply` checks the
 * digest.
 */
async function confirmedAtGithub(ciProvider: CiProviderApi, pipeline: Pipeline, digest: string): Promise<string | undefined> {
  if (ciProvider.kind !== "github") return "only GitHub supports confirming a digest";
  const name = `${pipeline.approvalName}${digest}`;
  const { artifacts } = await ciProvider.request(
    "GET",
    `${ciProvider.is.project}/actions/artifacts?name=${encodeURIComponent(name)}`,
  );
  const latest = itemsOf(artifacts).find((artifact) => artifact["name"] === name && artifact["expired"] === false);
  if (!latest) return "no review of this repository has the confirmed digest, or its artifact has expired";
  await download(ciProvider, pipeline, latest["id"], digest);
  return undefined;
}

/**
 * Downloads an artifact and returns its approval.
 * @throws UsageError if the approval does not have the expected digest
 */
async function download(ciProvider: CiProviderApi, pipeline: Pipeline, id: unknown, digest: string): Promise<void> {
  const archive = await ciProvider.download(`${ciProvider.is.project}/actions/artifacts/${String(id)}/zip`);
  const content = fileIn(archive, basename(pipeline.approval));
  if (content === undefined || sha256(content) !== digest) {
    throw new UsageError(
      `The artifact ${pipeline.approvalName}${digest} contains no approval with the digest in the artifact's name. Run the job \`review\` again, and approve the change`,
      "work",
    );
  }
  pipeline.write("approval.json", content.toString());
}

/**
 * Downloads the approval to a file.
 * @returns the reason if no approval exists
 */
async function atGitlab(ciProvider: CiProviderApi, pipeline: Pipeline, commit: string): Promise<string | undefined> {
  const { project } = ciProvider.is;
  const merged = (await ciProvider.list(`${project}/repository/commits/${commit}/merge_requests`)).find(
    (answer) =>
      answer["state"] === "merged" &&
      [answer["merge_commit_sha"], answer["squash_commit_sha"], answer["sha"]].includes(commit) &&
      answer["target_branch"] === ciProvider.need("CI_COMMIT_REF_NAME"),
  );
  if (!merged) return unreviewed;
  const request = `${project}/merge_requests/${String(merged["iid"])}`;
  const { approved_by: approvers } = await ciProvider.request("GET", `${request}/approvals`);
  // A fork's pipelines belong to another project, so reviews from these pipelines do not count.
  const isReview = (answer: JsonObject): boolean =>
    String(answer["project_id"]) === ciProvider.need("CI_PROJECT_ID") &&
    answer["source"] === "merge_request_event" &&
    answer["sha"] === merged["sha"];
  const stored: StoredApproval[] = [];
  for (const { id } of (await ciProvider.list(`${request}/pipelines`)).filter(isReview)) {
    for (const { id: job, name, finished_at: at } of await ciProvider.list(
      `${project}/pipelines/${String(id)}/jobs?include_retried=true`,
    )) {
      if (!/^endpoint-monitoring:review(: |$)/.test(String(name)) || !at) continue;
      const file = encodeURIComponent(basename(pipeline.approval));
      const content = await ciProvider.file(`${project}/jobs/${String(job)}/artifacts/endpoint-monitoring-reports/${file}`);
      if (content !== undefined) stored.push({ at, content });
    }
  }
  const times = itemsOf(approvers).flatMap((item) => item["approved_at"] ?? []);
  const { review, why } = approved(stored, times, merged["merged_at"]);
  if (review) pipeline.write("approval.json", review.content);
  return why;
}

/**
 * Finds the newest review that was finished when the first user approved the pull or merge request. If no user approved the request, the
 * merge counts as the approval. A later review does not count, because the first approver did not read it.
 */
function approved(
  reviews: readonly StoredApproval[],
  approving: readonly unknown[],
  merged: unknown,
): { review?: StoredApproval; why?: string } {
  const time = (text: unknown): number => Date.parse(String(text));
  const decidedAt = (approving.length > 0 ? approving : [merged]).map(time).reduce((first, at) => Math.min(first, at));
  const newestFirst = reviews.toSorted((a, b) => time(b.at) - time(a.at));
  const review = newestFirst.find(({ at }) => time(at) <= decidedAt);
  if (reviews.length === 0) return { why: unreviewed };
  if (!review) return { why: "its review finished after the approval" };
  if (newestFirst.some(({ at, content }) => time(at) > decidedAt && content !== review.content)) {
    return { why: "a review that finished after the approval has a different result" };
  }
  return { review };
}

function itemsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
