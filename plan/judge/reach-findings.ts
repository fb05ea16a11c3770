import { registry } from "../../provider/registry";
import { ours, phrase, type Phrase, strong } from "../../common/phrase";
import { count, counted } from "../../common/text";
import { isOff, selections } from "./reach";
import { keyAfter } from "../stand-ins";
import { named, namesInOrder, findingOn, subjectOf } from "./findings";
import type { CheckName } from "./checks";
import { seenText, type SelectedAgents, type World } from "../../provider/reach/world";
import type { Finding, Subject } from "../../common/finding";
import type { Insight, JudgedStep } from "./model";

export function ofReach(planned: JudgedStep, { worlds }: Insight): Finding<CheckName>[] {
  const key = keyAfter(planned);
  if (planned.reach === undefined || key === undefined || planned.op === "delete" || isOff(worlds.after, key)) return [];
  const [before, after] = selections(worlds, planned);
  const about = subjectOf(planned);
  if (after?.value === undefined) {
    if (after === undefined || worlds.after.agents.size === 0) return [];
    return [
      findingOn(
        about,
        "unknown-reach",
        phrase`${named(about)} selects an ${strong("unknown")} set of agents: ${ours(after.why)}`,
      ),
    ];
  }
  const { agents, unclear } = after.value;
  const number = unclear.agents.length;
  const unclearFinding = findingOn(
    about,
    "unknown-reach",
    phrase`${named(about)} selects ${ours(counted(agents.length, "agent"))}, and ${strong(`may select ${count(number)} more`)}: ${ours(unclear.why)}`,
  );
  // An adoption that changes no property does not change the selected agents.
  const isNews = planned.op !== "adopt" || planned.changes.length > 0;
  const reached: ReachedAgents = {
    about,
    before: before?.value,
    after: after.value,
    isNews,
  };
  return [...(number > 0 ? [unclearFinding] : []), ...extremes(reached, worlds.after, key)];
}

/** Returns the findings about unchanged tests that select agents by a changed label or tag. */
export function ofTouched(changes: readonly JudgedStep[], { worlds: { before, after } }: Insight): Finding<CheckName>[] {
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
      const sentence = phrase`${named(subjectOf(planned))} is ${verb}, but unchanged tests still use it to select agents: ${tests}`;
      findings.push(findingOn(subjectOf(planned), "label-in-use", sentence));
    }
    for (const { id = "", name, kind, urn } of staying) {
      const [now, then] = [before.reachedBy(id)?.value, after.reachedBy(id)?.value];
      if (reported.has(id) || !now || !then || isOff(after, id)) continue;
      const about = { noun: registry[kind].noun, name, urn };
      const findingsOfTest = extremes({ about, before: now, after: then, stays: true }, after, id);
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
  stays?: boolean;
  /** Whether the finding also applies to a resource that has no agents, neither before nor after the update. */
  isNews?: boolean;
}

/** Returns a finding such as `label "office", which is unchanged, selects no agent`. */
function reachFinding({ about, stays }: ReachedAgents, on: CheckName, verb: string, rest: Phrase): Finding<CheckName> {
  return findingOn(about, on, phrase`${named(about)}${ours(stays ? ", which is unchanged, " : " ")}${strong(verb)}${rest}`);
}

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
