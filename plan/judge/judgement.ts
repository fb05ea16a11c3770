import type { Insight, JudgedStep, Judgement } from "./model";
import { nameOfUrn } from "../../engine/state";
import { positionText } from "../../common/position";
import { type PlannedOperation, type Step } from "../model";
import { noEditText } from "../account-facts";
import { optionChanges } from "../options";
import { lostBy } from "../references";
import type { ServiceView } from "../service";
import { settled } from "../settle";
import { stepsByUrn, unknownIn } from "../unknown";
import { worldsOf } from "../worlds";
import { errorText, fewNames, ours, phrase, type Phrase, place, word } from "../../common/phrase";
import { findingData } from "../../common/finding";
import type { Holdings } from "../../provider/reach/holdings";
import { reshapedIn } from "../../provider/reshaped";
import { compareLoad, type Worlds } from "../../provider/reach/load";
import { Names } from "./names";
import { reachOf, touchedBy } from "./reach";
import type { ResourceData, ResourceOutcome } from "./review";
import { costsOf, loadOf, summaryOf } from "./summary";
import { ofBudget } from "./budget";
import { createdByName, ofRename, withFix } from "./rename-findings";
import { groupData, groupsOf, renameData } from "../groups";
import { renamesIn } from "../renames";
import { ofDoubles } from "./doubled-records";
import { ofReach, ofTouched } from "./reach-findings";
import { checkNames, type Limits } from "./checks";
import { ofOperation } from "./findings";
import { valueText } from "../changes";
import { resetsOf } from "../resets";
import { changesService, replacementCost, titleOf, whyForgotten } from "../step";

const noHoldings: Holdings = { agents: new Map(), records: [], missing: [], isComplete: false };
const maxUnknownNames = 5;

/** Returns the effects and findings of an operation. Without `service`, the judgement omits agents and load. */
export function judgementOf(operation: PlannedOperation, service?: ServiceView, limits: Limits = {}): Judgement {
  const { others, unknown, address } = operation;
  const planned = settled(operation, service);
  const names = new Names(planned, service?.holdings ?? noHoldings);
  const worlds = service && worldsOf(planned, service.holdings, service.defaultAccountGroupId);
  const byUrn = stepsByUrn(planned);
  const renames = renamesIn(planned);
  const [formerOf, newOf] = [
    new Map(renames.map(({ from, to }) => [to, from])),
    new Map(renames.map(({ from, to }) => [from, to])),
  ];
  const testsBy = selectingTests(planned);
  const changes = planned
    .filter(({ op }) => op !== "same")
    .map((step): JudgedStep => {
      const references = lostBy(operation, step, service?.references);
      const [from, to] = [formerOf.get(step), newOf.get(step)];
      return {
        ...step,
        ...meaningOf(step, byUrn, worlds, names),
        ...(references.length > 0 && { references }),
        selectedBy: testsBy.get(step.urn) ?? [],
        resets: resetsOf(step, service),
        ...(from && { renamedFrom: from }),
        ...(to && { renamedTo: to }),
      };
    });

  const { holdings, accountGroupIds = [] } = service ?? {};
  const isComplete = holdings?.isComplete === true && accountGroupIds.every((id) => holdings.agents.has(id));
  const load = worlds && isComplete && accountGroupIds.length > 0 ? compareLoad(worlds, accountGroupIds) : undefined;
  const unasked = service?.references.unasked ?? [];
  const insight: Insight | undefined = worlds && { worlds, names, load, limits, unasked };
  const loaded = load && worlds && service && loadOf(load, worlds, names, service);
  const costs = costsOf(changes, loaded);
  const candidates = [
    ...ofOperation(operation, changes, limits, insight),
    ...changes.flatMap(ofRename),
    ...ofBudget(costs, limits),
    ...(insight ? [...changes.flatMap((change) => ofReach(change, insight)), ...ofTouched(changes, insight)] : []),
    ...(service ? ofDoubles(planned, service) : []),
  ].toSorted((a, b) => checkNames.indexOf(a.rule) - checkNames.indexOf(b.rule));
  const created = createdByName(changes);
  const changeOf = new Map(changes.map((step) => [step.urn, step]));
  const findings = candidates.map((candidate) => {
    const urn = candidate.subject?.urn;
    const finding = withFix(candidate, changeOf.get(urn ?? ""), created);
    const position = byUrn.get(urn ?? "")?.position ?? changeOf.get(urn ?? "")?.position;
    return position ? { ...finding, position, text: phrase`${finding.text} (${place(positionText(position))})` } : finding;
  });
  const groups = groupsOf(changes, findings, planned);
  return {
    review: {
      stack: operation.stack,
      ...(address && { address: { host: address.host, settings: address.settings } }),
      summary: summaryOf(changes, others, findings.length, worlds),
      findings: findings.map(findingData),
      resources: changes.map(resourceData),
      groups: groups.map(groupData),
      renames: renameData(changes),
      costs,
      ...(loaded && { load: loaded }),
    },
    findings,
    changes,
    groups,
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
    // The cast excludes the operation `same`, because a review omits steps that change nothing.
    outcome: forgotten === undefined ? (op as ResourceOutcome) : ("forget" as const),
    replaces: replaces.map(({ property, from }) => ({ property, ...(from && { because: from }) })),
    cost: op === "replace" ? replacementCost(step) : undefined,
    reach: worlds && changesService(step) ? reachOf(worlds, names, step) : undefined,
    touches: touches && touches.length > 0 ? touches : undefined,
  };
}

