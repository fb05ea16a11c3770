import { registry } from "../../provider/registry";
import { ours, phrase, type Phrase, strong } from "../../common/phrase";
import { count, counted } from "../../common/text";
import { isCertain, isOff, selections } from "./reach";
import { keyAfter } from "../stand-ins";
import { namesInOrder, findingOn, subjectOf } from "./findings";
import type { Limits, CheckName } from "./checks";
import { certainlyWithout, seenText, type SelectedAgents, type World } from "../../provider/reach/world";
import type { Finding, Subject } from "../../common/finding";
import type { Insight, JudgedStep } from "./model";

/** Returns the findings about the agents that a changed resource selects. */
export function ofReach(planned: JudgedStep, { worlds, limits }: Insight): Finding<CheckName>[] {
  const key = keyAfter(planned);
  if (planned.reach === undefined || key === undefined || planned.op === "delete" || isOff(worlds.after, key)) return [];
  const [before, after] = selections(worlds, planned);
  const about = subjectOf(planned);
  if (after?.value === undefined) {
    if (after === undefined || worlds.after.agents.size === 0) return [];
    return [findingOn(about, "unknown-reach", phrase` selects agents that are ${strong("not known")}: ${ours(after.why)}`)];
  }
  const { agents, unclear } = after.value;
  const number = unclear.agents.length;
  const cannot = phrase`and ${strong(`cannot be determined for ${count(number)}`)} more: ${ours(unclear.why)}`;
  const unclearFinding = findingOn(
    about,
    "unknown-reach",
    phrase` selects ${ours(counted(agents.length, "agent"))}, ${cannot}`,
  );
  // An adoption that changes nothing does not change its agents.
  const isNews = planned.op !== "adopt" || planned.changes.length > 0;
  const reached: ReachedAgents = {
    about,
    before: before?.value,
    after: after.value,
    interval: { before: intervalOf(worlds.before, planned.state?.id), after: intervalOf(worlds.after, key) },
    isNews,
  };
  const isTest = planned.kind.reach?.means === "test";
  return [
    ...(number > 0 ? [unclearFinding] : []),
    ...(isTest ? ofTest(reached, worlds.after, key, limits) : extremes(reached, worlds.after, key)),
  ];
}

/** Returns the findings about unchanged tests that select by a changed label or tag. */
export function ofTouched(
  changes: readonly JudgedStep[],
  { worlds: { before, after }, limits }: Insight,
): Finding<CheckName>[] {
  const changed = new Set(changes.flatMap(({ state, urn }) => [state?.id, urn]));
  const findings: Finding<CheckName>[] = [];
  const reported = new Set<string>();
  for (const planned of changes) {
    const staying = (planned.touches ?? []).filter(({ id }) => id !== undefined && !changed.has(id));
    const goes = planned.op === "delete" || planned.op === "replace";
    const orphaned = planned.state && goes ? after.testsOf(planned.state.id) : [];
    const orphans = staying.filter(({ id = "" }) => orphaned.includes(id));
    if (orphans.length > 0 && !planned.retained) {
      const tests = namesInOrder(orphans.map(({ name }) => name));
      const verb = strong(planned.op === "delete" ? "deleted" : "replaced");
      const sentence = phrase` is ${verb}, but unchanged tests still select agents by it: ${tests}`;
      findings.push(findingOn(subjectOf(planned), "label-in-use", sentence));
    }
    for (const { id = "", name, kind, urn } of staying) {
      const [now, then] = [before.reachedBy(id)?.value, after.reachedBy(id)?.value];
      if (reported.has(id) || !now || !then || isOff(after, id)) continue;
      const about = { noun: registry[kind].noun, name, urn };
      const interval = { before: intervalOf(before, id), after: intervalOf(after, id) };
      const findingsOfTest = ofTest({ about, before: now, after: then, interval, stays: true }, after, id, limits);
      if (findingsOfTest.length > 0) reported.add(id);
      for (const finding of findingsOfTest) findings.push(finding);
    }
  }
  return findings;
}

