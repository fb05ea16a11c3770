import { createHash } from "node:crypto";
import { groupsOf } from "../../api/agent-selection";
import { stable } from "../../provider/values";
import type { ServiceAgent } from "../../provider/reach/holdings";
import { certainlyWithout, type SelectedAgents, type World } from "../../provider/reach/world";
import { keyAfter } from "../stand-ins";
import { compareText } from "../../common/text";
import { selections } from "../judge/reach";
import type { Approval, ApprovedReach } from "../approve/approval";
import { changesService } from "../step";
import type { Judgement } from "../judge/model";

/** Returns the agents that a change adds or removes, with the rules that select the agents. */
export function reachIn({ worlds, changes }: Judgement): Pick<Approval, "reach" | "sets"> {
  const sets = new Map<string, string[]>();
  const put = (agents: readonly ServiceAgent[] = []): string | undefined => {
    if (agents.length === 0) return undefined;
    const ids = agents.map(({ id }) => id).toSorted(compareText);
    const name = digestOf(ids);
    sets.set(name, ids);
    return name;
  };
  const entry = (of: string, rule: string, unknown?: string, first?: SelectedAgents, last?: SelectedAgents): ApprovedReach => {
    const parts = {
      gained: put(last && (first ? certainlyWithout(last, first) : last.agents)),
      lost: put(first && (last ? certainlyWithout(first, last) : first.agents)),
      unknown,
    };
    return { of, rule, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) };
  };
  const byTest = new Map<string, ApprovedReach>();
  if (worlds) {
    const declared = new Set(changes.map(({ urn }) => urn));
    for (const step of changes.filter(changesService)) {
      const [first, last] = selections(worlds, step);
      if (first || last) {
        const rule = ruleOf(worlds.after, keyAfter(step) ?? "");
        byTest.set(step.urn, entry(step.urn, rule, last?.why ?? first?.why, first?.value, last?.value));
      }
      for (const { id = "", urn = "" } of step.touches ?? []) {
        if (declared.has(urn)) continue;
        const of = urn === "" ? id : urn;
        const key = worlds.after.tests.has(urn) ? urn : id;
        const [before, after] = [worlds.before.reachedBy(id), worlds.after.reachedBy(key)];
        byTest.set(of, entry(of, ruleOf(worlds.after, key), after?.why ?? before?.why, before?.value, after?.value));
      }
    }
  }
  return {
    reach: [...byTest.values()].toSorted((a, b) => compareText(a.of, b.of)),
    sets: Object.fromEntries([...sets].toSorted(([a], [b]) => compareText(a, b))),
  };
}

function ruleOf(world: World, key: string): string {
  return digestOf(ruleIn(world, key) ?? "none");
}

function ruleIn(world: World, key: string): unknown {
  const [group, test] = [world.groups.get(key), world.tests.get(key)];
  if (group) return [group.accountGroupId, group.rule];
  if (!test) return undefined;
  const { interval: _, isPrioritized: __, endpointAgentLabels: ___, tagIds: ____, ...selection } = test.schedule.value ?? {};
  // A new label does not have an id yet, so the digest does not include the ids of labels.
  const groups = test.schedule.value ? groupsOf(test.schedule.value).map((id) => stable(ruleIn(world, id))) : [];
  return [test.accountGroupId, test.off, test.schedule.why, selection, groups.toSorted()];
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(stable(value)).digest("hex").slice(0, 16);
}
