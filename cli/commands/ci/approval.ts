import { basename } from "node:path";
import { objectOf } from "../../../provider/values";
import { digestIn } from "./pipeline";
import type { JsonObject, ForgeApi } from "./forge";
import { type Pipeline, sha256 } from "./pipeline";
import { fileIn } from "./zip";
import { UsageError } from "../../../common/errors";

/** GitHub workflow that writes approvals. Other workflows in the repository could write artifacts with the same names. */
const reviewWorkflow = /^\.github\/workflows\/endpoint-monitoring-review(?:-[\w.-]+)?\.yml$/;
const unreviewed = "no merged pull (merge) request with a reviewed approval contains it, or the approval has expired";

/** An approval that a run of the pipeline stored. */
interface Kept {
  readonly at: unknown;
  /** Digest or text of the approval, to compare approvals. */
  readonly content: string;
  /** Id of the artifact at GitHub. */
  readonly id?: unknown;
}

/** Downloads the approval of the pull (merge) request that contains this commit. */
export async function findApproval(forge: ForgeApi, pipeline: Pipeline): Promise<string> {
  const isGithub = forge.kind === "github";
  const { APPROVED: confirmed } = pipeline.env;
  const commit = forge.need(isGithub ? "GITHUB_SHA" : "CI_COMMIT_SHA");
  const why = confirmed
    ? await confirmedAtGithub(forge, pipeline, digestIn(confirmed))
    : await (isGithub ? atGithub : atGitlab)(forge, pipeline, commit);
  if (why === undefined) return "Approval found";
  throw new UsageError(
    `There is no approval for commit ${commit.slice(0, 7)}: ${why}. ` +
      `Review the current change and approve it: see "Review again" in examples/ci/README.md`,
    "work",
  );
}

/** Downloads the approval to a file. @returns the reason if no approval exists */
async function atGithub(forge: ForgeApi, pipeline: Pipeline, commit: string): Promise<string | undefined> {
  const { project } = forge.is;
  const pull = (await forge.list(`${project}/commits/${commit}/pulls`)).find(
    (answer) =>
      answer["merged_at"] &&
      answer["merge_commit_sha"] === commit &&
      objectOf(answer["base"])["ref"] === forge.need("GITHUB_REF_NAME"),
  );
  if (!pull) return unreviewed;
  const head = objectOf(pull["head"])["sha"];
  const reviews = await forge.list(`${project}/pulls/${String(pull["number"])}/reviews`);
  const approving = reviews.filter((review) => review["state"] === "APPROVED" && review["commit_id"] === head);
  const query = `event=pull_request&head_sha=${String(head)}&per_page=100`;
  const { workflow_runs: runs } = await forge.request("GET", `${project}/actions/runs?${query}`);
  const isReview = (run: JsonObject): boolean =>
    run["event"] === "pull_request" && run["head_sha"] === head && reviewWorkflow.test(String(run["path"])) && isOwn(run);
  const kept: Kept[] = [];
  for (const { id } of itemsOf(runs).filter(isReview)) {
    const { artifacts } = await forge.request("GET", `${project}/actions/runs/${String(id)}/artifacts?per_page=100`);
    for (const { id: artifact, name, expired, created_at: at } of itemsOf(artifacts)) {
      const digest = String(name).startsWith(pipeline.approvalName) && String(name).slice(pipeline.approvalName.length);
      if (digest && expired === false && /^[0-9a-f]{64}$/.test(digest)) kept.push({ at, content: digest, id: artifact });
    }
  }
  const { review, why } = approved(
    kept,
    // If a user approved several times, the last time counts, because the user has then read the newest review.
    [...Map.groupBy(approving, ({ user }) => objectOf(user)["id"]).values()].map((own) => own.at(-1)?.["submitted_at"]),
    pull["merged_at"],
  );
  if (review) await download(forge, pipeline, review.id, review.content);
  return why;
}

/** Whether a run belongs to this repository. A fork's pull request can write artifacts of any name. */
function isOwn(run: JsonObject): boolean {
  const { id } = objectOf(run["repository"]);
  return id !== undefined && id === objectOf(run["head_repository"])["id"];
}

