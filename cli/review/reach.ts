import { compareText } from "../report/text";
import type { Names } from "./names";
import type { PlannedStep } from "./planned";
import type { Reach, Reached, TouchedTest } from "./report";
import type { Agent } from "./service";
import { keyAfter, keyBefore } from "./stand-ins";
import type { SelectedAgents, World } from "./world";
import type { Worlds } from "./worlds";

/** The enabled agents that a label or test reaches now and afterwards; nothing for a kind that selects nobody. */
export function reachOf(worlds: Worlds, names: Names, planned: PlannedStep): Reach | undefined {
  const { kind } = planned;
  if (kind.reach === undefined || kind.reach.means === "agents" || hasRun(planned)) return undefined;
  const [before, after] = selections(worlds, planned);
  const unknown = after?.why ?? before?.why;
  return {
    ...(before?.value && { before: reached(names, before.value) }),
    ...(after?.value && { after: reached(names, after.value) }),
    // Of a create or delete, all of them are.
    ...(before?.value && after?.value && difference(names, before.value, after.value)),
    ...(isOff(worlds.after, keyAfter(planned)) && { off: true }),
    ...(unknown !== undefined && { unknown }),
  };
}

/** What a label or test reaches now and afterwards; nothing where there is none. */
export function selections({ before, after }: Worlds, planned: PlannedStep) {
  const [now, then] = hasRun(planned) ? [] : [keyBefore(planned), keyAfter(planned)];
  return [now === undefined ? undefined : before.reachedBy(now), then === undefined ? undefined : after.reachedBy(then)];
}

/** Whether it is of a test that has run its one time and is only forgotten now. */
function hasRun({ op, kind: { reach } }: PlannedStep): boolean {
  return op === "delete" && reach?.means === "test" && !reach.scheduled;
}

/** The tests that select by a label, now or afterwards, by name; nothing for another kind. */
export function touchedBy({ before, after }: Worlds, names: Names, planned: PlannedStep): TouchedTest[] | undefined {
  if (planned.kind.reach?.means !== "label") return undefined;
  const [now, then] = [keyBefore(planned), keyAfter(planned)];
  const keys = new Set([
    ...(now === undefined ? [] : [...before.testsOf(now), ...after.testsOf(now)]),
    ...(then === undefined ? [] : after.testsOf(then)),
  ]);
  const touched = [...keys].flatMap((key) => names.of(key) ?? []);
  // A test that is replaced has two keys and one URN.
  const once = touched.filter((one, at) => touched.findIndex((other) => sameTest(one, other)) === at);
  return once
    .map((known): TouchedTest => {
      const { id = "", urn = "" } = known;
      const first = before.reachedBy(id)?.value;
      const last = (after.reachedBy(urn) ?? after.reachedBy(id))?.value;
      return {
        ...known,
        ...(first && { before: first.count }),
        ...(last && { after: last.count }),
        ...(first && last && difference(names, first, last)),
      };
    })
    .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.id ?? "", b.id ?? ""));
}

/** Whether a test is disabled: then it does not matter whom it selects. */
export function isOff(world: World, key: string | undefined): boolean {
  return key !== undefined && world.tests.get(key)?.off === true;
}

interface Identity {
  id?: string;
  urn?: string;
}

function sameTest(a: Identity, b: Identity): boolean {
  return a.urn === undefined ? a.id === b.id : a.urn === b.urn;
}

function reached(names: Names, { agents, count }: SelectedAgents): Reached {
  const listed = names.list(agents);
  return count < agents.length ? { ...listed, count, of: agents.length } : listed;
}

function difference(names: Names, before: SelectedAgents, after: SelectedAgents): Pick<Reach, "gained" | "lost"> {
  const gained = names.list(without(after.agents, before.agents));
  const lost = names.list(without(before.agents, after.agents));
  return { ...(gained.count > 0 && { gained }), ...(lost.count > 0 && { lost }) };
}

export function without(all: readonly Agent[], some: readonly Agent[]): Agent[] {
  const ids = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}
