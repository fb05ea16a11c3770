import { ownManifest } from "../../api/manifest";
import { settings, type SettingName } from "../../api/setting-names";
import type { ReadResource } from "../../provider/handler";
import type { Kind } from "../../provider/kind";
import type { Properties } from "../../provider/values";
import { UsageError } from "../command";
import { changingSteps } from "../engine/preview";
import type { PreviewStep, StepResource } from "../engine/preview-output";
import { shortName } from "../engine/stack";
import { secretMask, someDeep, withoutProvider } from "../engine/state";
import { compareText } from "../report/text";
import type { Judgement } from "../review/judge";
import { outcomeOf } from "../review/report";
import { concernsAgents } from "../review/service";
import type { OwnPreview } from "../review/source";
import { changesOf } from "../review/stand-ins";
import type { AnalysedStep } from "../review/stops";
import { defaultLimits, type Limits } from "../review/stop-words";
import type { Agent } from "../../provider/reach/holdings";
import { type Approval, approvalFormat, type ApprovedChange, type LiveRecord } from "./approval";
import { reachIn } from "./moved";
import { ApprovalValues } from "./values";

/** Settings that decide what the provider does with a change. The others say how it reaches the service. */
const decisive = ["baseUrl", "accountGroupId", "adopt", "replaceOrder"] as const satisfies readonly SettingName[];

/**
 * What a review approves.
 *
 * @param sealed key of the approval that this one is compared with
 * @throws UsageError where something of the change is not known, so that it cannot be approved
 */
export async function approvalOf(
  source: OwnPreview,
  judgement: Judgement,
  limits: Limits = defaultLimits,
  sealed?: string,
): Promise<Approval> {
  const { stack, preview } = source;
  const { analysis, isBlind, service } = judgement;
  if (preview.plan === undefined) {
    throw new UsageError(
      "The engine refuses to delete or replace what is protected, so this change cannot be approved. Unprotect it first",
      "work",
    );
  }
  if (isBlind || (service === undefined && concernsAgents(analysis.changes.map(({ planned }) => planned)))) {
    throw new UsageError("The service could not be read completely, so this change cannot be approved", "work");
  }
  const values = new ApprovalValues(stack, preview, sealed);
  const own: ApprovedChange[] = [];
  for (const change of analysis.changes) own.push(await ownChange(change, judgement, values));
  const others: ApprovedChange[] = [];
  const covered = new Set(own.map(({ urn }) => urn));
  for (const step of changingSteps(preview)) {
    if (!covered.has(step.urn) && !isRoot(step)) others.push(await otherChange(step, values));
  }
  const configured = await stack.configured();
  const effective = decisive.flatMap((name) => {
    const value = configured(name) || stack.project.io.env[settings[name].env];
    return value ? [[name, value] as const] : [];
  });
  const key = await values.key();
  return {
    format: approvalFormat,
    project: stack.project.name,
    stack: shortName(stack.name),
    version: ownManifest().version,
    settings: Object.fromEntries(effective),
    accountGroups: service?.accountGroupIds ?? [],
    limits: { maxMoved: limits.maxMoved, minIntervals: minIntervalsOf(limits) },
    changes: [...own, ...others].toSorted(
      (a, b) => compareText(a.urn, b.urn) || compareText(a.op, b.op) || compareText(a.id ?? "", b.id ?? ""),
    ),
    ...reachIn(analysis),
    stops: uniqueStops(judgement),
    ...(key !== undefined && { key }),
  };
}

