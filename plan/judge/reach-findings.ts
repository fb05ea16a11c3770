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

/** Returns the findings for the agents that a changed resource reaches. */
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
  const cannot = phrase`which ${strong(`cannot be determined for ${count(number)}`)} more: ${ours(unclear.why)}`;
  const unclearFinding = findingOn(
    about,
    "unknown-reach",
    phrase` selects ${ours(counted(agents.length, "agent"))}, ${cannot}`,
  );
  // An adoption that changes nothing is no news.
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

/** Returns the findings for tests that stay as they are and select by a label or tag that does not. */
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
      const sentence = phrase` is ${verb}, while tests that stay as they are select by it: ${tests}`;
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
  /** Seconds between rounds of a scheduled test. */
  interval: { before?: number; after?: number };
  /** Nobody changes it, which a sentence mentions. */
  stays?: boolean;
  /** Selecting no agent is reported even if it selected none before. */
  isNews?: boolean;
}

function ofTest(reached: ReachedAgents, world: World, key: string, limits: Limits): Finding<CheckName>[] {
  return [...extremes(reached, world, key), ...moved(reached, limits.maxMoved), ...tooOften(reached, limits)];
}

/** `label "office", which stays as it is, selects no agent` */
function reachFinding({ about, stays }: ReachedAgents, on: CheckName, verb: string, rest: Phrase): Finding<CheckName> {
  return findingOn(about, on, phrase`${ours(stays ? ", which stays as it is, " : " ")}${strong(verb)}${rest}`);
}

/** No agent, or every agent. Selecting every agent as before is not reported, nor is a test that nobody changed and that selected none. */
function extremes(reached: ReachedAgents, world: World, key: string): Finding<CheckName>[] {
  const { before, after, isNews } = reached;
  const among = ours(" that is enabled");
  if (after.agents.length + after.unclear.agents.length === 0 && (isNews || (before?.agents.length ?? 0) > 0)) {
    return [reachFinding(reached, "selects-none", "selects no agent", world.selectsDisabled(key) ? among : [])];
  }
  if (!after.all || before?.all) return [];
  const most = after.count < after.agents.length ? phrase`, of which ${after.count} run it` : [];
  const seen = seenText(after.agents);
  const number = phrase`${after.agents.length} agents${ours(seen === undefined ? "" : `, ${seen}`)}${most}`;
  const rest = phrase`${world.hasDisabled(key) ? among : ours(" there is")} (${number})`;
  return [reachFinding(reached, "selects-all", "selects every agent", rest)];
}

/** Most of its agents no longer run it, however many others do. A test that selects nobody any more is reported as that. */
function moved(reached: ReachedAgents, maxMoved: number): Finding<CheckName>[] {
  const { before, after } = reached;
  if (!before || after.agents.length + after.unclear.agents.length === 0) return [];
  const arriving = certainlyWithout(after, before);
  const [lost, gained] = [certainlyWithout(before, after).length, arriving.length];
  if (lost * 100 <= maxMoved * before.agents.length) return [];
  // Which agents run a test that selects more than its maxMachines is the service's choice.
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

/** Agents of a license run it more often than they may. If they did before, that is not reported. */
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
      const allowed = `every ${interval.after ?? 0} s on agents of the license ${license} (${minIntervals[license]} s at least)`;
      return reachFinding(reached, "too-often", "runs too often", ours(`: ${allowed}`));
    });
}
