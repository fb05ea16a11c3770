import { EndpointMonitoringError, largePages, type AgentRecord } from "../../api";
import { groupsOf, membershipOf } from "../../api/agent-selection";
import { factsOf, reportedOf } from "../../api/label-match";
import { agentExpands } from "../../api/schemas";
import type { KnownAgent, Membership } from "../../api/tag-match";
import { type AgentListing, pagesOfAgents } from "../agent-pages";
import { Batch } from "../batch";
import { recordsOf, titleOfRecord } from "../identity";
import { oncePerGroup } from "../once-per-group";
import type { GroupTest, Schedule } from "../reach";
import type { Session } from "../session";
import { inputsOfRecord } from "../state";
import { endpointAgentTag } from "./endpoint-agent-tag";
import { label } from "./label";

interface FoundAgent extends KnownAgent {
  id: string;
  name: string;
}

/** A label or tag. */
interface AgentGroup {
  /** Noun and title, such as `label "Office"`. */
  description: string;
  test: GroupTest;
}

/** Decides from the service's records whether a test selects an agent. */
export class SelectionProof {
  /** Ids of the agents that run the test, if the test selects agents by id and `maxMachines` allows all these agents. */
  readonly named: readonly string[] | undefined;
  /** Number of agents that run the test, if the test selects agents by id. */
  readonly count: number | undefined;
  readonly #agents = new Map<string, Promise<FoundAgent | undefined>>();
  readonly #selected = new Map<string, Promise<boolean>>();

  constructor(
    private readonly session: Session,
    private readonly accountGroupId: string | undefined,
    private readonly schedule: Schedule,
  ) {
    const { agentSelectorType, agents, maxMachines } = schedule;
    if (agentSelectorType !== "specific-agents" || agents === undefined) return;
    const ids = [...new Set(agents)];
    this.count = Math.min(ids.length, maxMachines);
    if (this.count === ids.length) this.named = ids;
  }

  /**
   * Whether the test selects an agent. If the service's records lack required data, such as an attribute that a tag uses, the agent counts
   * as selected.
   */
  selects(agentId: string): Promise<boolean> {
    let selected = this.#selected.get(agentId);
    if (!selected) this.#selected.set(agentId, (selected = this.#decide(agentId)));
    return selected;
  }