function selectingTests(planned: readonly Step[]): ReadonlyMap<string, string[]> {
  const tests = planned.filter(({ op, kind }) => op !== "delete" && kind.reach?.means === "test");
  const uses = tests.flatMap(({ name, kind, dependencies }) => {
    // Only the references in `refersTo` select agents, although other properties may also use a label's outputs.
    const sources = Object.keys(kind.refersTo).flatMap((property) => dependencies[property] ?? []);
    return [...new Set(sources)].map((source) => ({ source, name }));
  });
  const bySource = Map.groupBy(uses, ({ source }) => source);
  return new Map([...bySource].map(([source, all]) => [source, all.map(({ name }) => name)]));
}

function resourceData(step: JudgedStep): ResourceData {
  const { op, urn, kindName: kind, name, title, forgotten, from, creation, state, declared, position, changes, hidden } = step;
  const { previousUrn, pending, unfinished, replaces, asked, cost, reach, touches, references } = step;
  const identity = { urn, kind, name, creation, position, changes, hidden };
  const meaning = { title, forgotten, replaces, cost, reach, touches, references };
  return {
    ...identity,
    ...meaning,
    op: op as ResourceData["op"],
    id: state?.id,
    protect: (declared ?? state)?.protect === true,
    ...(previousUrn !== undefined && { previousUrn }),
    ...(pending && { pending }),
    ...(from && { from: { urn: from.urn, name: from.name } }),
    ...(unfinished && { unfinished }),
    ...(op === "replace" && asked && { asked }),
  };
}

function disagreement(step: Step): Phrase[] {
  if (step.disagreement === undefined) return [];
  return [
    phrase`The engine plans the operation ${ours(step.op)} for ${ours(step.kind.noun)} ${step.name}, but this tool expects ${ours(step.disagreement)}. If the preview is from the same version of pulumi-endpoint-monitoring, please report the difference as a bug`,
  ];
}

function reshaped({ op, kind, name, state, declared, secrets }: Step): Phrase[] {
  if (!state || !declared || op === "delete" || op === "replace") return [];
  const properties = reshapedIn(kind, state.outputs, declared.inputs).filter((property) => !kind.createOnly.includes(property));
  return properties.map((property) => {
    if (secrets.has(property))
      return phrase`${ours(kind.noun)} ${name}: the service returns the declared ${word(property)} in another form`;
    const [returned, requested] = [state.outputs[property], declared.inputs[property]].map((value) => word(valueText(value)));
    return phrase`${ours(kind.noun)} ${name}: the program declares ${word(property)} as ${requested ?? []}, but the service changes it to ${returned ?? []}`;
  });
}

function unknownKinds(urns: readonly string[]): Phrase[] {
  if (urns.length === 0) return [];
  const names = fewNames(urns.map(nameOfUrn), maxUnknownNames);
  const change = urns.length === 1 ? "changed resource" : "changed resources";
  return [
    phrase`This version does not support the resource type of ${urns.length} ${ours(change)}, so the review omits their details: ${names}. Update pulumi-endpoint-monitoring on the machine that runs this command`,
  ];
}
