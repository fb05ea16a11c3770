import { EndpointMonitoringError } from "../../../api";
import { type Approval, approvalDigest, isDigest, readApproval } from "../../../plan/approve/approval";
import { approvalOf, unchangedForms } from "../../../plan/approve/seal";
import { compareApprovals, type Tolerance } from "../../../plan/compare/compare";
import { Comparison, outcome } from "../../../plan/compare/comparison";
import { ApprovalValues } from "../../../plan/approve/values";
import { type ApplyReport, applyReport, differenceText } from "./report";
import { type ExitCode, type Invocation } from "../../command";
import { announce } from "../review/announce";
import type { ApplyValues } from "./options";
import { type ProjectStack, shortName } from "../../../engine/stack";
import { updateWithin } from "../../../engine/update";
import type { Io } from "../../../engine/io";
import type { Output } from "../../report/output";
import { checkFiles, present } from "../../report/present";
import { sharedRecords } from "../../../plan/shared-records";
import { counted } from "../../../common/text";
import { judge } from "../../../plan/judge/judge";
import { addressOf } from "../../../plan/address";
import { type OpenedStack, openStack, type OwnOperation, runPreview } from "../../../plan/read";
import { nameOfUrn } from "../../../engine/state";
import { approvedResources } from "../../../plan/unknown";
import { NotApprovedError, UsageError } from "../../../common/errors";

export async function run(options: ApplyValues, { out, io }: Invocation): Promise<ExitCode> {
  checkFiles(options);
  const tolerance = toleranceOf(options["reach-tolerance"]);
  const override = overrideOf(options.override);
  const { file, digest, approved } = approvedBy(options.approved ?? [], io);

  const opened = await openStack(options.stack, io);
  if (approved) checkStack(approved, opened.stack, file ?? "");
  if (approved && override === undefined) await checkAddress(approved, opened, file ?? "");
  const source = await runPreview(opened, out, io);
  const limits = approved?.limits ?? {};
  const judgement = await judge(source, out, { limits });
  const values = new ApprovalValues(source, approved?.key);
  const now = await approvalOf(source, judgement, limits, values);
  const { differences, passed } = approved
    ? compareApprovals(approved, now, {
        tolerance,
        unchanged: await unchangedForms(new Set(approved.changes.map(({ urn }) => urn)), source.operation, values),
        nameOf: (id) => judgement.names.titleOf(id),
        ids: heldIds(source),
      })
    : digestComparison(digest ?? "", approvalDigest(now));
  const report: ApplyReport = {
    stack: source.stack.name,
    approved: approved ? approvalDigest(approved) : (digest ?? ""),
    now: approvalDigest(now),
    outcome: "refused",
    differences,
    passed,
    ...(override !== undefined && { override }),
    changes: now.changes.length,
  };
  const end = (code: ExitCode): ExitCode => {
    const failure = present(applyReport(report), options, out, io);
    if (failure === undefined) return code;
    out.error(failure);
    return code === 0 ? 1 : code;
  };
  if (differences.length > 0) {
    if (override === undefined) return end(2);
    out.warn(`The change differs from the approval, and is applied because of --override: ${override}`);
    for (const difference of differences) out.note(`  ${differenceText(difference)}`);
  }
  await announce(judgement, source.stack.project.folder, out);
  return end(await update(source, report, out));
}

async function update({ stack, operation }: OwnOperation, report: ApplyReport, out: Output): Promise<ExitCode> {
  out.doneSoFar = "The update may be partly done.";
  out.progress(`Updating stack ${stack.name} within the previewed plan (${counted(report.changes, "change")})…`);
  const { failures, leftPlan } = await updateWithin(stack, operation.plan ?? "", approvedResources(operation), ({ op, urn }) =>
    out.note(`${nameOfUrn(urn)} ${outcome(op)}`),
  );
  out.endProgress();
  out.doneSoFar = failures.length > 0 ? "The update is partly done." : "The update is done.";
  report.outcome = failures.length === 0 ? "applied" : leftPlan ? "left the plan" : "failed";
  await reportDoubles(stack, report, out);
  if (failures.length === 0) return 0;
  report.failures = failures;
  for (const failure of failures) out.error(failure);
  return leftPlan ? 2 : 1;
}

