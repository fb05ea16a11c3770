import type { StackPreview } from "../engine/preview";
import { nameOfUrn } from "../engine/state";
import { errorText, fewNames, ours, phrase, type Phrase } from "../report/phrase";
import { inText } from "../report/terminal";
import { compareText } from "../report/text";
import { type AgentLoad, compareLoad, type LoadComparison, overCount } from "../../provider/reach/load";
import { Names } from "./names";
import { type OtherChanges, type PlannedStep, type PlannedSteps, replacementCost, titleOf, whyForgotten } from "./planned";
import { reachOf, selections, touchedBy } from "./reach";
import { type Load, type LoadState, outcomeOf, type Review, type ReviewedResource, type ReviewSummary } from "./report";
import type { Holdings } from "../../provider/reach/holdings";
import type { ServiceView } from "./service";
import { settled } from "./settle";
import { defaultLimits, type Limits } from "./stop-words";
import { type AnalysedStep, type Insight, type Stop, stopsIn, subjectPhrase } from "./stops";
import { type StepVerdict, verdictOf } from "./verdict";
import type { World } from "../../provider/reach/world";
import { type Worlds, worldsOf } from "./worlds";

/** A review with what is needed to show it. */
export interface Analysis {
  review: Review;
  stops: Stop[];
  changes: AnalysedStep[];
  names: Names;
  /** What may be wrong with the review itself. */
  warnings: Phrase[];
  worlds?: Worlds;
}

const noHoldings: Holdings = { agents: new Map(), records: [], missing: [], isComplete: false };
const maxUnknownNames = 5;

/** Works out what a change does. Without the service, whom it reaches is left out. */
export function analyse(
  preview: StackPreview,
  steps: PlannedSteps,
  service?: ServiceView,
  limits: Limits = defaultLimits,
): Analysis {
  const { others, unknown } = steps;
  const planned = settled(steps.planned, service, preview.adopt === "identical" ? "identical" : "never");
  const names = new Names(planned, service?.holdings ?? noHoldings);
  const worlds = service && worldsOf(planned, service.holdings, service.defaultAccountGroupId);
  const judged = planned.map((one) => ({ planned: one, verdict: verdictOf(one) }));
  const changes = judged
    .filter((one) => one.planned.op !== "same")
    .map((one): AnalysedStep => ({ ...one, resource: resourceOf(one.planned, one.verdict, planned, worlds, names) }));

  const { holdings, accountGroupIds = [] } = service ?? {};
  const isComplete = holdings?.isComplete === true && accountGroupIds.every((id) => holdings.agents.has(id));
  const load = worlds && isComplete && accountGroupIds.length > 0 ? compareLoad(worlds, accountGroupIds) : undefined;
  const insight: Insight | undefined = worlds && { worlds, names, load, limits };
  const stops = stopsIn(changes, insight);
  return {
    review: {
      stack: preview.stack,
      summary: summaryOf(changes, others, stops.length, worlds),
      stops: stops.map(({ word: stop, urn, text }) => ({ word: stop, ...(urn !== undefined && { urn }), text: inText(text) })),
      resources: changes.map(({ resource }) => resource),
      ...(load && worlds && { load: loadOf(load, worlds, names, accountGroupIds) }),
    },
    stops,
    changes,
    names,
    warnings: [
      ...judged.flatMap(disagreement),
      ...unknownKinds(unknown),
      ...(holdings?.missing ?? []).map((text) => [errorText(text)]),
    ],
    worlds,
  };
}

function resourceOf(
  one: PlannedStep,
  { changes, hidden }: StepVerdict,
  all: readonly PlannedStep[],
  worlds: Worlds | undefined,
  names: Names,
): ReviewedResource {
  const { op, urn, kindName, name, state, declared, position, asked, unfinished } = one;
  const forgotten = whyForgotten(one);
  const [title, reach] = [titleOf(one), worlds && reachOf(worlds, names, one)];
  const touches = worlds && touchedBy(worlds, names, one);
  const traced = changes.map((change) => {
    const from = change.unknown ? recreated(one, change.property, all) : [];
    return from.length > 0 ? { ...change, from } : change;
  });
  const replaces = op === "replace" && !asked ? traced.filter((change) => change.replaces) : [];
  return {
    urn,
    kind: kindName,
    name,
    ...(title !== undefined && { title }),
    // Steps on what stays the same have been left out.
    op: op as ReviewedResource["op"],
    ...(forgotten !== undefined && { forgotten }),
    ...(one.from && { from: { urn: one.from.urn, name: one.from.name } }),
    ...(one.creation && { creation: creationOf(one.creation) }),
    ...(state && { id: state.id }),
    ...(position && { position }),
    protect: (declared ?? state)?.protect === true,
    changes: traced,
    hidden,
    ...(unfinished && { unfinished }),
    replaces: replaces.map(({ property, from }) => ({ property, ...(from && { because: from }) })),
    ...(op === "replace" && asked && { asked }),
    ...(op === "replace" && { cost: replacementCost(one) }),
    ...(reach && { reach }),
    ...(touches && touches.length > 0 && { touches }),
  };
}

