import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, EndpointMonitoringError, ForbiddenError } from "../../api";
import { GoneError, PartialFailure } from "../failures";
import type { CreatedResource, ReadResource, KindHandler } from "../handler";
import type { Kind } from "../kind";
import type { Session } from "../session";
import { inputsOf, isBare } from "../state";
import { type Properties, isObject, stable } from "../values";
import { firstPauseMs, maxPauseMs } from "./agent-handler";
import { defaultTransferTimeoutSeconds } from "./agent-transfer";
import { AgentFinder } from "./agent-finder";

export interface AgentOutcome {
  agentId: string;
  toAid: string;
  /** HTTP status code of the transfer. The status is 200 if the agent is already in the target account group. */
  status: number;
  detail?: string;
}

interface DeclaredTransfer {
  agentId: string;
  fromAid: string;
  toAid: string;
}

/**
 * Maximum number of transfers in a request. The service documents no limit, but small requests limit the effect of a failure.
 */
const maxTransfersPerRequest = 100;

/**
 * Handler for bulk transfers of agents, which are neither atomic nor immediate (docs/service/agents.md, Transfer). The provider requests
 * each transfer that is not complete, waits until the agents arrive, and stores every outcome.
 */
export class AgentTransferHandler implements KindHandler {
  readonly #finder: AgentFinder;

  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#finder = AgentFinder.of(session);
  }

  async create(inputs: Properties): Promise<CreatedResource> {
    // The service assigns no ids to transfers, so the id is a digest of the transfers.
    const id = createHash("sha256")
      .update(stable(transfersOf(inputs)))
      .digest("hex")
      .slice(0, 16);
    return { id, state: await this.#carryOut(id, inputs) };
  }

  /**
   * Returns the transfers with agents that are still in the target account group. A transfer with an agent that has left the target account
   * group appears as drift. If the token cannot read the target account group, the transfer does not appear as drift.
   */
  async read(id: string, properties: Properties): Promise<ReadResource> {
    if (isBare(properties)) {
      throw new GoneError(
        `The ${this.kind.noun} ${id} cannot be read, because the service does not store transfers. Read the agents with getAgent.`,
      );
    }
    const transfers = transfersOf(properties);
    const arrived = await Promise.all(transfers.map((transfer) => unlessForbidden(this.#hasArrived(transfer))));
    const state = { ...properties, transfers: transfers.filter((_, i) => arrived[i] ?? true) };
    return { id, state, inputs: inputsOf(this.kind, state) };
  }

  async update(id: string, _state: Properties, inputs: Properties): Promise<Properties> {
    return this.#carryOut(id, inputs);
  }

  /** Does nothing, because the deletion of a transfer leaves the agents in their current account group. */
  async delete(): Promise<void> {}

  async #carryOut(id: string, inputs: Properties): Promise<Properties> {
    const transfers = transfersOf(inputs);
    // If the caller may not read a target account group, the provider requests the transfer anyway. If the service refuses the transfer,
    // the service's response contains the reason.
    const arrived = await Promise.all(transfers.map((transfer) => unlessForbidden(this.#isListed(transfer))));
    const pending = transfers.filter((_, i) => !arrived[i]);
    const outcomes = new Map<string, AgentOutcome>();
    for (const { agentId, toAid } of transfers)
      outcomes.set(agentId, { agentId, toAid, status: 200, detail: "had already arrived" });
    for (let from = 0; from < pending.length; from += maxTransfersPerRequest) {
      const part = pending.slice(from, from + maxTransfersPerRequest);
      try {
        for (const outcome of await this.#request(part)) outcomes.set(outcome.agentId, outcome);
      } catch (error) {
        // If the first request fails, no agent was transferred, so the error contains no state.
        if (!(error instanceof EndpointMonitoringError) || from === 0) throw error;
        const failure = { status: error instanceof ApiError ? error.status : 0, detail: error.message };
        for (const { agentId, toAid } of part) outcomes.set(agentId, { agentId, toAid, ...failure });
      }
    }
    const accepted = pending.filter(({ agentId }) => isAccepted(outcomes.get(agentId)));
    const missing = await this.#wait(accepted, Number(inputs["transferTimeout"] ?? defaultTransferTimeoutSeconds));
    for (const outcome of missing) outcomes.set(outcome.agentId, outcome);
    const all = transfers.map(({ agentId }) => outcomes.get(agentId)).filter((outcome) => outcome !== undefined);
    const failed = all.filter((outcome) => !isAccepted(outcome));
    // The state contains only the completed transfers, so the next update requests the remaining transfers.
    const completed = transfers.filter(({ agentId }) => isAccepted(outcomes.get(agentId)));
    const state = { transfers: completed, outcomes: all };
    if (failed.length === 0) return state;
    const names = await this.#namesOf(transfers.filter(({ agentId }) => !isAccepted(outcomes.get(agentId))));
    const reasons = failed.map(
      ({ agentId, toAid, status, detail }) =>
        `agent ${agentId}${names.get(agentId) ?? ""} was not moved (${status}) to account group ${toAid}: ${detail ?? "no reason given"}`,
    );
    throw new PartialFailure(id, state, [
      `${failed.length} of ${transfers.length} agents were not moved; the next update tries only these`,
      ...reasons,
    ]);
  }

  async #request(transfers: DeclaredTransfer[]): Promise<AgentOutcome[]> {
    const { items } = await this.session.client.agents.transferBulk({ body: { transfers } });
    const toAids = new Map(transfers.map(({ agentId, toAid }) => [agentId, toAid]));
    const reported = new Map(
      items.flatMap(({ request, status = 0, detail, title }) => {
        const agentId = request?.agentId ?? "";
        const toAid = toAids.get(agentId);
        return toAid === undefined ? [] : [[agentId, { agentId, toAid, status, detail: detail ?? title }] as const];
      }),
    );
    // If the service's response contains no item for a transfer, the transfer counts as not accepted.
    const unreported = { status: 0, detail: "the service did not report it" };
    return transfers.map(({ agentId, toAid }) => reported.get(agentId) ?? { agentId, toAid, ...unreported });
  }

  /** @returns outcomes of the transfers that did not finish in time */
  async #wait(transfers: DeclaredTransfer[], timeout: number): Promise<AgentOutcome[]> {
    const started = performance.now();
    let missing = transfers;
    const unseen: DeclaredTransfer[] = [];
    for (let pauseMs = firstPauseMs; missing.length > 0; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const arrived = await Promise.all(missing.map((transfer) => unlessForbidden(this.#isListed(transfer))));
      for (const transfer of missing.filter((_, i) => arrived[i] === undefined)) unseen.push(transfer);
      missing = missing.filter((_, i) => arrived[i] === false);
      const left = timeout * 1_000 - (performance.now() - started);
      if (left <= 0) break;
      if (missing.length > 0) await sleep(Math.min(pauseMs, left));
    }
    const late = { status: 504, detail: "has not arrived in time; the transfer may still finish" };
    const hidden = { status: 403, detail: "was accepted, but the token cannot read that account group to confirm the arrival" };
    return [
      ...missing.map(({ agentId, toAid }) => ({ agentId, toAid, ...late })),
      ...unseen.map(({ agentId, toAid }) => ({ agentId, toAid, ...hidden })),
    ];
  }

  /** Returns the names of the agents that the service finds in their previous account groups. */
  async #namesOf(transfers: DeclaredTransfer[]): Promise<Map<string, string>> {
    const listings = await Promise.allSettled(transfers.map(({ agentId, fromAid }) => this.#finder.listed(agentId, fromAid)));
    return new Map(
      listings.flatMap((result) =>
        result.status === "fulfilled" && result.value?.name !== undefined
          ? [[result.value.id, ` ("${result.value.name}")`]]
          : [],
      ),
    );
  }

  async #hasArrived({ agentId, toAid }: DeclaredTransfer): Promise<boolean> {
    return (await this.#finder.inGroup(agentId, toAid))?.aid === toAid;
  }

  /**
   * Whether the service's search finds the agent in the target account group. Unlike `#hasArrived`, `#isListed` does not send a get request
   * if the search fails to find the agent.
   */
  async #isListed({ agentId, toAid }: DeclaredTransfer): Promise<boolean> {
    return (await this.#finder.listed(agentId, toAid))?.aid === toAid;
  }
}

/** Returns only complete transfers, because transfers in a damaged state may lack required members. */
function transfersOf({ transfers }: Properties): DeclaredTransfer[] {
  return Array.isArray(transfers) ? transfers.filter(isTransfer) : [];
}

function isTransfer(value: unknown): value is DeclaredTransfer {
  return isObject(value) && [value["agentId"], value["fromAid"], value["toAid"]].every((part) => typeof part === "string");
}

function isAccepted(outcome: AgentOutcome | undefined): boolean {
  return outcome !== undefined && outcome.status >= 200 && outcome.status < 300;
}

/** Returns the result of a request, or undefined if the caller lacks the permission. */
async function unlessForbidden<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