  async nameOf(agentId: string): Promise<string> {
    try {
      return (await this.#agent(agentId))?.name ?? agentId;
    } catch (error) {
      if (error instanceof EndpointMonitoringError) return agentId;
      throw error;
    }
  }

  /**
   * Returns the reason why no agent can run the test, such as `label "Office" selects no agent`. Returns undefined if the test may select an
   * agent, if the test selects agents without labels and tags, if the service may still return a label or tag from before the stack's last
   * write, or if the service does not return the agents.
   */
  async lackOfAgents(): Promise<string | undefined> {
    const ids = groupsOf(this.schedule);
    const { readLag } = this.session;
    const mayLag = ids.some((id) => [label, endpointAgentTag].some((kind) => readLag.mayHideWrite(kind.name, id)));
    if (ids.length === 0 || mayLag) return undefined;
    try {
      const groups = await this.#groups();
      if (ids.some((id) => !groups.has(id))) return undefined;
      for await (const agents of agentListOf(this.session, this.accountGroupId).pages())
        if (agents.some((agent) => this.#membership(agent, groups) !== false)) return undefined;
      const descriptions = [...groups.values()].map(({ description }) => description);
      return `${descriptions.join(" and ")} ${descriptions.length === 1 ? "selects" : "select"} no agent`;
    } catch (error) {
      if (error instanceof EndpointMonitoringError) return undefined;
      throw error;
    }
  }

  async #decide(agentId: string): Promise<boolean> {
    const { agentSelectorType, agents = [] } = this.schedule;
    if (agentSelectorType === "specific-agents") return agents.includes(agentId);
    const [agent, groups] = await Promise.all([this.#agent(agentId), this.#groups()]);
    return agent !== undefined && this.#membership(agent, groups) !== false;
  }

  #membership(agent: FoundAgent, groups: ReadonlyMap<string, AgentGroup>): Membership {
    const isSelected = membershipOf(this.schedule, (id) => {
      const group = groups.get(id);
      return group && (() => group.test(agent));
    });
    return isSelected(agent.id);
  }

  #agent(id: string): Promise<FoundAgent | undefined> {
    let agent = this.#agents.get(id);
    if (!agent) this.#agents.set(id, (agent = agentsOf(this.session, this.accountGroupId).find(id)));
    return agent;
  }

  /** Returns the test's existing labels or tags in a map from their ids. */
  async #groups(): Promise<Map<string, AgentGroup>> {
    const groups = new Map<string, AgentGroup>();
    const { agentSelectorType, endpointAgentLabels = [], tagIds = [] } = this.schedule;
    for (const [kind, ids] of [
      [label, endpointAgentLabels],
      [endpointAgentTag, tagIds],
    ] as const) {
      const { reach } = kind;
      if (reach?.means !== "group" || reach.selector !== agentSelectorType) continue;
      const records = await recordsOf(this.session, kind, this.accountGroupId).records();
      for (const id of ids) {
        const record = records.get(id);
        if (!record) continue;
        const test = reach.compile(reach.rule(inputsOfRecord(kind, record)));
        const description = `${kind.noun} "${titleOfRecord(kind, record) ?? id}"`;
        // If this package does not know a filter of the label or tag, every agent counts as selected.
        groups.set(id, { description, test: test?.value ?? (() => undefined) });
      }
    }
    return groups;
  }
}

/** Returns the batches of agent look-ups in an account group. */
const agentsOf = oncePerGroup((session, accountGroupId) => new Batch<FoundAgent>((ids) => load(session, accountGroupId, ids)));

async function load(session: Session, aid: string | undefined, ids: string[]): Promise<Map<string, FoundAgent>> {
  const agents = new Map<string, FoundAgent>();
  const request = { body: { searchFilters: { id: ids } }, query: { aid, expand: [...agentExpands] } };
  for await (const page of largePages(session.client.agents.filter, request)) {
    for (const agent of page.agents) if (!agent.deleted) agents.set(agent.id, knownAgent(agent));
  }
  return agents;
}

/** The agents of an account group. Concurrent readers share requests. Later readers read a new list, because agents change. */
class AgentList {
  #pages: Promise<FoundAgent[] | undefined>[] = [];
  #source: AsyncGenerator<AgentListing> | undefined;
  #readers = 0;

  constructor(
    private readonly session: Session,
    private readonly accountGroupId: string | undefined,
  ) {}

  /** Yields the agents page by page. The list requests a page when the first reader needs the page. */
  async *pages(): AsyncGenerator<FoundAgent[]> {
    this.#readers += 1;
    try {
      for (let at = 0, agents = await this.#page(at); agents; agents = await this.#page((at += 1))) yield agents;
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) [this.#pages, this.#source] = [[], undefined];
    }
  }

  /** Returns the agents of a page, or undefined after the last page. */
  #page(at: number): Promise<FoundAgent[] | undefined> {
    return (this.#pages[at] ??= this.#nextPage());
  }

  async #nextPage(): Promise<FoundAgent[] | undefined> {
    this.#source ??= pagesOfAgents(this.session, this.accountGroupId);
    const { done, value } = await this.#source.next();
    return done === true ? undefined : value.agents.filter(({ deleted }) => !deleted).map(knownAgent);
  }
}

const agentListOf = oncePerGroup((session, accountGroupId) => new AgentList(session, accountGroupId));

function knownAgent(record: AgentRecord): FoundAgent {
  const { id, name = record.computerName ?? id } = record;
  return { id, name, facts: factsOf(record), reported: reportedOf(record) };
}
