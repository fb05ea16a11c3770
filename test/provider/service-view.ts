/** The service's records, read from the emulator's store without our client. Test oracles use it. */
import type { Emulator } from "../../emulator";
import type { Fault } from "../../emulator/fault";
import type { launch } from "../../emulator/launch";
import { startWithParts, vary } from "../support/variations/start";
import type { EmulatorOptions } from "../../emulator/settings";
import type { KindName, RecordKindName } from "../../provider/registry";
import { bodyOf, idOf, kindCases, recordKinds } from "../support/kinds";
import { call } from "../support/call";

/** A record of the service. */
export interface Seen {
  kind: KindName;
  id: string;
  aid: string;
  /** Its contents, without properties that change on their own. */
  body: Record<string, unknown>;
}

const collections: readonly [KindName, string][] = [
  ...recordKinds.map((kind): [KindName, string] => [kind, kindCases[kind].collection]),
  ["endpointAgent", "agents"],
];

/** An emulator with direct access to its records and faults. */
export class ServiceView {
  private constructor(
    readonly emulator: Emulator,
    private readonly server: Awaited<ReturnType<typeof launch>>["server"],
  ) {}

  static async start(options: EmulatorOptions = {}): Promise<ServiceView> {
    const { emulator, server } = await startWithParts({ rateLimit: "off", transferDelayMs: 0, agents: 8, ...options });
    return new ServiceView(emulator, server);
  }

  /** All records and agents by kind and id. */
  records(): Map<string, Seen> {
    const { store } = this.server.service;
    const seen = new Map<string, Seen>();
    for (const [kind, name] of collections) {
      for (const { id, aid } of store.ids(name)) {
        const row = store.get<object>({ name, series: name, firstId: 1 }, id);
        if (row) seen.set(keyOf(kind, id), { kind, id, aid, body: steady(row.body) });
      }
    }
    return seen;
  }

  /** Creates a record outside of Pulumi. @returns its id */
  async make(kind: RecordKindName, properties: Record<string, unknown>): Promise<string> {
    return idOf(kind, await call(this.emulator.url, "POST", kindCases[kind].path, bodyOf(kind, properties)));
  }

  /** Deletes a record outside of Pulumi. */
  delete(kind: RecordKindName, id: string): void {
    const { collection: name } = kindCases[kind];
    const { store } = this.server.service;
    const row = store.ids(name).find((candidate) => candidate.id === id);
    if (row) store.delete({ name, series: name, firstId: 1 }, id, row.aid);
  }

  fault(fault: Fault): void {
    this.server.faults.add([fault]);
  }

  /** Removes all faults. @returns whether an unused fault was left */
  well(): boolean {
    const wereFaultsPending = this.server.faults.pending().length > 0;
    this.server.faults.clear();
    return wereFaultsPending;
  }

  /** Uses these variations for all later responses. */
  answerAs(variations: readonly string[]): void {
    vary(this.emulator, ...variations);
  }

  /** Resets everything. */
  reset(): void {
    this.server.reset();
  }
}

export function keyOf(kind: KindName, id: string): string {
  return `${kind} ${id}`;
}

/** Whether an agent exists: a deleted agent stays with a mark. */
export function isThere(seen: Seen | undefined): boolean {
  return seen !== undefined && seen.body["deleted"] !== true;
}

function steady(body: object): Record<string, unknown> {
  const { modifiedDate: _modified, modifiedBy: _by, lastSeen: _seen, ...rest } = body as Record<string, unknown>;
  return rest;
}
