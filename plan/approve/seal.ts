import { ownManifest } from "../../api/manifest";
import { markOf } from "../../provider/approved";
import type { Kind } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { typeOfUrn } from "../../sdk/token";
import { changingSteps } from "../../engine/preview";
import type { EngineStep } from "../../engine/preview-output";
import { shortName } from "../../engine/stack";
import { type EngineResource, kindNameOf, managedOf, nameOfUrn, someDeep, withoutProvider } from "../../engine/state";
import { holdsMask } from "../step-changes";
import { identityOf, loadedPackage } from "../identity";
import { optionsOf } from "../options";
import type { OwnOperation } from "../read";
import { changesOf } from "../stand-ins";
import { stepsByUrn, unknownIn } from "../unknown";
import { changingAgents } from "../worlds";
import { compareText } from "../../common/text";
import type { Limits } from "../judge/checks";
import { type Approval, approvalFormat, type ApprovedChange, type LiveRecord } from "./approval";
import { reachIn } from "../compare/moved";
import type { ApprovalValues } from "./values";
import { UsageError } from "../../common/errors";
import type { Judgement, JudgedStep } from "../judge/model";

/** @throws UsageError if any value in the change is unknown, because a user cannot approve an unknown value */
export async function approvalOf(
  source: OwnOperation,
  judgement: Judgement,
  limits: Limits,
  values: ApprovalValues,
): Promise<Approval> {
  const { stack, operation } = source;
  const { changes, isBlind, service } = judgement;
  if (operation.plan === undefined) {
    const advice = changes.some(({ renamedFrom }) => renamedFrom !== undefined)
      ? "Add the aliases that the review names, so that no record is deleted"
      : "To allow the change, remove `protect` from the program, and run `pulumi state unprotect URN`";
    throw new UsageError(
      `The engine refuses to delete or replace protected resources, so this change cannot be approved. ${advice}`,
      "work",
    );
  }
  if (isBlind || (service === undefined && changingAgents(changes).length > 0)) {
    throw new UsageError(
      "Some data could not be read from the service, so this change cannot be approved. Run `endpoint-monitoring check` to find the cause",
      "work",
    );
  }
  const covered = new Set(changes.map(({ urn }) => urn));
  const approved: ApprovedChange[] = [];
  for (const change of changes) approved.push(await ownChange(change, judgement, values));
  for (const step of changingSteps(operation)) {
    const isRoot = (step.newState ?? step.oldState)?.type === "pulumi:pulumi:Stack";
    if (!covered.has(step.urn) && !isRoot) approved.push(await otherChange(step, values, source));
  }
  for (const oldState of operation.pendingOthers) {
    const change = await otherChange({ op: "delete", urn: oldState.urn, oldState }, values, source);
    approved.push({ ...change, pending: true });
  }
  const loaded = loadedPackage(stack);
  const key = await values.key();
  const findings = judgement.findings.map(({ rule, subject }) => ({
    rule,
    ...(subject?.urn !== undefined && { urn: subject.urn }),
  }));
  return {
    format: approvalFormat,
    project: stack.project.name,
    stack: shortName(stack.name),
    version: ownManifest().version,
    ...(loaded && { package: loaded }),
    settings: await identityOf(source),
    accountGroups: service?.accountGroupIds ?? [],
    limits: sealedLimits(limits),
    interrupted: operation.interrupted.map(({ urn, type }) => `${type} ${urn}`).toSorted(compareText),
    changes: inOrder(approved, ({ urn, op, id = "" }) => JSON.stringify([urn, op, id])),
    ...reachIn(judgement),
    findings: inOrder([...new Map(findings.map((item) => [JSON.stringify(item), item])).values()], (item) =>
      JSON.stringify(item),
    ),
    ...(key !== undefined && { key }),
  };
}

function sealedLimits({ allowUnknown, ...others }: Limits): Approval["limits"] {
  return {
    ...others,
    ...(allowUnknown && { allowUnknown: allowUnknown.toSorted(compareText) }),
  };
}

function inOrder<T>(all: readonly T[], keyOf: (item: T) => string): T[] {
  return all.toSorted((a, b) => compareText(keyOf(a), keyOf(b)));
}

async function ownChange(change: JudgedStep, judgement: Judgement, values: ApprovalValues): Promise<ApprovedChange> {
  const { urn, op, kind, state, declared, secrets, creation, retained, pending, options, unknown } = change;
  const before = op === "adopt" ? undefined : state;
  const resource = { urn, id: before?.id };
  const live = await liveRecords(change, judgement, values);
  const isConfused = creation && creation.how !== "none" && creation.how !== "unseen";
  return {
    urn,
    op: change.outcome,
    ...(state && { id: state.id }),
    ...(before && { before: await values.before(resource, "outputs", declarable(kind, before.outputs), secrets) }),
    ...(declared && { after: await values.after(resource, declarable(kind, declared.inputs), secrets, unknown) }),
    ...(live.length > 0 && { live }),
    ...(isConfused && { creation: [creation.how, ...(creation.ids ?? [])].join(" ") }),
    ...(retained && { retained: true as const }),
    ...(pending && { pending: true as const }),
    ...optionsIn(options),
  };
}