/** Downloads the approval with a digest that a user confirmed. It may come from any run, because `apply` checks the digest. */
async function confirmedAtGithub(forge: ForgeApi, pipeline: Pipeline, digest: string): Promise<string | undefined> {
  if (forge.kind !== "github") return "only GitHub supports confirming a digest";
  const name = `${pipeline.approvalName}${digest}`;
  const { artifacts } = await forge.request("GET", `${forge.is.project}/actions/artifacts?name=${encodeURIComponent(name)}`);
  const latest = itemsOf(artifacts).find((artifact) => artifact["name"] === name && artifact["expired"] === false);
  if (!latest) return "no review of this repository has the confirmed digest, or its artifact has expired";
  await download(forge, pipeline, latest["id"], digest);
  return undefined;
}

/** Downloads the approval of an artifact to a file. @throws UsageError if its digest does not match */
async function download(forge: ForgeApi, pipeline: Pipeline, id: unknown, digest: string): Promise<void> {
  const archive = await forge.download(`${forge.is.project}/actions/artifacts/${String(id)}/zip`);
  const content = fileIn(archive, basename(pipeline.approval));
  if (content === undefined || sha256(content) !== digest) {
    throw new UsageError(
      `The artifact ${pipeline.approvalName}${digest} is damaged, or does not contain the approval with the digest in its name. Run the review again, and approve it`,
      "work",
    );
  }
  pipeline.write("approval.json", content.toString());
}

/** Downloads the approval to a file. @returns the reason if no approval exists */
async function atGitlab(forge: ForgeApi, pipeline: Pipeline, commit: string): Promise<string | undefined> {
  const { project } = forge.is;
  const merged = (await forge.list(`${project}/repository/commits/${commit}/merge_requests`)).find(
    (answer) =>
      answer["state"] === "merged" &&
      [answer["merge_commit_sha"], answer["squash_commit_sha"], answer["sha"]].includes(commit) &&
      answer["target_branch"] === forge.need("CI_COMMIT_REF_NAME"),
  );
  if (!merged) return unreviewed;
  const request = `${project}/merge_requests/${String(merged["iid"])}`;
  const { approved_by: approvers } = await forge.request("GET", `${request}/approvals`);
  // Pipelines of a fork belong to another project.
  const isReview = (answer: JsonObject): boolean =>
    String(answer["project_id"]) === forge.need("CI_PROJECT_ID") &&
    answer["source"] === "merge_request_event" &&
    answer["sha"] === merged["sha"];
  const kept: Kept[] = [];
  for (const { id } of (await forge.list(`${request}/pipelines`)).filter(isReview)) {
    for (const { id: job, name, finished_at: at } of await forge.list(
      `${project}/pipelines/${String(id)}/jobs?include_retried=true`,
    )) {
      if (!/^endpoint-monitoring:review(: |$)/.test(String(name)) || !at) continue;
      const file = encodeURIComponent(basename(pipeline.approval));
      const content = await forge.file(`${project}/jobs/${String(job)}/artifacts/endpoint-monitoring-reports/${file}`);
      if (content !== undefined) kept.push({ at, content });
    }
  }
  const times = itemsOf(approvers).flatMap((item) => item["approved_at"] ?? []);
  const { review, why } = approved(kept, times, merged["merged_at"]);
  if (review) pipeline.write("approval.json", review.content);
  return why;
}

/**
 * Finds the newest approval that existed when users approved the request: all approvers, or the user who merged it. The earliest decision
 * counts, because nobody can approve a later review for another user.
 */
function approved(reviews: readonly Kept[], approving: readonly unknown[], merged: unknown): { review?: Kept; why?: string } {
  const time = (text: unknown): number => Date.parse(String(text));
  const yes = (approving.length > 0 ? approving : [merged]).map(time).reduce((first, at) => Math.min(first, at));
  const newestFirst = reviews.toSorted((a, b) => time(b.at) - time(a.at));
  const review = newestFirst.find(({ at }) => time(at) <= yes);
  if (reviews.length === 0) return { why: unreviewed };
  if (!review) return { why: "its review finished after the approval" };
  if (newestFirst.some(({ at, content }) => time(at) > yes && content !== review.content)) {
    return { why: "a review that finished after the approval has a different result" };
  }
  return { review };
}

function itemsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