/**
 * Finds equal records that another stack or a user created during the update. A failed search causes only a warning, because the update is
 * already complete.
 */
async function reportDoubles(stack: ProjectStack, report: ApplyReport, out: Output): Promise<void> {
  try {
    const [managed, session] = await Promise.all([stack.managed(), stack.session()]);
    const doubled = await sharedRecords([{ managed, session }], []);
    if (doubled.length === 0) return;
    report.doubled = doubled;
    for (const { text } of doubled) out.warn(text);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError || error instanceof UsageError)) throw error;
    out.warn(`Could not check for duplicate records: ${error.message}`);
  }
}

export function heldIds({ heldState }: OwnOperation): ReadonlyMap<string, string | undefined> {
  return new Map(heldState.resources.filter((resource) => resource.delete !== true).map(({ urn, id }) => [urn, id]));
}

/**
 * Parses the values of `--approved`: an approval file, a digest, or a file and its digest.
 * @throws UsageError
 */
function approvedBy(words: readonly string[], io: Io): { file?: string; digest?: string; approved?: Approval } {
  const files = words.filter((word) => !isDigest(word));
  const digests = words.filter(isDigest);
  const [[file], [digest]] = [files, digests];
  if (words.length === 0)
    throw new UsageError(
      "--approved is missing. Set --approved to the file that `review --approval` wrote, or to the approval's digest",
    );
  if (files.length > 1 || digests.length > 1) throw new UsageError("--approved takes at most one file and one digest");
  if (file === undefined) return { digest };
  const approved = readApproval(file, io);
  if (digest !== undefined && approvalDigest(approved) !== digest) {
    throw new NotApprovedError(
      `The approval in ${file} has the digest ${approvalDigest(approved)}, but --approved requires ${digest}. Pass the approval with the required digest, or review the change again`,
    );
  }
  return { file, digest, approved };
}

/** @throws UsageError if the approval is for another stack */
function checkStack({ project, stack }: Approval, target: ProjectStack, file: string): void {
  if (project === target.project.name && stack === shortName(target.name)) return;
  throw new UsageError(
    `${file} approves a change to stack ${stack} in project ${project}, not to stack ${shortName(target.name)} in project ${target.project.name}`,
    "work",
  );
}

/**
 * Compares the configured host with the approved host. The comparison comes before the preview, because a preview could send the token to
 * an unapproved host.
 * @throws NotApprovedError if the configured host differs from the approved host
 */
async function checkAddress(approved: Approval, { stack, reading }: OpenedStack, file: string): Promise<void> {
  const { host } = await addressOf(stack, reading, undefined);
  const was = URL.parse(approved.settings["baseUrl"] ?? "")?.host;
  if (was === undefined || was === host) return;
  throw new NotApprovedError(
    `${file} approves a change to the service at ${was}, but the settings now use ${host}. Nothing was sent. Correct the base URL, or review the change again`,
  );
}

function digestComparison(approved: string, now: string): Comparison {
  const comparison = new Comparison();
  const text =
    "The digest of this change differs from the approved digest. With the approval file, `apply` lists the differences and allows harmless differences";
  if (approved !== now) comparison.refuse("digest", undefined, [text]);
  return comparison;
}

/** Parses a tolerance such as `5%` or `10`. @throws UsageError */
function toleranceOf(text: string | undefined): Tolerance | undefined {
  if (text === undefined) return undefined;
  const { number = "", percent } = /^(?<number>\d{1,7}(?:\.\d+)?)(?<percent>%)?$/.exec(text)?.groups ?? {};
  const value = Number(number);
  if (number === "" || (percent === undefined ? !Number.isInteger(value) : value > 100)) {
    throw new UsageError(
      `--reach-tolerance takes a number of agents such as 10, or a percentage up to 100% such as 5%, not "${text}"`,
    );
  }
  return percent === undefined ? { agents: value } : { percent: value };
}

/**
 * Returns the value of `--override` without surrounding white space.
 * @throws UsageError if the value is blank
 */
function overrideOf(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  if (reason.trim() === "") throw new UsageError("--override requires a reason, which appears in the log and in the report");
  return reason.trim();
}