/**
 * Returns the existing records and agents that a change affects. The result contains no instant tests, because the service does not list
 * them.
 */
async function liveRecords(change: JudgedStep, { service }: Judgement, values: ApprovalValues): Promise<LiveRecord[]> {
  if (!service) return [];
  const { urn, kind, state, secrets } = change;
  const live: LiveRecord[] = [];
  if (state && (kind.reach?.means === "group" || (kind.reach?.means === "test" && kind.reach.scheduled))) {
    const { id } = state;
    const record = service.holdings.records.find((serviceRecord) => serviceRecord.kind === kind && serviceRecord.id === id);
    const { modified } = record ?? {};
    const properties = record ? await values.live(urn, declarable(kind, record.state), secrets) : {};
    live.push({ id, exists: record !== undefined, ...(modified !== undefined && { modified }), properties });
  }
  const agents = new Map([...service.holdings.agents.values()].flat().map((agent) => [agent.id, agent]));
  const ids = new Set(changesOf(change).map(({ agentId }) => agentId));
  for (const id of [...ids].toSorted(compareText)) {
    const agent = agents.get(id);
    const { accountGroupId, enabled, licenseType } = agent ?? {};
    const properties = agent ? { accountGroupId, enabled, ...(licenseType !== undefined && { licenseType }) } : {};
    live.push({ id, exists: agent !== undefined, properties });
  }
  return live;
}

function declarable({ schema }: Kind, all: Properties): Properties {
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(schema.shape, name)));
}

function optionsIn(options: JudgedStep["options"]): Pick<ApprovedChange, "options"> {
  return [options.before, options.after].some((side) => side && Object.keys(side).length > 0) ? { options } : {};
}

/** Returns the approval entry for a step that the review does not describe, such as a change to another provider's resource. */
async function otherChange(
  { op, urn, oldState, newState }: EngineStep,
  values: ApprovalValues,
  { operation }: OwnOperation,
): Promise<ApprovedChange> {
  const before = oldState && withoutProvider(oldState.inputs);
  const after = op === "delete" || !newState ? undefined : withoutProvider(newState.inputs);
  const masked = Object.keys({ ...before, ...after }).filter((name) => holdsMask([before?.[name], after?.[name]]));
  const secrets = new Set([...masked, ...(newState?.additionalSecretOutputs ?? oldState?.additionalSecretOutputs ?? [])]);
  const ownStep = operation.own.find((step) => step.urn === urn && step.op !== "delete");
  const unknown = ownStep
    ? unknownIn(ownStep, stepsByUrn(operation.own))
    : Object.entries(newState?.propertyDependencies ?? {}).map(([property, from]) => ({ property, from: from ?? [] }));
  const resource = { urn, id: oldState?.id };
  return {
    urn,
    op,
    ...(oldState?.id !== undefined && { id: oldState.id }),
    ...(before && { before: await values.before(resource, "inputs", before, secrets) }),
    ...(after && { after: await values.after(resource, after, secrets, unknown) }),
    ...(oldState?.retainOnDelete === true && { retained: true as const }),
    ...optionsIn({ before: oldState && optionsOf(oldState), after: newState && optionsOf(newState) }),
  };
}

/** The approval entry for a resource without changes. `after` is absent if the preview plans an operation on the resource. */
export type UnchangedForm = Pick<ApprovedChange, "after" | "options">;

export async function unchangedForms(
  urns: ReadonlySet<string>,
  { steps }: OwnOperation["operation"],
  values: ApprovalValues,
): Promise<ReadonlyMap<string, UnchangedForm>> {
  const forms = new Map<string, UnchangedForm>();
  for (const { op, urn, oldState, newState } of steps) {
    if (!urns.has(urn)) continue;
    const declared = op === "same" ? (newState ?? oldState) : undefined;
    forms.set(urn, declared ? await unchangedForm(declared, oldState, values) : (forms.get(urn) ?? {}));
  }
  return forms;
}

async function unchangedForm(declared: EngineResource, { id }: Partial<EngineResource> = {}, values: ApprovalValues) {
  const managed = managedOf("", declared);
  const inputs = withoutProvider(declared.inputs);
  const secrets = managed?.secrets ?? new Set(declared.additionalSecretOutputs ?? []);
  const after = await values.after({ urn: declared.urn, id }, managed ? declarable(managed.kind, inputs) : inputs, secrets);
  return { after, options: { after: optionsOf(declared) } };
}

/** @throws UsageError if a value of this package's resources is unknown until the update and no option allows the unknown value */
export function requireKnown({ changes, limits }: Approval): void {
  const ours = changes.filter(({ urn }) => kindNameOf(typeOfUrn(urn)) !== undefined);
  const open = ours.flatMap(({ urn, after = {} }) => {
    const unknown = Object.entries(after).filter(([, value]) => someDeep(value, (part) => "from" in (markOf(part) ?? {})));
    return unknown.map(([property]) => `${nameOfUrn(urn)}.${property}`).filter((name) => !limits.allowUnknown?.includes(name));
  });
  if (open.length === 0) return;
  throw new UsageError(
    `${open.join(", ")} is known only during the update, so this change cannot be approved. Set the property to a value that is known during the preview, ` +
      `or allow any value with --allow-unknown ${open.join(",")}`,
    "work",
  );
}
