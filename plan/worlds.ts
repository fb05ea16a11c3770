import { isUnknown, stringOf } from "../provider/values";
import { type Step } from "./model";
import type { Holdings } from "../provider/reach/holdings";
import type { Worlds } from "../provider/reach/load";
import { agentsAfter, byAge, WorldObjects } from "../provider/reach/objects";
import { World } from "../provider/reach/world";
import { changesOf, keyAfter, opaque, withKeys } from "./stand-ins";
import { stepsByUrn } from "./unknown";
import { changesService, desiredProperties } from "./step";

/** Returns the account groups that a change affects, including the default account group. */
export function concerned(planned: readonly Step[]): { named: string[]; byDefault: boolean } {
  const ids = changingAgents(planned).flatMap((changingAgent): unknown[] => {
    const { state, declared, kind } = changingAgent;
    if (kind.reach?.means !== "agents") {
      const sides = [state?.outputs, declared && desiredProperties(changingAgent)];
      return sides.flatMap((side) => (side ? [side["accountGroupId"]] : []));
    }
    const changes = changesOf(changingAgent).flatMap(({ from, accountGroupId }) => [from, accountGroupId]);
    return [state?.outputs["accountGroupId"], ...changes].filter((id) => id !== undefined);
  });
  const named = ids.flatMap((id) => (isUnknown(id) ? [] : (stringOf(id) ?? [])));
  return { named: [...new Set(named)].toSorted(), byDefault: ids.includes(undefined) };
}

export function worldsOf(planned: readonly Step[], holdings: Holdings, byDefault: string | undefined): Worlds {
  const objects = new WorldObjects(byDefault);
  for (const { kind, id, accountGroupId, state } of holdings.records.toSorted(byAge)) {
    objects.put(kind, id, { ...state, accountGroupId });
  }
  for (const { kind, state } of planned) {
    const { reach } = kind;
    // Instant tests come from the state, because the service does not list them. If a list cannot be read, its records also come from the
    // state.
    const listed = reach?.means !== "test" || reach.scheduled;
    if (state && !objects.has(state.id) && !(listed && holdings.isComplete)) {
      objects.put(kind, state.id, opaque(state.outputs));
    }
  }
  const before = new World(holdings.agents, new Map(objects.groups), new Map(objects.tests), holdings.isComplete);

  const byUrn = stepsByUrn(planned);
  for (const changingAgent of changingAgents(planned)) {
    if (changingAgent.state && !changingAgent.retained && (changingAgent.op === "replace" || changingAgent.op === "delete"))
      objects.delete(changingAgent.state.id);
    const key = changingAgent.op === "delete" ? undefined : keyAfter(changingAgent);
    if (key !== undefined)
      objects.put(changingAgent.kind, key, opaque(withKeys(changingAgent, desiredProperties(changingAgent), byUrn)));
  }
  const agents = agentsAfter(holdings.agents, changingAgents(planned).flatMap(changesOf));
  return { before, after: new World(agents, objects.groups, objects.tests, holdings.isComplete) };
}

export function changingAgents(planned: readonly Step[]): Step[] {
  return planned.filter((step) => changesService(step) && step.kind.reach !== undefined);
}
