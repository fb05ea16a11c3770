import { compareText } from "../../common/text";
import type { Names } from "./names";
import type { Step } from "../model";
import type { Reach, ReviewedReach, TouchedTest } from "./review";
import { keyAfter } from "../stand-ins";
import { certainlyWithout, type Knowledge, type SelectedAgents, type World } from "../../provider/reach/world";
import type { Worlds } from "../../provider/reach/load";

export function reachOf(worlds: Worlds, names: Names, planned: Step): Reach | undefined {
  const { kind } = planned;
  if (kind.reach === undefined || kind.reach.means === "agents" || hasRun(planned)) return undefined;
  const [before, after] = selections(worlds, planned);
  return { ...reachBetween(names, before, after), ...(isOff(worlds.after, keyAfter(planned)) && { off: true }) };
}

type JudgedSelection = Knowledge<SelectedAgents> | undefined;

function reachBetween(names: Names, before: JudgedSelection, after: JudgedSelection): Reach {
  const unknown = after?.why ?? before?.why;
  return {
    ...(before?.value && { before: reached(names, before.value) }),
    ...(after?.value && { after: reached(names, after.value) }),
    // For created and deleted resources, the result contains no difference, because these resources gain or lose all of their agents.
    ...(before?.value && after?.value && difference(names, before.value, after.value)),
    ...(unknown !== undefined && { unknown }),
  };
}

export function selections({ before, after }: Worlds, planned: Step) {
  const [now, then] = hasRun(planned) ? [] : [planned.state?.id, keyAfter(planned)];
  return [now === undefined ? undefined : before.reachedBy(now), then === undefined ? undefined : after.reachedBy(then)];
}

/** Whether a step only removes an instant test from the state. An instant test runs only once, so its deletion affects no agent. */
function hasRun({ op, kind: { reach } }: Step): boolean {
  return op === "delete" && reach?.means === "test" && !reach.scheduled;
}

export function touchedBy({ before, after }: Worlds, names: Names, planned: Step): TouchedTest[] | undefined {
  if (planned.kind.reach?.means !== "group") return undefined;
  const [had, has] = [planned.state?.id, keyAfter(planned)];
  const keys = new Set([
    ...(had === undefined ? [] : [...before.testsOf(had), ...after.testsOf(had)]),
    ...(has === undefined ? [] : after.testsOf(has)),
  ]);
  const touched = [...keys].flatMap((key) => names.of(key) ?? []);
  // A replaced test has two keys (its id and its URN), but only one URN.
  const once = new Map(touched.map((knownRecord) => [knownRecord.urn ?? knownRecord.id, knownRecord]));
  return [...once.values()]
    .map((known): TouchedTest => {
      const { id = "", urn = "" } = known;
      return { ...known, ...reachBetween(names, before.reachedBy(id), after.reachedBy(urn) ?? after.reachedBy(id)) };
    })
    .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id ?? "", b.id ?? ""));
}

export function isOff(world: World, key: string | undefined): boolean {
  return key !== undefined && world.tests.get(key)?.off === true;
}

function reached(names: Names, { agents, unclear, count }: SelectedAgents): ReviewedReach {
  const listed = names.list(agents);
  return {
    ...listed,
    ...(count < agents.length && { count, of: agents.length }),
    ...(unclear.agents.length > 0 && { unclear: unclear.agents.length, why: unclear.why }),
  };
}

/**
 * Whether all selected agents run the test. If a test selects more agents than its `maxMachines`, the service chooses which agents run the
 * test.
 */
export function isCertain({ agents, count }: SelectedAgents): boolean {
  return count === agents.length;
}

/** The difference excludes agents with an uncertain selection. */
function difference(names: Names, before: SelectedAgents, after: SelectedAgents): Pick<Reach, "gained" | "lost"> {
  const gained = names.list(certainlyWithout(after, before));
  const lost = names.list(certainlyWithout(before, after));
  return { ...(gained.count > 0 && { gained }), ...(lost.count > 0 && { lost }) };
}
