import type { Insight, JudgedStep, Judgement } from "./model";
import { nameOfUrn } from "../../engine/state";
import { positionText } from "../../common/position";
import { type PlannedOperation, type OtherChanges, type Step } from "../model";
import { noEditText } from "../account-facts";
import { optionChanges } from "../options";
import { lostBy } from "../references";
import type { ServiceView } from "../service";
import { settled } from "../settle";
import { stepsByUrn, unknownIn } from "../unknown";
import { worldsOf } from "../worlds";
import { errorText, fewNames, ours, phrase, type Phrase, place, word } from "../../common/phrase";
import { findingData } from "../../common/finding";
import { compareText } from "../../common/text";
import type { ServiceAgent, Holdings } from "../../provider/reach/holdings";
import { reshapedIn } from "../../provider/reshaped";
import { type AgentLoad, compareLoad, type LoadComparison, overCount, type Worlds } from "../../provider/reach/load";
import type { Knowledge, SelectedAgents, World } from "../../provider/reach/world";
import { Names } from "./names";
import { isCertain, reachOf, selections, touchedBy } from "./reach";
import {
  type TestLoad,
  type LoadState,
  type OpenReach,
  type ResourceData,
  type ResourceOutcome,
  type ReviewSummary,
} from "./review";
import { ofDoubles } from "./doubled-records";
import { ofReach, ofTouched } from "./reach-findings";
import { checkNames, defaultLimits, type Limits } from "./checks";
import { ofOperation } from "./findings";
import { valueText } from "../changes";
import { changesService, replacementCost, titleOf, whyForgotten } from "../step";

const noHoldings: Holdings = { agents: new Map(), records: [], missing: [], isComplete: false };
const maxUnknownNames = 5;

/** Judges an operation. Without the service, reach and load are left out. */
export function judgementOf(operation: PlannedOperation, service?: ServiceView, limits: Limits = defaultLimits): Judgement {
  const { others, unknown, address } = operation;
  const planned = settled(operation, service);
  const names = new Names(planned, service?.holdings ?? noHoldings);
  const worlds = service && worldsOf(planned, service.holdings, service.defaultAccountGroupId);
  const byUrn = stepsByUrn(planned);
  const changes = planned
    .filter(({ op }) => op !== "same")
    .map((step): JudgedStep => {
      const references = lostBy(operation, step, service?.references);
      return { ...step, ...meaningOf(step, byUrn, worlds, names), ...(references.length > 0 && { references }) };
    });

  const { holdings, accountGroupIds = [] } = service ?? {};
  const isComplete = holdings?.isComplete === true && accountGroupIds.every((id) => holdings.agents.has(id));
  const load = worlds && isComplete && accountGroupIds.length > 0 ? compareLoad(worlds, accountGroupIds) : undefined;
  const unasked = service?.references.unasked ?? [];
  const insight: Insight | undefined = worlds && { worlds, names, load, limits, unasked };
  const candidates = [
    ...ofOperation(operation, changes, limits, insight),
    ...(insight ? [...changes.flatMap((change) => ofReach(change, insight)), ...ofTouched(changes, insight)] : []),
    ...(service ? ofDoubles(planned, service) : []),
  ].toSorted((a, b) => checkNames.indexOf(a.rule) - checkNames.indexOf(b.rule));
  const findings = candidates.map((finding) => {
    const urn = finding.subject?.urn;
    const position = byUrn.get(urn ?? "")?.position ?? changes.find((change) => change.urn === urn)?.position;
    return position ? { ...finding, position, text: phrase`${finding.text} (${place(positionText(position))})` } : finding;
  });
  return {
    review: {
      stack: operation.stack,
      ...(address && { address: { host: address.host, settings: address.settings } }),
      summary: summaryOf(changes, others, findings.length, worlds),
      findings: findings.map(findingData),
      resources: changes.map(resourceData),
      ...(load && worlds && service && { load: loadOf(load, worlds, names, service) }),
    },
    findings,
    changes,
    names,
    warnings: [
      ...planned.flatMap(disagreement),
      ...planned.flatMap(reshaped),
      ...unknownKinds(unknown),
      ...(holdings?.missing ?? []).map((text) => [errorText(text)]),
      ...(service?.role?.edits.length === 0 ? [[errorText(noEditText(service.role))]] : []),
    ],
    worlds,
    service,
    isBlind: (holdings?.missing ?? []).length > 0,
  };
}

