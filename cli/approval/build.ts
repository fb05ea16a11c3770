import { ownManifest } from "../../api/manifest";
import { markOf } from "../../provider/approved";
import type { Kind } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { UsageError } from "../command";
import { changingSteps } from "../engine/preview";
import type { EngineStep } from "../engine/preview-output";
import { shortName } from "../engine/stack";
import { typeOfUrn } from "../../sdk/token";
import { kindNameOf, nameOfUrn, secretMask, someDeep, withoutProvider } from "../engine/state";
import { compareText } from "../report/text";
import type { Judgement, JudgedStep } from "../review/judgement";
import { outcomeOf } from "../review/report";
import { identityOf, loadedPackage } from "../operation/identity";
import { optionsOf } from "../operation/options";
import { stepsByUrn, unknownIn } from "../operation/unknown";
import { concernsAgents } from "../operation/service";
import type { OwnOperation } from "../operation/source";
import { changesOf } from "../operation/stand-ins";
import { defaultLimits, type Limits } from "../review/stop-words";
import type { Agent } from "../../provider/reach/holdings";
import { type Approval, approvalFormat, type ApprovedChange, type LiveRecord } from "./approval";
import { reachIn } from "./moved";
import { ApprovalValues } from "./values";

/**
 * Returns the approval of a reviewed operation.
 *
 * @param sealed key of the approval that this one is compared with
 * @throws UsageError where something of the change is not known, so that it cannot be approved
 */
export async function approvalOf(
  source: OwnOperation,
  judgement: Judgement,
  limits: Limits = defaultLimits,
  sealed?: string,
): Promise<Approval> {
  const { stack, operation } = source;
  const { isBlind, service } = judgement;
  if (operation.plan === undefined) {
    throw new UsageError(
      "The engine refuses to delete or replace what is protected, so this change cannot be approved. Unprotect it first",
      "work",
    );
  }
  if (isBlind || (service === undefined && concernsAgents(judgement.changes))) {
    throw new UsageError("The service could not be read completely, so this change cannot be approved", "work");
  }
  const values = new ApprovalValues(source, sealed);
  const own: ApprovedChange[] = [];
  for (const change of judgement.changes) own.push(await ownChange(change, judgement, values));
  const others: ApprovedChange[] = [];
  const covered = new Set(own.map(({ urn }) => urn));
  for (const step of changingSteps(operation)) {
    if (!covered.has(step.urn) && !isRoot(step)) others.push(await otherChange(step, values, source));
  }
  for (const oldState of operation.pendingOthers) {
    const change = await otherChange({ op: "delete", urn: oldState.urn, oldState }, values, source);
    others.push({ ...change, pending: true });
  }
  const loaded = loadedPackage(stack);
  const key = await values.key();
  return {
    format: approvalFormat,
    project: stack.project.name,
    stack: shortName(stack.name),
    version: ownManifest().version,
    ...(loaded && { package: loaded }),
    settings: await identityOf(source),
    accountGroups: service?.accountGroupIds ?? [],
    limits: {
      maxMoved: limits.maxMoved,
      minIntervals: { ...limits.minIntervals },
      ...(limits.allowUnknown && { allowUnknown: limits.allowUnknown.toSorted(compareText) }),
    },
    interrupted: operation.interrupted.map(({ urn, type }) => `${type} ${urn}`).toSorted(compareText),
    changes: [...own, ...others].toSorted(
      (a, b) => compareText(a.urn, b.urn) || compareText(a.op, b.op) || compareText(a.id ?? "", b.id ?? ""),
    ),
    ...reachIn(judgement),
    stops: uniqueStops(judgement),
    ...(key !== undefined && { key }),
  };
}

function uniqueStops({ stops }: Judgement): Approval["stops"] {
  const all = stops.map(({ word, urn }) => ({ word, ...(urn !== undefined && { urn }) }));
  const unique = new Map(all.map((stop) => [JSON.stringify(stop), stop]));
  return [...unique].toSorted(([a], [b]) => compareText(a, b)).map(([, stop]) => stop);
}

