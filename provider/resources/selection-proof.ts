import { EndpointMonitoringError, largePages, type AgentRecord } from "../../api";
import { membershipOf } from "../../api/agent-selection";
import { factsOf, reportedOf } from "../../api/label-match";
import { agentExpands } from "../../api/schemas";
import type { KnownAgent } from "../../api/tag-match";
import { Batch } from "../batch";
import { recordsOf } from "../identity";
import type { GroupTest, Schedule } from "../reach";
import type { Session } from "../session";
import { inputsOfRecord } from "../state";
import { endpointAgentTag } from "./endpoint-agent-tag";
import { label } from "./label";

interface FoundAgent extends KnownAgent {
  name: string;
}

/** For each session, the batches of agent look-ups by account group. */
const shared = new WeakMap<Session, Map<string | undefined, Batch<FoundAgent>>>();

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
   * Whether the test selects an agent. If the service's records are not sufficient to decide, the agent counts as selected. For example,
   * agent records may lack the attributes that a tag uses.
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

  async #decide(agentId: string): Promise<boolean> {
    const { agentSelectorType, agents = [] } = this.schedule;
    if (agentSelectorType === "specific-agents") return agents.includes(agentId);
    const [agent, groups] = await Promise.all([this.#agent(agentId), this.#groups()]);
    if (!agent) return false;
    const isSelected = membershipOf(this.schedule, (id) => {
      const test = groups.get(id);
      return test && (() => test(agent));
    });
    return isSelected(agentId) !== false;
  }

  #agent(id: string): Promise<FoundAgent | undefined> {
    let agent = this.#agents.get(id);
    if (!agent) this.#agents.set(id, (agent = agentsOf(this.session, this.accountGroupId).find(id)));
    return agent;
  }

  /** For each existing label or tag of the test, returns a function that decides whether an agent has the label or tag. */
  async #groups(): Promise<Map<string, GroupTest>> {
    const tests = new Map<string, GroupTest>();
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
        const test = record && reach.compile(reach.rule(inputsOfRecord(kind, record)));
        // If this package does not know a filter of the label or tag, every agent counts as selected.
        if (record) tests.set(id, test?.value ?? (() => undefined));
      }
    }
    return tests;
  }
}

function agentsOf(session: Session, accountGroupId: string | undefined): Batch<FoundAgent> {
  let ofSession = shared.get(session);
  if (!ofSession) shared.set(session, (ofSession = new Map()));
  let batch = ofSession.get(accountGroupId);
  if (!batch) ofSession.set(accountGroupId, (batch = new Batch((ids) => load(session, accountGroupId, ids))));
  return batch;
}

async function load(session: Session, aid: string | undefined, ids: string[]): Promise<Map<string, FoundAgent>> {
  const agents = new Map<string, FoundAgent>();
  const request = { body: { searchFilters: { id: ids } }, query: { aid, expand: [...agentExpands] } };
  for await (const page of largePages(session.client.agents.filter, request)) {
    for (const agent of page.agents) if (!agent.deleted) agents.set(agent.id, knownAgent(agent));
  }
  return agents;
}

function knownAgent(record: AgentRecord): FoundAgent {
  const { id, name = record.computerName ?? id } = record;
  return { name, facts: factsOf(record), reported: reportedOf(record) };
}
