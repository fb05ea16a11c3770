import { type AgentSearchFilters } from "../../api";
import { namedAgents } from "../../api/agent-selection";
import type { Kind } from "../kind";
import { type Properties, isUnknown } from "../values";
import { type Holdings } from "./holdings";
import { compareLoad } from "./load";
import { byAge, WorldObjects } from "./objects";
import { certainlyWithout, type Knowledge, seenText, type SelectedAgents, World } from "./world";

const maxShown = 3;

export function lineFor(known: ListedAgents, change: ReachChange): string | undefined {
  const { accountGroupId, holdings } = known;
  const { kind, id, properties } = change;
  const missing = missingText(change, known);
  if (kind.reach?.means === "agents") return missing;
  const declaredGroup = properties["accountGroupId"];
  if (declaredGroup !== undefined && declaredGroup !== accountGroupId) return undefined;
  const objects = new WorldObjects(accountGroupId);
  for (const record of holdings.records.toSorted(byAge))
    objects.put(record.kind, record.id, { ...record.state, accountGroupId });
  const before = new World(holdings.agents, new Map(objects.groups), new Map(objects.tests), true);
  const key = id ?? "new";
  objects.put(kind, key, { ...properties, accountGroupId });
  const after = new World(holdings.agents, objects.groups, objects.tests, true);
  const now = before.reachedBy(key);
  const [first, last] = [now?.value, after.reachedBy(key)?.value];
  if (!last) return undefined;
  const parts = [
    agentsText(now, last),
    ...(missing === undefined ? [] : [missing]),
    ...testsText(kind, after.testsOf(key).length),
    ...licenseText({ before, after }, accountGroupId),
  ];
  return first && isSameReach(first, last) ? undefined : parts.join("; ");
}

/**
 * Describes the agents that a change affects, for example:
 * - The text for a changed resource is `agents 214 -> 37 (30 seen within the hour; +3, -180)`.
 * - The text for a new label or test is `agents 37 (30 seen within the hour)`.
 * - The text for a new tag is `agents 0 (8 unclear)`.
 * - The text for a test with more agents than its maxMachines is `agents 25 of 214`.
 * - The text for an unknown number of agents is `agents ? -> 37`.
 */
function agentsText(known: Knowledge<SelectedAgents> | undefined, after: SelectedAgents): string {
  const before = known?.value;
  const [gained, lost] = before ? [certainlyWithout(after, before).length, certainlyWithout(before, after).length] : [0, 0];
  const moved = [...(gained > 0 ? [`+${gained}`] : []), ...(lost > 0 ? [`-${lost}`] : [])].join(", ");
  const seen = seenText(after.agents) ?? "";
  const side = before ? `${sideText(before)}${inBrackets(unclearText(before))}` : "?";
  const now = known ? `${side} -> ` : "";
  return `agents ${now}${sideText(after)}${inBrackets(seen, unclearText(after), moved)}`;
}

function sideText({ count, agents }: SelectedAgents): string {
  return count < agents.length ? `${count} of ${agents.length}` : String(count);
}

function unclearText({ unclear }: SelectedAgents): string {
  return unclear.agents.length > 0 ? `${unclear.agents.length} unclear` : "";
}

function inBrackets(...notes: readonly string[]): string {
  const some = notes.filter((note) => note !== "");
  return some.length > 0 ? ` (${some.join("; ")})` : "";
}

/** Describes the agents that a resource selects by id but that are not in the account group. */
function missingText(
  { kind: { reach }, id, properties }: ReachChange,
  { accountGroupId, holdings }: ListedAgents,
): string | undefined {
  if (reach === undefined || reach.means === "group") return undefined;
  const changes = reach.means === "agents" ? reach.changes(id, properties) : [];
  const moved = changes.flatMap(({ agentId, from = accountGroupId }) => (from === accountGroupId ? [agentId] : []));
  const named = reach.means === "agents" ? moved : namedAgents(reach.schedule(properties));
  const there = new Set(holdings.agents.get(accountGroupId)?.map((agent) => agent.id));
  const missing = [...new Set(named)].filter((agentId) => !isUnknown(agentId) && !there.has(agentId));
  if (missing.length === 0) return undefined;
  const more = missing.length > maxShown ? ` and ${missing.length - maxShown} more` : "";
  const text = `account group ${accountGroupId} has no agent ${missing.slice(0, maxShown).join(", ")}${more}`;
  // If the program does not declare the previous account group, the agent may come from any account group.
  const isElsewhere = changes.some(({ from }) => from === undefined);
  return isElsewhere ? `${text}; whether another one has it was not checked` : text;
}

function testsText({ reach, noun }: Kind, count: number): string[] {
  if (reach?.means !== "group" || count === 0) return [];
  return [count === 1 ? `1 test uses this ${noun}` : `${count} tests use this ${noun}`];
}

function licenseText(worlds: { before: World; after: World }, accountGroupId: string): string[] {
  const count = compareLoad(worlds, [accountGroupId]).over.filter(({ worse }) => worse).length;
  return count === 0 ? [] : [count === 1 ? "1 agent over its license" : `${count} agents over their license`];
}

function isSameReach(a: SelectedAgents, b: SelectedAgents): boolean {
  const isMoved = certainlyWithout(a, b).length > 0 || certainlyWithout(b, a).length > 0;
  return a.count === b.count && a.unclear.agents.length === b.unclear.agents.length && !isMoved;
}

export interface ReachChange {
  readonly kind: Kind;
  /** Id of the changed or replaced record. A new record has no id. */
  readonly id: string | undefined;
  /** The properties after the change. Some properties may be unknown. */
  readonly properties: Properties;
}

export interface KnownReach {
  accountGroupId: string;
  /** Records and agents, unless the account group has too many agents to list. */
  holdings?: Holdings;
  /** Counts the agents that a search finds. If `isSeen` is true, the function counts only agents that checked in during the last hour. */
  readonly count: (search: AgentSearchFilters, isSeen: boolean) => Promise<number>;
  total: number;
}

export type ListedAgents = KnownReach & { holdings: Holdings };