async function ownChange(change: JudgedStep, { service }: Judgement, values: ApprovalValues): Promise<ApprovedChange> {
  const { urn, op, kind, state, declared, secrets, creation, retained, pending, options } = change;
  // An adoption finds a live record.
  const held = op === "adopt" ? undefined : state;
  const live: LiveRecord[] = [];
  if (service && state && isListed(kind)) {
    const { id } = state;
    const record = service.holdings.records.find((one) => one.kind === kind && one.id === id);
    const { modified } = record ?? {};
    live.push({
      id,
      exists: record !== undefined,
      ...(modified !== undefined && { modified }),
      properties: record ? await values.live(urn, declarable(kind, record.state), secrets) : {},
    });
  }
  if (service) {
    const agents = new Map([...service.holdings.agents.values()].flat().map((agent) => [agent.id, agent]));
    const ids = new Set(changesOf(change).map(({ agentId }) => agentId));
    for (const id of [...ids].toSorted(compareText)) live.push(liveAgent(id, agents.get(id)));
  }
  return {
    urn,
    op: outcomeOf(change),
    ...(state && { id: state.id }),
    ...(held && { before: await values.before(urn, held.id, "outputs", declarable(kind, held.outputs), secrets) }),
    ...(declared && { after: await values.after(urn, held?.id, declarable(kind, declared.inputs), secrets, change.unknown) }),
    ...(live.length > 0 && { live }),
    ...(creation &&
      creation.how !== "none" &&
      creation.how !== "unseen" && { creation: [creation.how, ...(creation.ids ?? [])].join(" ") }),
    ...(retained && { retained: true as const }),
    ...(pending && { pending: true as const }),
    ...optionsIn(options),
  };
}

/** The properties that a program can declare. */
export function declarable({ schema }: Kind, all: Properties): Properties {
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(schema.shape, name)));
}

/** The options of both sides, if there are any. */
function optionsIn(options: JudgedStep["options"]): Pick<ApprovedChange, "options"> {
  return [options.before, options.after].some((side) => side && Object.keys(side).length > 0) ? { options } : {};
}

/**
 * Refuses to approve what nobody can review.
 *
 * @throws UsageError if a value of a resource of ours may become anything in the update, and is not let pass by name
 */
export function requireKnown({ changes, limits }: Approval): void {
  const ours = changes.filter(({ urn }) => kindNameOf(typeOfUrn(urn)) !== undefined);
  const open = ours.flatMap(({ urn, after = {} }) => {
    const unknown = Object.entries(after).filter(([, value]) => someDeep(value, (part) => "from" in (markOf(part) ?? {})));
    return unknown.map(([property]) => `${nameOfUrn(urn)}.${property}`).filter((name) => !limits.allowUnknown?.includes(name));
  });
  if (open.length === 0) return;
  throw new UsageError(
    `${open.join(", ")} is known only during the update, so this change cannot be approved. Give it a value that the preview knows, ` +
      `or let it pass, whatever it becomes, with --allow-unknown ${open.join(",")}`,
    "work",
  );
}

/** Whether the review has read the records of a kind: instant tests are on no list. */
function isListed({ reach }: Kind): boolean {
  return reach?.means === "group" || (reach?.means === "test" && reach.scheduled);
}

function liveAgent(id: string, agent: Agent | undefined): LiveRecord {
  if (!agent) return { id, exists: false, properties: {} };
  const { accountGroupId, enabled, licenseType } = agent;
  return { id, exists: true, properties: { accountGroupId, enabled, ...(licenseType !== undefined && { licenseType }) } };
}

/** Whether a step is about the stack itself, which is nothing outside of the state. */
function isRoot({ oldState, newState }: EngineStep): boolean {
  return (newState ?? oldState)?.type === "pulumi:pulumi:Stack";
}

/** A change as the engine has it: of another provider, or one of ours that the review explains with another. */
async function otherChange(
  { op, urn, oldState, newState }: EngineStep,
  values: ApprovalValues,
  source: OwnOperation,
): Promise<ApprovedChange> {
  const [before, after] = [
    oldState && withoutProvider(oldState.inputs),
    op === "delete" ? undefined : newState && withoutProvider(newState.inputs),
  ];
  const secrets = new Set([
    ...maskedIn(before),
    ...maskedIn(after),
    ...(newState?.additionalSecretOutputs ?? oldState?.additionalSecretOutputs ?? []),
  ]);
  const own = source.operation.own.find((one) => one.urn === urn && one.op !== "delete");
  const unknown = own
    ? unknownIn(own, stepsByUrn(source.operation.own))
    : Object.entries(newState?.propertyDependencies ?? {}).map(([property, from]) => ({ property, from: from ?? [] }));
  return {
    urn,
    op,
    ...(oldState?.id !== undefined && { id: oldState.id }),
    ...(before && { before: await values.before(urn, oldState?.id, "inputs", before, secrets) }),
    ...(after && { after: await values.after(urn, oldState?.id, after, secrets, unknown) }),
    ...(oldState?.retainOnDelete === true && { retained: true as const }),
    ...optionsIn({ before: oldState && optionsOf(oldState), after: newState && optionsOf(newState) }),
  };
}

function maskedIn(properties: Properties = {}): string[] {
  return Object.keys(properties).filter((name) => someDeep(properties[name], (part) => part === secretMask));
}