function meaningOf(step: Step, all: ReadonlyMap<string, Step>, worlds: Worlds | undefined, names: Names) {
  const { op, asked } = step;
  const unknown = unknownIn(step, all);
  const forgotten = whyForgotten(step);
  const changes = [...step.changes, ...optionChanges(step.options)].map((change) => {
    const unknownValue = change.unknown && unknown.find(({ property }) => property === change.property);
    if (!unknownValue) return change;
    return {
      ...change,
      ...(unknownValue.idsOf ? { from: unknownValue.idsOf } : unknownValue.from.length > 0 && { madeFrom: unknownValue.from }),
    };
  });
  const replaces = op === "replace" && !asked ? changes.filter((change) => change.replaces) : [];
  const touches = worlds && changesService(step) ? touchedBy(worlds, names, step) : undefined;
  return {
    changes,
    unknown,
    title: titleOf(step),
    forgotten,
    // A judgement has no steps that change nothing.
    outcome: forgotten === undefined ? (op as ResourceOutcome) : ("forget" as const),
    replaces: replaces.map(({ property, from }) => ({ property, ...(from && { because: from }) })),
    cost: op === "replace" ? replacementCost(step) : undefined,
    reach: worlds && changesService(step) ? reachOf(worlds, names, step) : undefined,
    touches: touches && touches.length > 0 ? touches : undefined,
  };
}

function resourceData(step: JudgedStep): ResourceData {
  const { op, urn, kindName: kind, name, title, forgotten, from, creation, state, declared, position, changes, hidden } = step;
  const { pending, unfinished, replaces, asked, cost, reach, touches, references } = step;
  const own = { urn, kind, name, creation, position, changes, hidden };
  const meaning = { title, forgotten, replaces, cost, reach, touches, references };
  return {
    ...own,
    ...meaning,
    // A judgement has no steps that change nothing.
    op: op as ResourceData["op"],
    id: state?.id,
    protect: (declared ?? state)?.protect === true,
    ...(pending && { pending }),
    ...(from && { from: { urn: from.urn, name: from.name } }),
    ...(unfinished && { unfinished }),
    ...(op === "replace" && asked && { asked }),
  };
}

function summaryOf(
  changes: readonly JudgedStep[],
  others: OtherChanges,
  findings: number,
  worlds: Worlds | undefined,
): ReviewSummary {
  const numberOf = (op: ResourceOutcome): number => changes.filter((step) => step.outcome === op).length;
  const numbers = (of: (op: keyof OtherChanges) => number): ReviewSummary["others"] => ({
    created: of("create"),
    updated: of("update"),
    replaced: of("replace"),
    deleted: of("delete"),
    forgotten: of("forget"),
  });
  const agents = worlds && agentsReached(changes, worlds);
  return {
    ...numbers(numberOf),
    adopted: numberOf("adopt"),
    others: numbers((op) => others[op]),
    ...(agents && { agents }),
    findings,
  };
}

/** Returns how many different agents all labels and tests select together; nothing if no resource's reach is known. */
function agentsReached(changes: readonly JudgedStep[], worlds: Worlds): ReviewSummary["agents"] {
  const all = changes.filter(changesService).map((planned) => selections(worlds, planned));
  const known = all.flat().flatMap((side) => side?.value ?? []);
  if (known.length === 0) return undefined;
  const [before, after] = [together(all.map(([now]) => now)), together(all.map(([, then]) => then))];
  const open = { ...(before.open && { before: before.open }), ...(after.open && { after: after.open }) };
  return {
    before: before.number,
    after: after.number,
    ...(!known.every(isCertain) && { chosen: true }),
    ...(Object.keys(open).length > 0 && { open }),
  };
}

