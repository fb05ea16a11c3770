import { defaultLimits, type Limits } from "./limits";
import { compareLoad, overCount, type Burden, type Comparison } from "./load";
import { Names } from "./names";
import { nameOfUrn } from "../engine/state";
import { few, inText, ours, phrase, type Phrase, said } from "./phrase";
import { type Others, type Plan, type Planned, titleOf } from "./planned";
import { reachOf, selections, touchedBy } from "./reach";
import { replacementCost, whyForgotten } from "./removal";
import { type Load, type LoadThen, outcomeOf, type Review, type ReviewedResource, type Summary } from "./report";
import type { Holdings } from "./service";
import { settled } from "./settle";
import { type Analysed, type Insight, type Stop, subject } from "./stop";
import { stopsIn } from "./stops";
import { verdictOf, type Verdict } from "./verdict";
import type { Told } from "./told";
import type { World } from "./world";
import { worldsOf, type Worlds } from "./worlds";
import type { StackPreview } from "../engine/preview";

/** A review with what it takes to show it. */
export interface Analysis {
  review: Review;
  stops: Stop[];
  changes: Analysed[];
  names: Names;
  /** What may be wrong with the review itself. */
  warnings: Phrase[];
  worlds?: Worlds;
}

const nothing: Holdings = { agents: new Map(), records: [], missing: [], whole: false };

/** Works out what a change does. Without the service, whom it reaches is left out. */
export function analyse(preview: StackPreview, steps: Plan, told?: Told, limits: Limits = defaultLimits): Analysis {
  const { others, unknown } = steps;
  const planned = settled(steps.planned, told, preview.adopt === "identical" ? "identical" : undefined);
  const names = new Names(planned, told?.holdings ?? nothing);
  const worlds = told && worldsOf(planned, told.holdings, told.fallback);
  const judged = planned.map((one) => ({ planned: one, verdict: verdictOf(one) }));
  const changes = judged
    .filter((one) => one.planned.op !== "same")
    .map((one): Analysed => ({ ...one, resource: resourceOf(one.planned, one.verdict, planned, worlds, names) }));

  const complete = told !== undefined && told.holdings.whole && told.aids.every((aid) => told.holdings.agents.has(aid));
  const load = worlds && complete && told.aids.length > 0 ? compareLoad(worlds, told.aids) : undefined;
  const insight: Insight | undefined = worlds && { worlds, names, load, limits };
  const stops = stopsIn(changes, insight);
  return {
    review: {
      stack: preview.stack,
      summary: summaryOf(changes, others, stops.length, worlds),
      stops: stops.map(({ word: stop, urn, text }) => ({ word: stop, ...(urn !== undefined && { urn }), text: inText(text) })),
      resources: changes.map(({ resource }) => resource),
      ...(load && worlds && told && { load: loadOf(load, worlds, names, told.aids) }),
    },
    stops,
    changes,
    names,
    warnings: [
      ...judged.flatMap(disagreement),
      ...unknownKinds(unknown),
      ...(told?.holdings.missing ?? []).map((text) => phrase`${said(text)}`),
    ],
    worlds,
  };
}

function resourceOf(
  one: Planned,
  { changes, hidden }: Verdict,
  all: readonly Planned[],
  worlds: Worlds | undefined,
  names: Names,
): ReviewedResource {
  const { op, urn, kindName, name, old, now, position, asked, unfinished } = one;
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
    ...(old && { id: old.id }),
    ...(position && { position }),
    protect: (now ?? old)?.protect === true,
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
function creationOf(given: NonNullable<Planned["creation"]>): NonNullable<ReviewedResource["creation"]> {
  const { how } = given;
  if (how === "creates") return { how: given.looked ? "none" : "unseen" };
  if (how === "unclear") return { how };
  return { how: given.why, ids: [...given.ids], ...(given.why === "differs" && { properties: [...given.properties] }) };
}

/** Resources that get a new id, among those a property is made from. */
function recreated({ dependencies }: Planned, property: string, all: readonly Planned[]): string[] {
  const sources = new Set(dependencies[property]);
  const fresh = all.filter(({ op, urn }) => sources.has(urn) && (op === "create" || op === "replace"));
  return [...new Set(fresh.map(({ urn }) => urn))];
}

function summaryOf(changes: readonly Analysed[], others: Others, stops: number, worlds: Worlds | undefined): Summary {
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
function agentsReached(changes: readonly Analysed[], worlds: Worlds): Summary["agents"] {
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

function loadOf(comparison: Comparison, { before, after }: Worlds, names: Names, aids: string[]): Load {
  const then = (world: World, burden: Burden): LoadThen => ({
    agents: aids.reduce((sum, aid) => sum + world.able(aid).length, 0),
    rounds: Math.round(burden.rounds),
    roundsRun: Math.round(burden.roundsRun),
    over: overCount(world, burden, aids),
  });
  return {
    accountGroups: aids,
    before: then(before, comparison.before),
    after: then(after, comparison.after),
    over: comparison.over.map(({ agent, limit, before: now, after: next, worse }) => ({
      id: agent.id,
      name: names.agent(agent),
      accountGroupId: agent.aid,
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
      .toSorted((a, b) => b.agents - a.agents || (a.name < b.name ? -1 : 1)),
    notCounted: comparison.after.unclear.length,
    approximate: comparison.before.chosen || comparison.after.chosen,
  };
}

function disagreement({ planned, verdict }: { planned: Planned; verdict: Verdict }): Phrase[] {
  if (verdict.disagreement === undefined) return [];
  return [
    phrase`The engine says ${ours(planned.op)} of ${subject(planned)}, and this tool ${ours(verdict.disagreement)}. Please report this as a bug of pulumi-endpoint-monitoring, unless the preview was made with another version of it`,
  ];
}

/** Resources of ours of which nothing else can be said: a later version made them. */
function unknownKinds(urns: readonly string[]): Phrase[] {
  if (urns.length === 0) return [];
  const names = few(
    urns.map((urn) => phrase`${nameOfUrn(urn)}`),
    namedUnknown,
  );
  const change = urns.length === 1 ? "resource changes" : "resources change";
  return [
    phrase`${urns.length} ${ours(change)} of a kind that this version does not know, so nothing is told of it: ${names}. Update pulumi-endpoint-monitoring where this command runs`,
  ];
}

/** Resources of unknown kinds that a warning names. */
const namedUnknown = 5;
