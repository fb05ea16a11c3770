import { ForbiddenError, NotFoundError, largePages, type AgentRecord } from "../../api";
import { Batch } from "../batch";
import type { Session } from "../session";

const finders = new WeakMap<Session, AgentFinder>();

/** Finds agents of the service; the look-ups of many resources at once are a request or two. */
export class AgentFinder {
  readonly #batches = new Map<string, Batch<AgentRecord>>();

  constructor(private readonly session: Session) {}

  /** The finder of a session: resources of all kinds share it. */
  static of(session: Session): AgentFinder {
    let finder = finders.get(session);
    if (!finder) finders.set(session, (finder = new AgentFinder(session)));
    return finder;
  }

  /** An agent in one account group, or nothing. A get of its own decides before it is said to be gone. */
  async inGroup(id: string, aid: string | undefined): Promise<AgentRecord | undefined> {
    return (await this.listed(id, aid)) ?? this.get(id, aid);
  }

  /** An agent that a search of one account group brings, or nothing. */
  listed(id: string, aid: string | undefined): Promise<AgentRecord | undefined> {
    let batch = this.#batches.get(aid ?? "");
    if (!batch) this.#batches.set(aid ?? "", (batch = new Batch((ids) => this.#load(ids, aid))));
    return batch.find(id);
  }

  /**
   * An agent wherever the caller may see it: first where it is thought to be. An account group that refuses the caller does not
   * keep it from being found in another one.
   *
   * @throws ForbiddenError where it is in none that could be asked, so that it may be in one that could not
   */
  async anywhere(id: string, likely: string | undefined): Promise<AgentRecord | undefined> {
    const refusals: ForbiddenError[] = [];
    const asked = async (ask: Promise<AgentRecord | undefined>): Promise<AgentRecord | undefined> => {
      try {
        return await ask;
      } catch (error) {
        if (!(error instanceof ForbiddenError)) throw error;
        refusals.push(error);
        return undefined;
      }
    };
    const there = await asked(this.inGroup(id, likely));
    if (there) return there;
    for (const { aid } of await this.session.accountGroups()) {
      const found = aid === likely ? undefined : await asked(this.get(id, aid));
      if (found) return found;
    }
    const [refusal] = refusals;
    if (refusal) throw refusal;
    return undefined;
  }

  /** Every agent of an account group. */
  async all(aid: string | undefined): Promise<AgentRecord[]> {
    const found: AgentRecord[] = [];
    for await (const page of largePages(this.session.client.agents.list, { query: { aid } })) {
      for (const agent of page.agents) if (!agent.deleted) found.push(withGroup(agent, aid));
    }
    return found;
  }

  /** A single agent, straight from the service. */
  async get(id: string, aid: string | undefined): Promise<AgentRecord | undefined> {
    try {
      const agent = await this.session.client.agents.get({ path: { agentId: id }, query: { aid } });
      // A deleted agent may still be shown (shared/api/README.md, Agents and transfer).
      return agent.deleted ? undefined : withGroup(agent, aid);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  async #load(ids: string[], aid: string | undefined): Promise<Map<string, AgentRecord>> {
    const found = new Map<string, AgentRecord>();
    const request = { body: { searchFilters: { id: ids } }, query: { aid } };
    for await (const page of largePages(this.session.client.agents.filter, request)) {
      for (const agent of page.agents) if (!agent.deleted) found.set(agent.id, withGroup(agent, aid));
    }
    return found;
  }
}

/** An agent that does not say where it is, is where it was found. */
function withGroup(agent: AgentRecord, aid: string | undefined): AgentRecord {
  return { ...agent, aid: agent.aid ?? aid };
}
