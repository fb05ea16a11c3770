import type { Names } from "./names";
import { order } from "../words";
import type { Planned } from "./planned";
import type { Reach, Reached, Touched } from "./report";
import type { Agent } from "./service";
import type { Selected, World } from "./world";
import { keyAfter, keyBefore, type Worlds } from "./worlds";

/** Whom a label or test selects now and afterwards; nothing for a kind that selects nobody. */
export function reachOf(worlds: Worlds, names: Names, planned: Planned): Reach | undefined {
  const { kind, op } = planned;
  if (kind.reach === undefined || kind.reach.means === "agents") return undefined;
  const [before, after] = selections(worlds, planned);
  const unknown = after?.why ?? before?.why;
  return {
    ...(before?.value && { before: reached(names, before.value) }),
    ...(after?.value && { after: reached(names, after.value) }),
    // Of a create or delete, all of them are.
    ...(op !== "create" && op !== "delete" && before?.value && after?.value && difference(names, before.value, after.value)),
    ...(isOff(worlds.after, keyAfter(planned)) && { off: true }),
    ...(unknown !== undefined && { unknown }),
  };
}

/** What a label or test selects now and afterwards; nothing where there is none. */
export function selections({ before, after }: Worlds, planned: Planned) {
  const [now, then] = [keyBefore(planned), keyAfter(planned)];
  return [now === undefined ? undefined : before.selectedBy(now), then === undefined ? undefined : after.selectedBy(then)];
}

/** The tests that select by a label, now or afterwards, by name; nothing for another kind. */
export function touchedBy({ before, after }: Worlds, names: Names, planned: Planned): Touched[] | undefined {
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
    .map((known): Touched => {
      const { id = "", urn = "" } = known;
      const first = before.selectedBy(id)?.value?.count;
      const last = (after.selectedBy(urn) ?? after.selectedBy(id))?.value?.count;
      return { ...known, ...(first !== undefined && { before: first }), ...(last !== undefined && { after: last }) };
    })
    .toSorted((a, b) => order(a.name, b.name) || order(a.id ?? "", b.id ?? ""));
}

/** Whether a test is disabled: then it does not matter whom it selects. */
export function isOff(world: World, key: string | undefined): boolean {
  return key !== undefined && world.tests.get(key)?.schedule.value?.isEnabled === false;
}

interface Identity {
  id?: string;
  urn?: string;
}

function sameTest(a: Identity, b: Identity): boolean {
  return a.urn === undefined ? a.id === b.id : a.urn === b.urn;
}

function reached(names: Names, { agents, count }: Selected): Reached {
  const listed = names.list(agents);
  return count < agents.length ? { ...listed, count, of: agents.length } : listed;
}

function difference(names: Names, before: Selected, after: Selected): Pick<Reach, "gained" | "lost"> {
  const without = (all: readonly Agent[], some: readonly Agent[]): Agent[] => {
    const ids = new Set(some.map(({ id }) => id));
    return all.filter(({ id }) => !ids.has(id));
  };
  const gained = names.list(without(after.agents, before.agents));
  const lost = names.list(without(before.agents, after.agents));
  return { ...(gained.count > 0 && { gained }), ...(lost.count > 0 && { lost }) };
}
