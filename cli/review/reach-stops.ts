import { registry } from "../../provider/registry";
import { ours, phrase, type Phrase, strong } from "../report/phrase";
import { count, counted } from "../report/text";
import { isCertain, isOff, selections } from "./reach";
import { keyAfter } from "../operation/stand-ins";
import { inPart, type Insight, namesInOrder, type Stop, stopOn, type Subject, subjectOf } from "./stops";
import type { JudgedStep } from "./judgement";
import type { Limits } from "./stop-words";
import { certainlyWithout, seenText, type SelectedAgents, type World } from "../../provider/reach/world";

/** Returns the stops for the agents that a changed resource reaches. */
export function ofReach(planned: JudgedStep, { worlds, limits }: Insight): Stop[] {
  const key = keyAfter(planned);
  if (planned.reach === undefined || key === undefined || planned.op === "delete" || isOff(worlds.after, key)) return [];
  const [before, after] = selections(worlds, planned);
  const about = subjectOf(planned);
  if (after?.value === undefined) {
    if (after === undefined || worlds.after.agents.size === 0) return [];
    const unknown = phrase`agents that are ${strong("not known")}: ${ours(after.why)}`;
    return [stopOn(about, "unknown-reach", phrase` selects ${unknown}`, phrase` select ${unknown}`)];
  }
  const sides = { before: before?.value, after: after.value };
  const unclear = unclearStops(about, after.value);
  // An adoption that changes nothing is no news.
  const evenIfSo = planned.op !== "adopt" || planned.changes.length > 0;
  const found = extremes(about, sides, [worlds.after, key], evenIfSo, "");
  if (planned.kind.reach?.means !== "test") return [...unclear, ...found];
  const intervals = [intervalOf(worlds.before, planned.state?.id), intervalOf(worlds.after, key)] as const;
  return [...unclear, ...found, ...moved(about, sides, limits.maxMoved, ""), ...tooOften(about, sides, intervals, limits, "")];
}

/** Agents for which it cannot be determined whether something selects them. */
function unclearStops(about: Subject, { agents, unclear }: SelectedAgents): Stop[] {
  const number = unclear.agents.length;
  if (number === 0) return [];
  const certain = ours(counted(agents.length, "agent"));
  const cannot = strong(`cannot be determined for ${count(number)}`);
  const one = phrase` selects ${certain}, which ${cannot} more: ${ours(unclear.why)}`;
  const many = phrase` select agents of which some ${strong("cannot be determined")}: ${ours(unclear.why)}`;
  return [inPart(stopOn(about, "unknown-reach", one, many))];
}

/** Tests that stay as they are and select by a label or tag that does not. */
export function ofTouched(changes: readonly JudgedStep[], { worlds: { before, after }, limits }: Insight): Stop[] {
  const changed = new Set(changes.flatMap(({ state, urn }) => [state?.id, urn]));
  const stops: Stop[] = [];
  const reported = new Set<string>();
  for (const planned of changes) {
    const staying = (planned.touches ?? []).filter(({ id }) => id !== undefined && !changed.has(id));
    const goes = planned.op === "delete" || planned.op === "replace";
    const orphaned = planned.state && goes ? after.testsOf(planned.state.id) : [];
    const orphans = staying.filter(({ id = "" }) => orphaned.includes(id));
    if (orphans.length > 0 && !planned.retained) {
      const tests = namesInOrder(orphans.map(({ name }) => name));
      const verb = planned.op === "delete" ? "deleted" : "replaced";
      const one = phrase` is ${strong(verb)}, while tests that stay as they are select by it: ${tests}`;
      const many = phrase` are ${strong(verb)}, while tests that stay as they are select by them`;
      stops.push(inPart(stopOn(subjectOf(planned), "label-in-use", one, many)));
    }
    for (const { id = "", name, kind, urn } of staying) {
      const [now, then] = [before.reachedBy(id)?.value, after.reachedBy(id)?.value];
      if (reported.has(id) || !now || !then || isOff(after, id)) continue;
      const sides = { before: now, after: then };
      const about = { noun: registry[kind].noun, name, urn };
      const found = [
        ...extremes(about, sides, [after, id], false, "as it is"),
        ...moved(about, sides, limits.maxMoved, "as it is"),
        ...tooOften(about, sides, [intervalOf(before, id), intervalOf(after, id)], limits, "as it is"),
      ];
      if (found.length > 0) reported.add(id);
      stops.push(...found);
    }
  }
  return stops;
}

interface Sides {
  before?: SelectedAgents;
  after: SelectedAgents;
}

