import { createHash } from "node:crypto";
import { compareText } from "../report/text";
import { changesService } from "../operation/operation";
import type { Judgement } from "../review/judgement";
import { certainlyWithout, selections, touchedBy } from "../review/reach";
import type { SelectedAgents } from "../../provider/reach/world";
import type { Agent } from "../../provider/reach/holdings";
import type { Approval, ApprovedReach } from "./approval";

/** Whom a change reaches, agent by agent. Sets that are equal stand once. */
export function reachIn({ worlds, changes, names }: Judgement): Pick<Approval, "reach" | "sets"> {
  const sets = new Map<string, string[]>();
  const put = (agents: readonly Agent[] = []): string | undefined => {
    if (agents.length === 0) return undefined;
    const ids = agents.map(({ id }) => id).toSorted(compareText);
    const name = createHash("sha256").update(ids.join(" ")).digest("hex").slice(0, 16);
    sets.set(name, ids);
    return name;
  };
  const entry = (
    of: string,
    first?: SelectedAgents,
    last?: SelectedAgents,
    isWhole = false,
    unknown?: string,
  ): ApprovedReach => {
    const lost = first && (last ? certainlyWithout(first, last) : first.agents);
    const gained = last && (first ? certainlyWithout(last, first) : last.agents);
    const named = {
      // Of what changes itself, those it gains are among those it reaches.
      ...(isWhole ? { after: put(last?.agents) } : { gained: put(gained) }),
      lost: put(lost),
      unclear: put(last?.unclear.agents),
      unknown,
    };
    return { of, ...Object.fromEntries(Object.entries(named).filter(([, set]) => set !== undefined)) };
  };
  const found = new Map<string, ApprovedReach>();
  if (worlds) {
    const declared = new Set(changes.map(({ urn }) => urn));
    for (const planned of changes.filter(changesService)) {
      const [first, last] = selections(worlds, planned);
      const unknown = last?.why ?? first?.why;
      if (first || last) found.set(planned.urn, entry(planned.urn, first?.value, last?.value, true, unknown));
      for (const { id = "", urn = "" } of touchedBy(worlds, names, planned) ?? []) {
        if (declared.has(urn)) continue;
        const of = urn === "" ? id : urn;
        const [before, after] = [worlds.before.reachedBy(id), worlds.after.reachedBy(urn) ?? worlds.after.reachedBy(id)];
        found.set(of, entry(of, before?.value, after?.value, false, after?.why ?? before?.why));
      }
    }
  }
  const told = [...found.values()].filter((one) => Object.keys(one).length > 1);
  return {
    reach: told.toSorted((a, b) => compareText(a.of, b.of)),
    sets: Object.fromEntries([...sets].toSorted(([a], [b]) => compareText(a, b))),
  };
}
