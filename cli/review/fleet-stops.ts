import { counted, order } from "../words";
import type { Comparison } from "./load";
import type { Names } from "./names";
import { few, ours, phrase, type Phrase, strong } from "./phrase";
import type { Agent } from "./service";
import type { Insight, Stop } from "./stop";

/** Agents that a sentence names. */
const named = 5;

/** Agents that get more tests than their licence runs. */
export function ofLoad({ over }: Comparison, names: Names): Stop[] {
  const worse = over.filter((one) => one.worse);
  if (worse.length === 0) return [];
  const agents = worse.map(({ agent, after, limit }) => phrase`${names.agent(agent)} (${after} of ${limit})`);
  const text = phrase`${ours(counted(worse.length, "agent"))} would have ${strong("more tests than the licence runs")}: ${few(agents, named)}`;
  return [{ word: "over-licence", text }];
}

/** Agents that are switched off, or leave. */
export function ofAgents({ worlds: { before, after }, names }: Insight): Stop[] {
  const then = new Map([...after.agents.values()].flat().map((agent) => [agent.id, agent]));
  const all = [...before.agents.values()].flat();
  const tell = (agents: readonly Agent[], what: string): Stop[] =>
    agents.length === 0
      ? []
      : [
          {
            word: "agents-off",
            text: phrase`${ours(counted(agents.length, "agent"))} ${strong(what)}: ${listed(agents.map((agent) => names.agent(agent)))}`,
          },
        ];
  return [
    ...tell(
      all.filter(({ id, enabled }) => enabled && then.get(id)?.enabled === false),
      "disabled",
    ),
    ...tell(
      all.filter(({ id, aid }) => then.get(id)?.aid !== aid),
      "deleted or moved to another account group",
    ),
  ];
}

/** The first names in order, and how many more there are. */
export function listed(names: readonly string[]): Phrase {
  const sorted = names.toSorted(order).map((name) => phrase`${name}`);
  return few(sorted, named);
}
