import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError, NotFoundError, type AgentRecord, UnconfirmedError } from "../../api";
import { GoneError, PartialFailure, TransferError } from "../failures";
import { compare, listOf } from "../compare";
import { nonexistentId, type CreatedResource, type ReadResource, type KindHandler } from "../handler";
import type { Kind } from "../kind";
import { sharedRecord } from "../rivals";
import type { Session } from "../session";
import { inputsOf, orAbsent, unmanagedFields } from "../state";
import { type Properties, compact, isObject, stringOf } from "../values";
import { AgentFinder } from "./agent-finder";
import { defaultTransferTimeoutSeconds } from "./agent-transfer";
import { lookUpAgent, type Lookup } from "./agent-lookup";

/** The first and the longest pause between consecutive checks for the arrival of a transferred agent, in milliseconds. */
export const [firstPauseMs, maxPauseMs] = [250, 5_000];

/** Handler for resources that adopt agents. Agents register themselves, so the provider never creates an agent. */
export class AgentHandler implements KindHandler {
  readonly #finder: AgentFinder;

  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#finder = AgentFinder.of(session);
  }

  async create(inputs: Properties): Promise<CreatedResource> {
    const agent = await this.#adopt(inputs);
    const giveBack = this.session.ledger.take(this.kind, agent.id);
    if (!giveBack) throw sharedRecord(this.kind, agent.id, agent.name);
    try {
      return { id: agent.id, state: await this.#sync(agent, inputs) };
    } catch (error) {
      // If all requests fail, the agent is released, because the state does not contain the resource.
      if (!(error instanceof PartialFailure)) giveBack();
      throw error;
    }
  }

  async read(id: string, properties: Properties): Promise<ReadResource | undefined> {
    const accountGroupId = await this.session.accountGroupOf(properties);
    const agent = await this.#finder.anywhere(id, accountGroupId);
    if (!agent) return undefined;
    const state = this.#stateOf(agent, properties, listOf(properties["unmanagedFields"]));
    return { id, state, inputs: inputsOf(this.kind, state) };
  }

  async update(id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const changes = compare(this.kind, state, inputs);
    if (changes.length > 0 && changes.every((change) => change.recordsOnly)) {
      const declared = Object.fromEntries(changes.map(({ property, after }) => [property, after]));
      return { ...state, ...declared, unmanagedFields: orAbsent(unmanagedFields(this.kind, inputs)) };
    }
    const agent = await this.#finder.anywhere(id, stringOf(state["accountGroupId"]));
    if (!agent) {
      throw new GoneError(
        `The agent ${id} is not in any account group that the token can access. ` +
          "Run `pulumi refresh`, then `pulumi up`, which adopts an agent if the lookup matches exactly one agent.",
      );
    }
    return this.#sync(agent, inputs);
  }

  /**
   * Releases, disables or deletes the agent, as the property `onDestroy` declares. The method searches all account groups, because the
   * agent may have moved.
   */
  async delete(id: string, state: Properties): Promise<void> {
    const action = state["onDestroy"];
    // An unknown action, for example in an edited state, leaves the agent unchanged.
    if (action !== "delete" && action !== "disable") return;
    const agent = await this.#finder.anywhere(id, stringOf(state["accountGroupId"]));
    if (!agent) return;
    const request = { path: { agentId: id }, query: { aid: agent.aid } };
    try {
      await (action === "delete" ? this.session.client.agents.delete(request) : this.session.client.agents.disable(request));
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof UnconfirmedError)) throw error;
      const left = await this.#finder.get(id, agent.aid);
      if (left && (action === "delete" || left.status !== statusOf(false))) throw error;
    }
  }

  async list(accountGroupId: string | undefined): Promise<ReadResource[]> {
    const agents = await this.#finder.all(accountGroupId ?? (await this.session.accountGroupId()));
    return agents.map((agent) => {
      const state = this.#stateOf(agent, {}, []);
      return { id: agent.id, state, inputs: inputsOf(this.kind, state) };
    });
  }

  async tryRead(accountGroupId: string | undefined): Promise<void> {
    await this.session.client.agents.list({ query: { aid: accountGroupId, max: 1 } });
  }

  async tryWrite(accountGroupId: string | undefined): Promise<void> {
    await this.session.client.agents.update({ path: { agentId: nonexistentId }, query: { aid: accountGroupId }, body: {} });
  }

  /** @throws LookupError, GoneError */
  async #adopt(inputs: Properties): Promise<AgentRecord> {
    const agentId = stringOf(inputs["agentId"]);
    const lookup = isObject(inputs["lookup"]) ? (inputs["lookup"] as Lookup) : undefined;
    if (agentId === undefined && lookup) return lookUpAgent(this.session, lookup);
    const likely = await this.session.accountGroupOf(inputs);
    const agent = agentId === undefined ? undefined : await this.#finder.anywhere(agentId, likely);
    if (agent) return agent;
    throw new GoneError(`There is no agent ${agentId ?? ""} in any account group that the token can access. Correct agentId.`);
  }

  /**
   * Applies the declared properties to an agent with up to three requests, and returns the state from the service's responses.
   */
  async #sync(existing: AgentRecord, inputs: Properties): Promise<Properties> {
    const unmanaged = unmanagedFields(this.kind, inputs);
    let agent = existing;
    let done = 0;
    const steps: ((current: AgentRecord) => Promise<AgentRecord | undefined>)[] = [
      (current) => this.#updateRecord(current, inputs),
      (current) => this.#setEnabled(current, inputs),
      (current) => this.#transfer(current, inputs),
    ];
    for (const step of steps) {
      try {
        const after = await step(agent);
        if (after) done += 1;
        agent = after ? { ...agent, ...after } : agent;
      } catch (error) {
        // If no request has succeeded yet, the agent is unchanged, so the error contains no state.
        if (done === 0 || !(error instanceof EndpointMonitoringError)) throw error;
        throw new PartialFailure(agent.id, this.#stateOf(agent, inputs, unmanaged), [error.message], { cause: error });
      }
    }
    const state = this.#stateOf(agent, inputs, unmanaged);
    const kept = compare(this.kind, state, inputs);
    if (kept.length === 0) return state;
    const reasons = kept.map(({ property }) => `the service ignored or changed the sent value of ${property}`);
    throw new PartialFailure(agent.id, state, reasons);
  }

  /**
   * Sets the name and the license, which are the properties that a PATCH request can change (docs/service/agents.md,
   * Records).
   */
  async #updateRecord(agent: AgentRecord, { agentName, licenseType }: Properties): Promise<AgentRecord | undefined> {
    const body = compact({
      name: agentName === agent.name ? undefined : agentName,
      licenseType: licenseType === agent.licenseType ? undefined : licenseType,
    });
    if (Object.keys(body).length === 0) return undefined;
    // The input schema and the API client validate the body, so the type assertion is safe.
    const request = { path: { agentId: agent.id }, body: body as object, query: { aid: agent.aid } };
    return this.session.client.agents.update(request);
  }

  async #setEnabled(agent: AgentRecord, { enabled }: Properties): Promise<AgentRecord | undefined> {
    if (enabled === undefined || agent.status === statusOf(enabled)) return undefined;
    const { enable, disable } = this.session.client.agents;
    const after = await (enabled ? enable : disable)({ path: { agentId: agent.id }, query: { aid: agent.aid } });
    return { ...after, status: after.status ?? statusOf(enabled) };
  }

  /**
   * Transfers the agent, and waits until the target account group shows the agent. The service carries out transfers
   * asynchronously.
   */
  async #transfer(agent: AgentRecord, inputs: Properties): Promise<AgentRecord | undefined> {
    const toAid = stringOf(inputs["accountGroupId"]);
    if (toAid === undefined || toAid === agent.aid) return undefined;
    const request = { path: { agentId: agent.id }, body: { toAid }, query: { aid: agent.aid } };
    try {
      await this.session.client.agents.transfer(request);
    } catch (error) {
      // An earlier update may have requested the same transfer, and the transfer may have finished since the agent was read.
      const arrived = error instanceof NotFoundError ? await this.#finder.get(agent.id, toAid) : undefined;
      if (arrived?.aid === toAid) return arrived;
      throw error;
    }
    const timeout = Number(inputs["transferTimeout"] ?? defaultTransferTimeoutSeconds);
    const started = performance.now();
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const arrived = await this.#finder.get(agent.id, toAid);
      if (arrived?.aid === toAid) return arrived;
      const waited = (performance.now() - started) / 1_000;
      if (waited >= timeout) {
        const isStillThere = (await this.#finder.get(agent.id, agent.aid)) !== undefined;
        const previous = agent.aid === undefined ? "its previous account group" : `account group ${agent.aid}`;
        throw new TransferError(
          `The agent ${agent.id} did not move to account group ${toAid} within ${Math.round(waited)} s. ` +
            `The agent ${isStillThere ? "is still in" : "has left"} ${previous}. The transfer may still finish. ` +
            "Run `pulumi up` again, or increase transferTimeout.",
        );
      }
      await sleep(Math.min(pauseMs, Math.max(0, timeout * 1_000 - (performance.now() - started))));
    }
  }

  #stateOf(agent: AgentRecord, fallback: Properties, unmanaged: string[]): Properties {
    return compact({
      agentId: agent.id,
      agentName: agent.name ?? fallback["agentName"],
      licenseType: agent.licenseType ?? fallback["licenseType"],
      enabled: isEnabled(agent.status) ?? fallback["enabled"],
      accountGroupId: agent.aid ?? fallback["accountGroupId"],
      onDestroy: fallback["onDestroy"] ?? "forget",
      computerName: agent.computerName ?? fallback["computerName"],
      platform: agent.platform ?? fallback["platform"],
      serialNumber: agent.serialNumber ?? fallback["serialNumber"],
      unmanagedFields: orAbsent(unmanaged),
    });
  }
}

/** Returns whether a status means that the agent is enabled, or undefined for an unknown status. */
function isEnabled(status: string | undefined): boolean | undefined {
  return [true, false].find((enabled) => status === statusOf(enabled));
}

function statusOf(enabled: unknown): string {
  return enabled === true ? "enabled" : "disabled";
}