/** Whether it is a test that nobody changes, which is worth saying. */
type Stays = "as it is" | "";

/** `, which stays as it is, selects no agent`, of one and of several. */
function saying(stays: Stays, verb: [one: string, many: string], rest: Phrase, restOfMany = rest): [one: Phrase, many: Phrase] {
  const [one, many] = stays === "" ? [" ", " "] : [", which stays as it is, ", ", which stay as they are, "];
  return [phrase`${ours(one)}${strong(verb[0])}${rest}`, phrase`${ours(many)}${strong(verb[1])}${restOfMany}`];
}

/** Nobody, or everybody. What selected everybody before is no news, and neither is a test nobody touched that selected nobody. */
function extremes(
  about: Subject,
  { before, after }: Sides,
  [world, key]: readonly [World, string],
  evenIfSo: boolean,
  stays: Stays,
): Stop[] {
  const among = ours(" that is enabled");
  if (after.agents.length + after.unclear.agents.length === 0 && (evenIfSo || (before?.agents.length ?? 0) > 0)) {
    const rest = world.selectsDisabled(key) ? among : [];
    return [stopOn(about, "selects-none", ...saying(stays, ["selects no agent", "select no agent"], rest))];
  }
  if (!after.all || before?.all) return [];
  const most = after.count < after.agents.length ? phrase`, of which ${after.count} run it` : [];
  const seen = ours(listed(seenText(after.agents)));
  const rest = phrase`${world.hasDisabled(key) ? among : ours(" there is")} (${after.agents.length} agents${seen}${most})`;
  return [stopOn(about, "selects-all", ...saying(stays, ["selects every agent", "select every agent"], rest))];
}

/** Most of its agents no longer run it, however many others do. One that nobody runs any more is reported as that. */
function moved(about: Subject, { before, after }: Sides, maxMoved: number, stays: Stays): Stop[] {
  if (!before || after.agents.length + after.unclear.agents.length === 0) return [];
  const arriving = certainlyWithout(after, before);
  const [lost, gained] = [certainlyWithout(before, after).length, arriving.length];
  if (lost * 100 <= maxMoved * before.agents.length) return [];
  // Which agents run a test that selects more than its maxMachines is the service's choice.
  const [had, has] = [before, after].map((side) =>
    isCertain(side) ? undefined : `${count(side.count)} of ${count(side.agents.length)}`,
  );
  const others = `${gained === 1 ? "1 other" : `${count(gained)} others`}${bracketed(seenText(arriving))}`;
  const less = `${count(lost)} of its ${count(before.agents.length)} ${had === undefined ? "no longer run it" : `may no longer run it (${had} do now)`}`;
  const more = has === undefined ? `${others} ${gained === 1 ? "does" : "do"}` : `${others} may (${has} do afterwards)`;
  const rest = phrase`: more than ${maxMoved} % of those that each selects now are not selected afterwards`;
  const verb: [string, string] = ["moves to other agents", "move to other agents"];
  return [inPart(stopOn(about, "reach-moved", ...saying(stays, verb, ours(`: ${less}, ${more}`), rest)))];
}

const listed = (text: string | undefined): string => (text === undefined ? "" : `, ${text}`);
const bracketed = (text: string | undefined): string => (text === undefined ? "" : ` (${text})`);

/** Seconds between rounds of a scheduled test. */
function intervalOf({ tests }: World, key: string | undefined): number | undefined {
  const test = tests.get(key ?? "");
  return test?.scheduled ? test.schedule.value?.interval : undefined;
}

/** Agents of a license run it more often than they may. What they did before is no news. */
function tooOften(
  about: Subject,
  sides: Partial<Sides>,
  intervals: readonly [before: number | undefined, after: number | undefined],
  { minIntervals = {} }: Limits,
  stays: Stays,
): Stop[] {
  const [before, after] = [sides.before, sides.after].map((side, at) => {
    const interval = intervals[at] ?? Infinity;
    const licenses = new Set((side?.agents ?? []).map(({ licenseType = "" }) => licenseType));
    return [...licenses].filter((license) => interval < (minIntervals[license] ?? 0)).toSorted();
  });
  return (after ?? []).flatMap((license) => {
    if (before?.includes(license)) return [];
    const allowed = ours(`${minIntervals[license]} s at least`);
    const one = phrase`: every ${intervals[1] ?? 0} s on agents of the license ${ours(license)} (${allowed})`;
    const many = phrase` on agents of the license ${ours(license)} (${allowed})`;
    return [inPart(stopOn(about, "too-often", ...saying(stays, ["runs too often", "run too often"], one, many)))];
  });
}
