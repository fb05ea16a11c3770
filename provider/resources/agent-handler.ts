import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError, NotFoundError, type AgentRecord } from "../../api";
import { GoneError, PartialFailure, TransferError } from "../failures";
import { compare, listOf } from "../compare";
import { nowhere, type Created, type Found, type Handler } from "../handler";
import type { Kind } from "../kind";
import { sharedRecord } from "../ledger";
import type { Session } from "../session";
import { inputsOf, unmanagedFields } from "../state";
import { type Properties, compact, isObject, stringOf } from "../values";
import { AgentFinder } from "./agent-finder";
import { lookUpAgent, type Lookup } from "./agent-lookup";

/** Seconds a transfer may take, unless the program says otherwise. */
export const defaultTransferTimeout = 300;

/** What a resource does that adopts an agent: agents register themselves, so nothing is ever created. */
export class AgentHandler implements Handler {
  readonly #finder: AgentFinder;

  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#finder = AgentFinder.of(session);
  }

  async create(inputs: Properties): Promise<Created> {
    const agent = await this.#adopt(inputs);
    const { ledger } = this.session;
    if (ledger.isOwned(this.kind, agent.id)) throw sharedRecord(this.kind, agent.id, agent.name);
    ledger.markTaken(this.kind, agent.id);
    try {
      return { id: agent.id, state: await this.#sync(agent, inputs) };
    } catch (error) {
      // Without a partial success the state does not get the resource.
      if (!(error instanceof PartialFailure)) ledger.unmark(this.kind, agent.id);
      throw error;
    }
  }

  async read(id: string, held: Properties): Promise<Found | undefined> {
    const aid = await this.session.accountGroupOf(held);
    const agent = await this.#finder.anywhere(id, aid);
    if (!agent) return undefined;
    const state = this.#stateOf(agent, held, listOf(held["unmanagedFields"]));
    return { id, state, inputs: inputsOf(this.kind, state) };
  }

  async update(id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const changes = compare(this.kind, state, inputs);
    if (changes.length > 0 && changes.every((change) => change.recordsOnly)) {
      return { ...state, ...Object.fromEntries(changes.map(({ property, after }) => [property, after])) };
    }
    const agent = await this.#finder.anywhere(id, stringOf(state["accountGroupId"]));
    if (!agent) {
      throw new GoneError(
        `The agent ${id} is in none of the account groups that you may see. ` +
          "Run `pulumi refresh`, then `pulumi up` adopts one again if the look-up hits exactly one.",
      );
    }
    return this.#sync(agent, inputs);
  }

  /** Forgets, disables or deletes, as the program said; a replacement only forgets. The agent may have moved since. */
  async delete(id: string, state: Properties): Promise<void> {
    const how = state["onDestroy"];
    // A word that a state was edited to is no order to touch an agent.
    if ((how !== "delete" && how !== "disable") || this.session.ledger.isLeft(this.kind, id)) return;
    const agent = await this.#finder.anywhere(id, stringOf(state["accountGroupId"]));
    if (!agent) return;
    const request = { path: { agentId: id }, query: { aid: agent.aid } };
    try {
      await (how === "delete" ? this.session.client.agents.delete(request) : this.session.client.agents.disable(request));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  async list(aid: string | undefined): Promise<Found[]> {
    const agents = await this.#finder.all(aid ?? (await this.session.accountGroupId()));
    return agents.map((agent) => {
      const state = this.#stateOf(agent, {}, []);
      return { id: agent.id, state, inputs: inputsOf(this.kind, state) };
    });
  }

  async tryRead(aid: string | undefined): Promise<void> {
    await this.session.client.agents.list({ query: { aid, max: 1 } });
  }

  async tryWrite(aid: string | undefined): Promise<void> {
    await this.session.client.agents.update({ path: { agentId: nowhere }, query: { aid }, body: {} });
  }

  /** @throws LookupError, GoneError */
  async #adopt(inputs: Properties): Promise<AgentRecord> {
    const agentId = stringOf(inputs["agentId"]);
    const lookup = isObject(inputs["lookup"]) ? (inputs["lookup"] as Lookup) : undefined;
    if (agentId === undefined && lookup) return lookUpAgent(this.session, lookup);
    const likely = await this.session.accountGroupOf(inputs);
    const agent = agentId === undefined ? undefined : await this.#finder.anywhere(agentId, likely);
    if (agent) return agent;
    throw new GoneError(`There is no agent ${agentId ?? ""} in any account group you may see. Correct agentId.`);
  }

  /** Brings an agent to what is declared, step by step; what the service says after each step is what counts. */
  async #sync(found: AgentRecord, inputs: Properties): Promise<Properties> {
    const unmanaged = unmanagedFields(this.kind, inputs);
    let agent = found;
    let done = 0;
    const steps: ((now: AgentRecord) => Promise<AgentRecord | undefined>)[] = [
      (now) => this.#updated(now, inputs),
      (now) => this.#switched(now, inputs),
      (now) => this.#transferred(now, inputs),
    ];
    for (const step of steps) {
      try {
        const after = await step(agent);
        if (after) done += 1;
        agent = after ? { ...agent, ...after } : agent;
      } catch (error) {
        // Nothing has been changed yet: a plain error leaves the state as it was.
        if (done === 0 || !(error instanceof EndpointMonitoringError)) throw error;
        throw new PartialFailure(agent.id, this.#stateOf(agent, inputs, unmanaged), [error.message], { cause: error });
      }
    }
    const state = this.#stateOf(agent, inputs, unmanaged);
    const kept = compare(this.kind, state, inputs);
    if (kept.length === 0) return state;
    const reasons = kept.map(({ property }) => `the service kept ${property} as it was, or changed what was sent`);
    throw new PartialFailure(agent.id, state, reasons);
  }

  /** Name and licence, the two properties that PATCH takes (shared/api/README.md, Agents and transfer). */
  async #updated(agent: AgentRecord, { agentName, licenseType }: Properties): Promise<AgentRecord | undefined> {
    const body = compact({
      name: agentName === agent.name ? undefined : agentName,
      licenseType: licenseType === agent.licenseType ? undefined : licenseType,
    });
    if (Object.keys(body).length === 0) return undefined;
    // The schema of the inputs has checked both, and the client checks them again.
    const request = { path: { agentId: agent.id }, body: body as object, query: { aid: agent.aid } };
    return this.session.client.agents.update(request);
  }

  async #switched(agent: AgentRecord, { enabled }: Properties): Promise<AgentRecord | undefined> {
    if (enabled === undefined || agent.status === statusOf(enabled)) return undefined;
    const { enable, disable } = this.session.client.agents;
    const after = await (enabled ? enable : disable)({ path: { agentId: agent.id }, query: { aid: agent.aid } });
    return { ...after, status: after.status ?? statusOf(enabled) };
  }

  /** A transfer is asynchronous: the agent is looked for where it should arrive, until it has, or time is up. */
  async #transferred(agent: AgentRecord, inputs: Properties): Promise<AgentRecord | undefined> {
    const toAid = stringOf(inputs["accountGroupId"]);
    if (toAid === undefined || toAid === agent.aid) return undefined;
    await this.session.client.agents.transfer({ path: { agentId: agent.id }, body: { toAid }, query: { aid: agent.aid } });
    const timeout = Number(inputs["transferTimeout"] ?? defaultTransferTimeout);
    const started = Date.now();
    for (let pause = 250; ; pause = Math.min(pause * 1.5, 5_000)) {
      const arrived = await this.#finder.get(agent.id, toAid);
      if (arrived?.aid === toAid) return arrived;
      const waited = (Date.now() - started) / 1_000;
      if (waited >= timeout) {
        const still = await this.#finder.get(agent.id, agent.aid);
        throw new TransferError(
          `The agent ${agent.id} has not arrived in account group ${toAid} within ${Math.round(waited)} s` +
            (still ? `; it is still in ${agent.aid ?? "its own"}` : ", and it is not in the one it left either") +
            ". The transfer may still finish: run `pulumi up` again, or give it longer with transferTimeout.",
        );
      }
      await sleep(Math.min(pause, Math.max(0, timeout * 1_000 - (Date.now() - started))));
    }
  }

  #stateOf(agent: AgentRecord, known: Properties, unmanaged: string[]): Properties {
    return compact({
      agentId: agent.id,
      agentName: agent.name ?? known["agentName"],
      licenseType: agent.licenseType ?? known["licenseType"],
      enabled: agent.status === undefined ? known["enabled"] : agent.status === statusOf(true),
      accountGroupId: agent.aid ?? known["accountGroupId"],
      onDestroy: known["onDestroy"] ?? "forget",
      computerName: agent.computerName ?? known["computerName"],
      platform: agent.platform ?? known["platform"],
      serialNumber: agent.serialNumber ?? known["serialNumber"],
      unmanagedFields: unmanaged.length > 0 ? unmanaged : undefined,
    });
  }
}

function statusOf(enabled: unknown): string {
  return enabled === true ? "enabled" : "disabled";
}
