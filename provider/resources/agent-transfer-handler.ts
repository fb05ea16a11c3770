import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, EndpointMonitoringError, ForbiddenError } from "../../api";
import { GoneError, PartialFailure } from "../failures";
import type { Created, Found, Handler } from "../handler";
import type { Kind } from "../kind";
import type { Session } from "../session";
import { inputsOf, isBare } from "../state";
import { type Properties, isObject, stable } from "../values";
import { defaultTransferTimeout } from "./agent-handler";
import { AgentFinder } from "./agent-finder";

/** What became of one agent. */
export interface TransferOutcome {
  agentId: string;
  toAid: string;
  /** Status of the item, like that of an HTTP answer; 200 for an agent that was there already. */
  status: number;
  /** What the service said of it. */
  detail?: string;
}

/** One declared move. */
interface Transfer {
  agentId: string;
  fromAid: string;
  toAid: string;
}

/** Items of one request. The interface sets no bound; one that fails costs at most this many. */
const chunk = 100;

/**
 * What a bulk transfer does: asks for what has not happened yet, waits until it has, and keeps every outcome. It is neither
 * atomic nor immediate (shared/api/README.md, Agents and transfer).
 */
export class AgentTransferHandler implements Handler {
  readonly #finder: AgentFinder;

  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#finder = AgentFinder.of(session);
  }

  async create(inputs: Properties): Promise<Created> {
    // The same moves are the same resource; there is no identifier of the service's.
    const id = createHash("sha256")
      .update(stable(transfersOf(inputs)))
      .digest("hex")
      .slice(0, 16);
    return { id, state: await this.#carryOut(id, inputs) };
  }

  /** Agents that have wandered are no longer among the transfers: that is the drift. Where nobody may look, nothing has changed. */
  async read(id: string, held: Properties): Promise<Found> {
    if (isBare(held)) {
      throw new GoneError(
        `The ${this.kind.noun} ${id} cannot be read: the service keeps no record of transfers. Read the agents with getAgent.`,
      );
    }
    const transfers = transfersOf(held);
    const there = await Promise.all(transfers.map((transfer) => unlessForbidden(this.#hasArrived(transfer))));
    const state = { ...held, transfers: transfers.filter((_, i) => there[i] ?? true) };
    return { id, state, inputs: inputsOf(this.kind, state) };
  }

  async update(id: string, _state: Properties, inputs: Properties): Promise<Properties> {
    return this.#carryOut(id, inputs);
  }

  /** Nothing is undone: agents stay where they are. */
  async delete(): Promise<void> {}

  async #carryOut(id: string, inputs: Properties): Promise<Properties> {
    const transfers = transfersOf(inputs);
    // Each agent has an outcome of its own: an account group that nobody may look into leaves it to the service to refuse.
    const arrived = await Promise.all(transfers.map((transfer) => unlessForbidden(this.#isListed(transfer))));
    const pending = transfers.filter((_, i) => !arrived[i]);
    const outcomes = new Map<string, TransferOutcome>();
    for (const { agentId, toAid } of transfers)
      outcomes.set(agentId, { agentId, toAid, status: 200, detail: "was there already" });
    for (let from = 0; from < pending.length; from += chunk) {
      const part = pending.slice(from, from + chunk);
      try {
        for (const outcome of await this.#ask(part)) outcomes.set(outcome.agentId, outcome);
      } catch (error) {
        // Nothing has been moved yet: a plain error leaves the state as it was.
        if (!(error instanceof EndpointMonitoringError) || from === 0) throw error;
        const why = { status: error instanceof ApiError ? error.status : 0, detail: error.message };
        for (const { agentId, toAid } of part) outcomes.set(agentId, { agentId, toAid, ...why });
      }
    }
    const accepted = pending.filter(({ agentId }) => isAccepted(outcomes.get(agentId)));
    const notSeen = await this.#wait(accepted, Number(inputs["transferTimeout"] ?? defaultTransferTimeout));
    for (const outcome of notSeen) outcomes.set(outcome.agentId, outcome);
    const all = transfers.map(({ agentId }) => outcomes.get(agentId)).filter((outcome) => outcome !== undefined);
    const failed = all.filter((outcome) => !isAccepted(outcome));
    // State is what holds: the transfers that have happened. The next update asks for the others alone.
    const happened = transfers.filter(({ agentId }) => isAccepted(outcomes.get(agentId)));
    const state = { transfers: happened, outcomes: all };
    if (failed.length === 0) return state;
    const names = await this.#namesOf(transfers.filter(({ agentId }) => !isAccepted(outcomes.get(agentId))));
    const reasons = failed.map(
      ({ agentId, toAid, status, detail }) =>
        `agent ${agentId}${names.get(agentId) ?? ""} was not moved (${status}) to account group ${toAid}: ${detail ?? "no reason given"}`,
    );
    throw new PartialFailure(id, state, [
      `${failed.length} of ${transfers.length} agents were not moved; the next update tries them alone`,
      ...reasons,
    ]);
  }

  async #ask(transfers: Transfer[]): Promise<TransferOutcome[]> {
    const { items } = await this.session.client.agents.transferBulk({ body: { transfers } });
    const toAids = new Map(transfers.map(({ agentId, toAid }) => [agentId, toAid]));
    const told = new Map(
      items.flatMap(({ request, status = 0, detail, title }) => {
        const agentId = request?.agentId ?? "";
        const toAid = toAids.get(agentId);
        return toAid === undefined ? [] : [[agentId, { agentId, toAid, status, detail: detail ?? title }] as const];
      }),
    );
    // An agent the answer is silent about has not been accepted.
    const silent = { status: 0, detail: "the service said nothing of it" };
    return transfers.map(({ agentId, toAid }) => told.get(agentId) ?? { agentId, toAid, ...silent });
  }

  /** Waits until all have arrived. @returns outcomes of those that were not seen to arrive in time */
  async #wait(transfers: Transfer[], timeout: number): Promise<TransferOutcome[]> {
    const started = Date.now();
    let missing = transfers;
    const unseen: Transfer[] = [];
    for (let pause = 250; missing.length > 0; pause = Math.min(pause * 1.5, 5_000)) {
      const there = await Promise.all(missing.map((transfer) => unlessForbidden(this.#isListed(transfer))));
      unseen.push(...missing.filter((_, i) => there[i] === undefined));
      missing = missing.filter((_, i) => there[i] === false);
      const left = timeout * 1_000 - (Date.now() - started);
      if (left <= 0) break;
      if (missing.length > 0) await sleep(Math.min(pause, left));
    }
    const late = { status: 504, detail: "has not arrived in time; the transfer may still finish" };
    const hidden = { status: 403, detail: "was accepted, but you may not look into that account group to see it arrive" };
    return [
      ...missing.map(({ agentId, toAid }) => ({ agentId, toAid, ...late })),
      ...unseen.map(({ agentId, toAid }) => ({ agentId, toAid, ...hidden })),
    ];
  }

  /** Names of agents that are still where they were, as parts of a sentence; of one that is not found there is none. */
  async #namesOf(transfers: Transfer[]): Promise<Map<string, string>> {
    const found = await Promise.allSettled(transfers.map(({ agentId, fromAid }) => this.#finder.listed(agentId, fromAid)));
    return new Map(
      found.flatMap((one) =>
        one.status === "fulfilled" && one.value?.name !== undefined ? [[one.value.id, ` ("${one.value.name}")`]] : [],
      ),
    );
  }

  async #hasArrived({ agentId, toAid }: Transfer): Promise<boolean> {
    return (await this.#finder.inGroup(agentId, toAid))?.aid === toAid;
  }

  /** Like `#hasArrived`, without the request a missing agent would cost each time. */
  async #isListed({ agentId, toAid }: Transfer): Promise<boolean> {
    return (await this.#finder.listed(agentId, toAid))?.aid === toAid;
  }
}

/** The moves that are whole: a state may hold others, and what is declared has been checked. */
function transfersOf({ transfers }: Properties): Transfer[] {
  return Array.isArray(transfers) ? transfers.filter(isTransfer) : [];
}

function isTransfer(value: unknown): value is Transfer {
  return isObject(value) && [value["agentId"], value["fromAid"], value["toAid"]].every((part) => typeof part === "string");
}

function isAccepted(outcome: TransferOutcome | undefined): boolean {
  return outcome !== undefined && outcome.status >= 200 && outcome.status < 300;
}

/** An answer, or nothing where the caller may not have it. */
async function unlessForbidden<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
