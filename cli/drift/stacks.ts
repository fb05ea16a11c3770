import { ConfigurationError, EndpointMonitoringError } from "../../api";
import { check } from "../../provider/check";
import { listOf } from "../../provider/compare";
import type { KindName } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { stable, unknownValue } from "../../provider/values";
import { UsageError } from "../command";
import type { ProjectStack } from "../engine/stack";
import { type EngineResource, managedAmong, type ManagedResource } from "../engine/state";
import type { UpdateStep } from "../engine/update";
import type { Output } from "../report/output";
import { compareText } from "../report/text";
import type { IgnoreList } from "./ignore-list";
import { lookAt } from "./look";
import { listAhead } from "./unmanaged";
import { bare, type DriftOutcome, type StackDrift, type UnseenProperty } from "./report";

/** Sessions with the service: stacks with the same settings share one, so that nothing is requested twice. */
export class Sessions {
  readonly #bySettings = new Map<string, Session>();

  /** @throws ConfigurationError */
  async of(stack: ProjectStack): Promise<Session> {
    const session = await stack.session();
    const key = stable(session.settings);
    const shared = this.#bySettings.get(key) ?? session;
    this.#bySettings.set(key, shared);
    return shared;
  }
}

export interface Look {
  stack: ProjectStack;
  /** Its whole state; nothing where it could not be read. */
  resources?: readonly EngineResource[];
  managed: readonly ManagedResource[];
  /** Absent where the stack has no settings, and needs none. */
  session?: Session;
  drift: StackDrift;
  error?: EndpointMonitoringError | UsageError;
}

/** Kinds that are compared, and drift that does not count. */
export interface LookScope {
  kinds: ReadonlySet<KindName>;
  ignores: IgnoreList;
  /** Whether all kinds will be listed in any case: then they are while the engine reads the state. */
  listsAll?: boolean;
}

/** The stacks after something was done about their drift. */
export interface Reconciled {
  looks: Look[];
  outcome: DriftOutcome & { files?: string[] };
  interrupted: boolean;
}

/**
 * Reads a stack and looks at what it manages. A failure is part of the look, so that other stacks are still looked at.
 *
 * @param declared resources as they were declared before something happened: their inputs count, not those in state now
 */
export async function lookAtStack(
  stack: ProjectStack,
  sessions: Sessions,
  { kinds, ignores, listsAll }: LookScope,
  declared: (managed: readonly ManagedResource[]) => readonly ManagedResource[] = (managed) => managed,
): Promise<Look> {
  const look: Look = { stack, managed: [], drift: { stack: stack.name, resources: 0, changed: [], missing: [], notes: [] } };
  // At the same time as the state, which takes the engine as long as this takes. What fails is said below.
  const session = sessions.of(stack);
  void session.then((own) => (listsAll ? listAhead(own, kinds) : undefined)).catch(() => undefined);
  try {
    look.resources = (await stack.heldState()).resources;
    look.managed = declared(managedAmong(stack.name, look.resources).filter(({ kindName }) => kinds.has(kindName)));
    look.session = await needed(session, look.managed.length > 0);
    look.drift = await lookAt(stack.name, look.managed, look.session, ignores);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError || error instanceof UsageError)) throw error;
    look.error = error;
    const code = error instanceof EndpointMonitoringError ? error.code : "usage";
    look.drift = { ...look.drift, resources: look.managed.length, error: { code, message: error.message } };
  }
  return look;
}

/** A stack that manages nothing of ours may have no settings of ours: then nothing is requested. @throws ConfigurationError */
async function needed(session: Promise<Session>, isNeeded: boolean): Promise<Session | undefined> {
  try {
    return await session;
  } catch (error) {
    if (isNeeded || !(error instanceof ConfigurationError)) throw error;
    return undefined;
  }
}

export function leftOf({ drift }: Look, reasons: ReadonlyMap<string, string>): DriftOutcome["left"] {
  return [...drift.changed, ...drift.missing].flatMap((resource) => {
    const reason = reasons.get(resource.urn);
    return reason === undefined ? [] : [{ ...bare(resource), reason }];
  });
}

/** Properties that cannot be seen, of the resources that have them. A run is over: nothing of it can change. */
export function unseenProperties(looks: readonly Look[]): UnseenProperty[] {
  const managed = looks.flatMap((look) => look.managed).filter(({ kind }) => kind.origin !== undefined);
  const byKind = [...Map.groupBy(managed, ({ kindName }) => kindName)].toSorted(([a], [b]) => compareText(a, b));
  return byKind.flatMap(([kind, all]) => {
    const properties = all[0]?.kind.writeOnly ?? [];
    const counts = properties.map((property) => ({
      kind,
      property,
      resources: all.filter((resource) => mayHave(resource, property)).length,
    }));
    return counts.filter(({ resources }) => resources > 0);
  });
}

/** Whether a resource has a property that is never returned. Where an import could not know that: whether it can have one. */
function mayHave({ kind, inputs, outputs }: ManagedResource, property: string): boolean {
  if (inputs[property] !== undefined || outputs[property] !== undefined) return true;
  if (!listOf(outputs["unknownFields"]).includes(property)) return false;
  return check(kind, { ...inputs, [property]: unknownValue }).failures.length === 0;
}

/** Counts the resources that an update or a refresh is done with, each once: an update refreshes each of them before. */
export function counting(urns: readonly string[], out: Output): (step: UpdateStep) => void {
  const left = new Set(urns);
  return ({ op, urn }) => {
    if (op !== "refresh" && left.delete(urn)) out.count(urns.length - left.size, urns.length);
  };
}

/** Message when the user interrupts the check that follows an update. */
export function notLookedAt(stack: string): string {
  return `Stack ${stack} was updated, and what it left was not looked at: run the command again.`;
}
