import { compareText } from "../../common/text";
import type { ServiceAgent } from "../../provider/reach/holdings";
import { type AgentLoad, type LoadComparison, overCount, type Worlds } from "../../provider/reach/load";
import type { Knowledge, SelectedAgents, World } from "../../provider/reach/world";
import type { OtherChanges } from "../model";
import type { ServiceView } from "../service";
import { changesService } from "../step";
import type { JudgedStep } from "./model";
import type { Names } from "./names";
import { isCertain, selections } from "./reach";
import type { Costs, LoadState, NamedCount, OpenReach, ResourceOutcome, ReviewSummary, TestLoad } from "./review";

export function summaryOf(
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

export function loadOf(comparison: LoadComparison, { before, after }: Worlds, names: Names, service: ServiceView): TestLoad {
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

export function costsOf(changes: readonly JudgedStep[], load: TestLoad | undefined): Costs {
  const ending = changes.filter(
    ({ op, outcome, kind, retained }) =>
      kind.reach?.means === "test" && !retained && (outcome === "delete" || op === "replace") && kind.origin === "made",
  );
  const references = changes.flatMap(({ references: lost = [] }) => lost.map(({ by, name }) => `${by} ${name}`));
  return {
    histories: named(ending.map(({ name }) => name)),
    replacements: named(changes.filter(({ op }) => op === "replace").map(({ name }) => name)),
    references: named([...new Set(references)]),
    ...(load && {
      overLicense: named(load.over.filter(({ worse }) => worse).map(({ name }) => name)),
      rounds: { before: load.before.rounds, after: load.after.rounds },
    }),
  };
}

function named(names: readonly string[]): NamedCount {
  return { count: names.length, names: names.toSorted(compareText) };
}