/** Why a create adopts nothing, for those who read the report. */
function creationOf(given: NonNullable<PlannedStep["creation"]>): NonNullable<ReviewedResource["creation"]> {
  const { how } = given;
  if (how === "creates") return { how: given.looked ? "none" : "unseen" };
  if (how === "unclear") return { how };
  return { how: given.why, ids: [...given.ids], ...(given.why === "differs" && { properties: [...given.properties] }) };
}

/** Resources that get a new id, among those a property is made from. */
function recreated({ dependencies }: PlannedStep, property: string, all: readonly PlannedStep[]): string[] {
  const sources = new Set(dependencies[property]);
  const fresh = all.filter(({ op, urn }) => sources.has(urn) && (op === "create" || op === "replace"));
  return [...new Set(fresh.map(({ urn }) => urn))];
}

function summaryOf(
  changes: readonly AnalysedStep[],
  others: OtherChanges,
  stops: number,
  worlds: Worlds | undefined,
): ReviewSummary {
  const numberOf = (op: string): number => changes.filter(({ resource }) => outcomeOf(resource) === op).length;
  const agents = worlds && agentsReached(changes, worlds);
  return {
    created: numberOf("create"),
    updated: numberOf("update"),
    replaced: numberOf("replace"),
    deleted: numberOf("delete"),
    forgotten: numberOf("forget"),
    adopted: numberOf("adopt"),
    others: {
      created: others.create,
      updated: others.update,
      replaced: others.replace,
      deleted: others.delete,
      forgotten: others.forget,
    },
    ...(agents && { agents }),
    stops,
  };
}

/** Different agents that labels and tests reach together; nothing where no resource's reach is known. */
function agentsReached(changes: readonly AnalysedStep[], worlds: Worlds): ReviewSummary["agents"] {
  const sides = [new Set<string>(), new Set<string>()] as const;
  let known = false;
  for (const { planned } of changes) {
    for (const [at, side] of selections(worlds, planned).entries()) {
      known ||= side?.value !== undefined;
      for (const { id } of side?.value?.agents.slice(0, side.value.count) ?? []) sides[at]?.add(id);
    }
  }
  if (!known) return undefined;
  return { before: sides[0].size, after: sides[1].size };
}

function loadOf(comparison: LoadComparison, { before, after }: Worlds, names: Names, accountGroupIds: string[]): Load {
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
    over: comparison.over.map(({ agent, limit, before: now, after: next, worse }) => ({
      id: agent.id,
      name: names.agent(agent),
      accountGroupId: agent.accountGroupId,
      licenseType: agent.licenseType ?? "",
      limit,
      before: now,
      after: next,
      worse,
    })),
    crowdedOut: [...comparison.after.crowdedOut]
      .flatMap(([key, agents]) => {
        const known = names.of(key);
        return known ? [{ name: known.name, id: known.id, urn: known.urn, agents }] : [];
      })
      .toSorted((a, b) => b.agents - a.agents || compareText(a.name, b.name)),
    notCounted: comparison.after.unclear.length,
    approximate: comparison.before.chosen || comparison.after.chosen,
  };
}

function disagreement({ planned, verdict }: { planned: PlannedStep; verdict: StepVerdict }): Phrase[] {
  if (verdict.disagreement === undefined) return [];
  return [
    phrase`The engine says ${ours(planned.op)} of ${subjectPhrase(planned)}, and this tool ${ours(verdict.disagreement)}. Please report this as a bug of pulumi-endpoint-monitoring, unless the preview was made with another version of it`,
  ];
}

/** Resources of ours of which nothing else is known: a later version made them. */
function unknownKinds(urns: readonly string[]): Phrase[] {
  if (urns.length === 0) return [];
  const names = fewNames(urns.map(nameOfUrn), maxUnknownNames);
  const change = urns.length === 1 ? "resource changes" : "resources change";
  return [
    phrase`${urns.length} ${ours(change)} of a kind that this version does not know, so no more is reported: ${names}. Update pulumi-endpoint-monitoring where this command runs`,
  ];
}