function minIntervalsOf({ minIntervals = {} }: Limits): Record<string, number> {
  return Object.fromEntries(
    Object.entries(minIntervals).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function uniqueStops({ analysis }: Judgement): Approval["stops"] {
  const all = analysis.stops.map(({ word, urn }) => ({ word, ...(urn !== undefined && { urn }) }));
  const unique = new Map(all.map((stop) => [JSON.stringify(stop), stop]));
  return [...unique].toSorted(([a], [b]) => compareText(a, b)).map(([, stop]) => stop);
}

async function ownChange(change: AnalysedStep, { service }: Judgement, values: ApprovalValues): Promise<ApprovedChange> {
  const { planned, resource } = change;
  const { urn, op, kind, state, declared, secrets, creation, retained } = planned;
  const declarable = (all: Properties): Properties =>
    Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(kind.schema.shape, name)));
  // What an adoption finds is a live record.
  const held = op === "adopt" ? undefined : state;
  const live: LiveRecord[] = [];
  if (service && state && isListed(kind)) {
    const record = service.holdings.records.find((one) => one.kind === kind && one.id === state.id);
    live.push(await liveRecord(urn, state.id, record && { ...record, state: declarable(record.state) }, secrets, values));
  }
  if (service) {
    const agents = new Map([...service.holdings.agents.values()].flat().map((agent) => [agent.id, agent]));
    const ids = new Set(changesOf(planned).map(({ agentId }) => agentId));
    for (const id of [...ids].toSorted(compareText)) live.push(liveAgent(id, agents.get(id)));
  }
  return {
    urn,
    op: outcomeOf(resource),
    ...(state && { id: state.id }),
    ...(held && { before: await values.before(urn, held.id, "outputs", declarable(held.outputs), secrets) }),
    ...(declared && { after: await values.after(urn, held?.id, declarable(declared.inputs), secrets, planned.dependencies) }),
    ...(live.length > 0 && { live }),
    ...(creation &&
      creation.how !== "creates" && {
        creation: [creation.how === "refused" ? creation.why : creation.how, ...("ids" in creation ? creation.ids : [])].join(
          " ",
        ),
      }),
    ...(retained && { retained: true as const }),
  };
}

/** Whether the review has read the records of a kind: instant tests are on no list. */
function isListed({ reach }: Kind): boolean {
  return reach?.means === "group" || (reach?.means === "test" && reach.scheduled);
}

async function liveRecord(
  urn: string,
  id: string,
  record: Pick<ReadResource, "state" | "modified"> | undefined,
  secrets: ReadonlySet<string>,
  values: ApprovalValues,
): Promise<LiveRecord> {
  if (!record) return { id, exists: false, properties: {} };
  const { modified } = record;
  const properties = await values.live(urn, record.state, secrets);
  return { id, exists: true, ...(modified !== undefined && { modified }), properties };
}

function liveAgent(id: string, agent: Agent | undefined): LiveRecord {
  if (!agent) return { id, exists: false, properties: {} };
  const { accountGroupId, enabled, licenseType } = agent;
  return { id, exists: true, properties: { accountGroupId, enabled, ...(licenseType !== undefined && { licenseType }) } };
}

/** Whether a step is about the stack itself, which is nothing outside of the state. */
function isRoot({ oldState, newState }: PreviewStep): boolean {
  return (newState ?? oldState)?.type === "pulumi:pulumi:Stack";
}

/** A change as the engine has it: of another provider, or one of ours that the review explains with another. */
async function otherChange({ op, urn, oldState, newState }: PreviewStep, values: ApprovalValues): Promise<ApprovedChange> {
  const [before, after] = [oldState && inputsOf(oldState), op === "delete" ? undefined : newState && inputsOf(newState)];
  const secrets = new Set([
    ...maskedIn(before),
    ...maskedIn(after),
    ...(newState?.additionalSecretOutputs ?? oldState?.additionalSecretOutputs ?? []),
  ]);
  return {
    urn,
    op,
    ...(oldState?.id !== undefined && { id: oldState.id }),
    ...(before && { before: await values.before(urn, oldState?.id, "inputs", before, secrets) }),
    ...(after && { after: await values.after(urn, oldState?.id, after, secrets, newState?.propertyDependencies) }),
    ...(oldState?.retainOnDelete === true && { retained: true as const }),
  };
}

function inputsOf({ inputs }: StepResource): Properties {
  return withoutProvider(inputs);
}

function maskedIn(properties: Properties = {}): string[] {
  return Object.keys(properties).filter((name) => someDeep(properties[name], (part) => part === secretMask));
}
