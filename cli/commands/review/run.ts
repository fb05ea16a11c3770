import { resolve } from "node:path";
import { allowedHostsVariable } from "../../../api/allowed-hosts";
import { approvalDigest, approvalText } from "../../../plan/approve/approval";
import { approvalOf, requireKnown } from "../../../plan/approve/seal";
import { ApprovalValues } from "../../../plan/approve/values";
import { type ExitCode, type Invocation } from "../../command";
import type { ReviewValues } from "./options";
import { PreviewError } from "../../../engine/preview";
import type { EngineStep } from "../../../engine/preview-output";
import { writeWhole } from "../../../common/files";
import { type Io, ioWith } from "../../../engine/io";
import type { Output } from "../../report/output";
import { checkFiles, present } from "../../report/present";
import { counted, tallyText } from "../../../common/text";
import { judgementOf } from "../../../plan/judge/judgement";
import { withRenameEdits } from "./rename-edits";
import { failOnOf, limitsOf } from "./limits";
import { reviewReport } from "./report";
import { judge } from "../../../plan/judge/judge";
import { addressOf, refusedProviders } from "../../../plan/address";
import { givenPreview, type OpenedStack, openStack, type OwnOperation, runPreview } from "../../../plan/read";
import { type Limits, reachChecks, type CheckName } from "../../../plan/judge/checks";
import { UsageError } from "../../../common/errors";
import { phraseText } from "../../../common/phrase";
import { operationOf } from "../../../plan/steps";
import type { ServiceAddress } from "../../../plan/model";
import type { Judgement } from "../../../plan/judge/model";

/** Maximum number of printed warnings without `--details`. */
const maxWarnings = 5;

export async function run(values: ReviewValues, { out, io }: Invocation): Promise<ExitCode> {
  const { details = false, offline = false } = values;
  checkFiles(values);
  const failOn = failOnOf(values, offline);
  const limits = limitsOf(values);
  const { approval, preview, stack } = values;
  if (offline && approval !== undefined)
    throw new UsageError("--approval requires the service, so it cannot be used with --offline");
  if (approval !== undefined && preview !== undefined) {
    throw new UsageError(
      "--approval and --preview cannot be used together, because a preview from a file hides secrets and has no plan",
    );
  }
  const { ownOperation, judgement: judged } =
    preview === undefined
      ? await ownReview(values, failOn, limits, out, io)
      : {
          ownOperation: undefined,
          judgement: await judge(await givenPreview(preview, stack, out, io), out, { offline, limits }),
        };
  const judgement = await withRenameEdits(judged, ownOperation?.stack.project.folder);
  const unapproved =
    ownOperation && approval !== undefined ? await writeApproval(ownOperation, judgement, limits, approval, io) : undefined;
  warn(judgement, details, out);
  const unwritten = present(reviewReport(judgement, { details }), values, out, io, "review");
  const code = verdict(judgement, failOn, out);
  const failures = [unapproved, unwritten].filter((failure) => failure !== undefined);
  for (const failure of failures) out.error(failure);
  return failures.length > 0 ? 1 : code;
}

/**
 * Previews the stack and reviews the preview. If the settings use a new host, the review only reports the host, because a preview would
 * send the token to the new host.
 */
async function ownReview(
  values: ReviewValues,
  failOn: ReadonlySet<CheckName>,
  limits: Limits,
  out: Output,
  io: Io,
): Promise<{ ownOperation?: OwnOperation; judgement: Judgement }> {
  const isStrict = failOn.has("address");
  const anyHost = { ...io.env, [allowedHostsVariable]: io.env[allowedHostsVariable] ?? "" };
  const opened = await openStack(values.stack, isStrict ? io : ioWith(io, { env: anyHost }));
  const address = await addressOf(opened.stack, opened.reading, values.base);
  if (isStrict && address.dangers.length > 0) return { judgement: unseenJudgement(opened, address) };
  try {
    const ownOperation = await runPreview(opened, out, io, address);
    return { ownOperation, judgement: await judge(ownOperation, out, { offline: values.offline ?? false, limits }) };
  } catch (error) {
    const refused = error instanceof PreviewError && isStrict ? refusedProviders(error.steps, address) : [];
    if (refused.length === 0) throw error;
    return { judgement: unseenJudgement(opened, address, refused) };
  }
}

/** Returns a review without a preview, because a preview would send the token to a new host. */
function unseenJudgement(
  { stack: { name, project } }: OpenedStack,
  address: ServiceAddress,
  steps: EngineStep[] = [],
): Judgement {
  const judgement = judgementOf({ ...operationOf({ stack: name, project: project.name, steps }), address });
  judgement.review.notPreviewed = true;
  return judgement;
}

/**
 * Writes the approval, and stores its digest in the review.
 * @returns the reason if the approval cannot be written
 */
async function writeApproval(
  ownOperation: OwnOperation,
  judgement: Judgement,
  limits: Limits,
  file: string,
  io: Io,
): Promise<string | undefined> {
  try {
    const approval = await approvalOf(ownOperation, judgement, limits, new ApprovalValues(ownOperation, undefined));
    requireKnown(approval);
    writeWhole(resolve(io.cwd, file), approvalText(approval), undefined, file);
    judgement.review.approval = { digest: approvalDigest(approval), file };
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return `No approval: ${error.message}`;
  }
}

function warn({ warnings }: Judgement, details: boolean, out: Output): void {
  const shown = out.json || details ? warnings : warnings.slice(0, maxWarnings);
  for (const warning of shown) out.warn(phraseText(warning));
  const omitted = warnings.length - shown.length;
  if (omitted > 0) out.warn(`… and ${counted(omitted, "more warning")}: see --details or --json`);
}

function verdict({ findings, isBlind }: Judgement, failOn: ReadonlySet<CheckName>, out: Output): ExitCode {
  const byCheck = Map.groupBy(
    findings.filter(({ rule }) => failOn.has(rule)),
    ({ rule }) => rule,
  );
  if (byCheck.size > 0) {
    out.note(`Findings of --fail-on: ${tallyText(new Map([...byCheck].map(([check, ofCheck]) => [check, ofCheck.length])))}`);
    return 2;
  }
  const unknown = [...failOn].filter((word) => reachChecks.has(word));
  if (!isBlind || unknown.length === 0) return 0;
  out.note(`These checks of --fail-on could not run: ${unknown.join(", ")}`);
  return 1;
}
