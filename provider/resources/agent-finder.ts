import { ForbiddenError, NotFoundError, largePages, type AgentRecord } from "../../api";
import { Batch } from "../batch";
import type { Session } from "../session";

const finders = new WeakMap<Session, AgentFinder>();

/** Finds agents in the service. The look-ups of many resources share a few requests. */
export class AgentFinder {
  readonly #batches = new Map<string, Batch<AgentRecord>>();

  constructor(private readonly session: Session) {}

  static of(session: Session): AgentFinder {
    let finder = finders.get(session);
    if (!finder) finders.set(session, (finder = new AgentFinder(session)));
    return finder;
  }

  /**
   * Finds an agent in an account group. If the search does not find the agent, a get request decides whether the agent
   * exists.
   */
  async inGroup(id: string, accountGroupId: string | undefined): Promise<AgentRecord | undefined> {
    return (await this.listed(id, accountGroupId)) ?? this.get(id, accountGroupId);
  }

  listed(id: string, accountGroupId: string | undefined): Promise<AgentRecord | undefined> {
    let batch = this.#batches.get(accountGroupId ?? "");
    if (!batch) this.#batches.set(accountGroupId ?? "", (batch = new Batch((ids) => this.#load(ids, accountGroupId))));
    return batch.find(id);
  }

  /**
   * Finds an agent in any account group. The search skips account groups that the caller is not permitted to read.
   *
   * @param likely account group to search first
   * @throws ForbiddenError if the agent was not found and at least one account group was skipped
   */
  async anywhere(id: string, likely: string | undefined): Promise<AgentRecord | undefined> {
    const refusals: ForbiddenError[] = [];
    const unlessRefused = async (search: Promise<AgentRecord | undefined>): Promise<AgentRecord | undefined> => {
      try {
        return await search;
      } catch (error) {
        if (!(error instanceof ForbiddenError)) throw error;
        refusals.push(error);
        return undefined;
      }
    };
    const expected = await unlessRefused(this.inGroup(id, likely));
    if (expected) return expected;
    for (const { aid } of await this.session.accountGroups()) {
      const agent = aid === likely ? undefined : await unlessRefused(this.get(id, aid));
      if (agent) return agent;
    }
    const [refusal] = refusals;
    if (refusal) throw refusal;
    return undefined;
  }

  async all(accountGroupId: string | undefined): Promise<AgentRecord[]> {
    const agents: AgentRecord[] = [];
    for await (const page of largePages(this.session.client.agents.list, { query: { aid: accountGroupId } })) {
      for (const agent of page.agents) if (!agent.deleted) agents.push(withGroup(agent, accountGroupId));
    }
    return agents;
  }

  async get(id: string, accountGroupId: string | undefined): Promise<AgentRecord | undefined> {
    try {
      const agent = await this.session.client.agents.get({ path: { agentId: id }, query: { aid: accountGroupId } });
      // The service may still return a deleted agent (docs/service/agents.md, Records).
      return agent.deleted ? undefined : withGroup(agent, accountGroupId);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  async #load(ids: string[], accountGroupId: string | undefined): Promise<Map<string, AgentRecord>> {
    const agents = new Map<string, AgentRecord>();
    const request = { body: { searchFilters: { id: ids } }, query: { aid: accountGroupId } };
    for await (const page of largePages(this.session.client.agents.filter, request)) {
      for (const agent of page.agents) if (!agent.deleted) agents.set(agent.id, withGroup(agent, accountGroupId));
    }
    return agents;
  }
}

/** Fills in the requested account group if the service's response contains no account group. */
function withGroup(agent: AgentRecord, accountGroupId: string | undefined): AgentRecord {
  return { ...agent, aid: agent.aid ?? accountGroupId };
}