/** Returns how many different agents some selections have for certain, and how much of them is not known. */
function together(sides: readonly (Knowledge<SelectedAgents> | undefined)[]): { number: number; open?: OpenReach } {
  const idsOf = (part: (side: SelectedAgents) => readonly ServiceAgent[]): string[] =>
    sides.flatMap((side) => (side?.value ? part(side.value).map(({ id }) => id) : []));
  const certain = new Set(idsOf(({ agents }) => agents));
  const unclear = new Set(idsOf((side) => side.unclear.agents.filter(({ id }) => !certain.has(id)))).size;
  const unknown = sides.filter((side) => side?.why !== undefined).length;
  const isOpen = unclear + unknown > 0;
  return {
    number: certain.size,
    ...(isOpen && { open: { ...(unclear > 0 && { unclear }), ...(unknown > 0 && { unknown }) } }),
  };
}

function loadOf(comparison: LoadComparison, { before, after }: Worlds, names: Names, service: ServiceView): TestLoad {
  const { accountGroupIds, licenses } = service;
  const stateOf = (world: World, load: AgentLoad): LoadState => ({
    agents: accountGroupIds.reduce((sum, id) => sum + world.able(id).length, 0),
    rounds: Math.round(load.rounds),
    roundsRun: Math.round(load.roundsRun),
    over: overCount(world, load, accountGroupIds),
  });
  return {
    accountGroups: accountGroupIds,
    before: stateOf(before, comparison.before),
    after: stateOf(after, comparison.after),
    over: comparison.over.map(({ agent, ...tests }) => {
      const { id, accountGroupId, licenseType = "" } = agent;
      return { id, name: names.agent(agent), accountGroupId, licenseType, ...tests };
    }),
    crowdedOut: [...comparison.after.crowdedOut]
      .flatMap(([key, agents]) => {
        const known = names.of(key);
        return known ? [{ name: known.name, id: known.id, urn: known.urn, agents }] : [];
      })
      .toSorted((a, b) => b.agents - a.agents || compareText(a.name, b.name)),
    notCounted: comparison.after.unclear.length,
    approximate: comparison.before.chosen || comparison.after.chosen,
    ...(licenses.length > 0 && { licenses }),
  };
}

function disagreement(step: Step): Phrase[] {
  if (step.disagreement === undefined) return [];
  return [
    phrase`The engine says ${ours(step.op)} of ${ours(step.kind.noun)} ${step.name}, and this tool ${ours(step.disagreement)}. Please report this as a bug of pulumi-endpoint-monitoring, unless the preview was made with another version of it`,
  ];
}

/** Returns a warning for each property that an update sets and the service always returns in another form. */
function reshaped({ op, kind, name, state, declared, secrets }: Step): Phrase[] {
  if (!state || !declared || op === "delete" || op === "replace") return [];
  const properties = reshapedIn(kind, state.outputs, declared.inputs).filter((property) => !kind.createOnly.includes(property));
  return properties.map((property) => {
    if (secrets.has(property)) return phrase`${ours(kind.noun)} ${name}: the service returns another form of ${word(property)}`;
    const [returned, requested] = [state.outputs[property], declared.inputs[property]].map((value) => word(valueText(value)));
    return phrase`${ours(kind.noun)} ${name}: the program declares ${word(property)} as ${requested ?? []}, and the service made ${returned ?? []} of it`;
  });
}

/** Returns a warning about resources of kinds that only a later version knows. */
function unknownKinds(urns: readonly string[]): Phrase[] {
  if (urns.length === 0) return [];
  const names = fewNames(urns.map(nameOfUrn), maxUnknownNames);
  const change = urns.length === 1 ? "resource changes" : "resources change";
  return [
    phrase`${urns.length} ${ours(change)} of a kind that this version does not know, so no more is reported: ${names}. Update pulumi-endpoint-monitoring where this command runs`,
  ];
}