interface ReachedAgents {
  about: Subject;
  before?: SelectedAgents;
  after: SelectedAgents;
  /** Time between rounds of a scheduled test, in seconds. */
  interval: { before?: number; after?: number };
  /** True if the update does not change the resource itself. A finding then mentions that. */
  stays?: boolean;
  /** True if a finding reports that the resource selects no agent, even if it selected none before. */
  isNews?: boolean;
}

function ofTest(reached: ReachedAgents, world: World, key: string, limits: Limits): Finding<CheckName>[] {
  return [...extremes(reached, world, key), ...moved(reached, limits.maxMoved), ...tooOften(reached, limits)];
}

/** Returns a finding such as `label "office", which is unchanged, selects no agent`. */
function reachFinding({ about, stays }: ReachedAgents, on: CheckName, verb: string, rest: Phrase): Finding<CheckName> {
  return findingOn(about, on, phrase`${ours(stays ? ", which is unchanged, " : " ")}${strong(verb)}${rest}`);
}

/** Returns a finding if no agent or every agent is selected afterwards, and the change or the resource is new. */
function extremes(reached: ReachedAgents, world: World, key: string): Finding<CheckName>[] {
  const { before, after, isNews } = reached;
  const among = ours(" that is enabled");
  if (after.agents.length + after.unclear.agents.length === 0 && (isNews || (before?.agents.length ?? 0) > 0)) {
    return [reachFinding(reached, "selects-none", "selects no agent", world.selectsDisabled(key) ? among : [])];
  }
  if (!after.all || before?.all) return [];
  const most = after.count < after.agents.length ? phrase`, ${after.count} of them run it` : [];
  const seen = seenText(after.agents);
  const number = phrase`${after.agents.length} agents${ours(seen === undefined ? "" : `, ${seen}`)}${most}`;
  const rest = phrase`${world.hasDisabled(key) ? among : []} (${number})`;
  return [reachFinding(reached, "selects-all", "selects every agent", rest)];
}

/** Returns a finding if a test loses most of its agents, even if it gains others. A test that selects no agent has another finding. */
function moved(reached: ReachedAgents, maxMoved: number): Finding<CheckName>[] {
  const { before, after } = reached;
  if (!before || after.agents.length + after.unclear.agents.length === 0) return [];
  const arriving = certainlyWithout(after, before);
  const [lost, gained] = [certainlyWithout(before, after).length, arriving.length];
  if (lost * 100 <= maxMoved * before.agents.length) return [];
  // The service chooses which agents run a test that selects more than its `maxMachines`.
  const [had, has] = [before, after].map((side) =>
    isCertain(side) ? undefined : `${count(side.count)} of ${count(side.agents.length)}`,
  );
  const seen = seenText(arriving);
  const others = `${gained === 1 ? "1 other" : `${count(gained)} others`}${seen === undefined ? "" : ` (${seen})`}`;
  const less = `${count(lost)} of its ${count(before.agents.length)} ${had === undefined ? "no longer run it" : `may no longer run it (${had} do now)`}`;
  const more = has === undefined ? `${others} ${gained === 1 ? "does" : "do"}` : `${others} may (${has} do afterwards)`;
  return [reachFinding(reached, "reach-moved", "moves to other agents", ours(`: ${less}, ${more}`))];
}

function intervalOf({ tests }: World, key: string | undefined): number | undefined {
  const test = tests.get(key ?? "");
  return test?.scheduled ? test.schedule.value?.interval : undefined;
}

/** Returns a finding if agents run a test more often than a limit of their license allows, unless they did before. */
function tooOften(reached: ReachedAgents, { minIntervals = {} }: Limits): Finding<CheckName>[] {
  const { before, after, interval } = reached;
  const licensesOf = (side: SelectedAgents | undefined, seconds = Infinity): string[] => {
    const licenses = new Set((side?.agents ?? []).map(({ licenseType = "" }) => licenseType));
    return [...licenses].filter((license) => seconds < (minIntervals[license] ?? 0)).toSorted();
  };
  const known = licensesOf(before, interval.before);
  return licensesOf(after, interval.after)
    .filter((license) => !known.includes(license))
    .map((license) => {
      const allowed = `every ${interval.after ?? 0} s on agents of the license ${license} (minimum: ${minIntervals[license]} s)`;
      return reachFinding(reached, "too-often", "runs too often", ours(`: ${allowed}`));
    });
}
