import { ConfigurationError, EndpointMonitoringError } from "../../api";
import type { KindName } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { stable } from "../../provider/values";
import { UsageError } from "../command";
import { type EngineResource, type ManagedResource, managedAmong } from "../engine/state";
import { lookAt } from "./look";
import type { StackDrift } from "./report";
import type { ProjectStack } from "../engine/stack";

/** Sessions with the service: stacks with the same settings share one, so that nothing is asked twice. */
export class Sessions {
  readonly #made = new Map<string, Session>();

  /** @throws ConfigurationError */
  async of(stack: ProjectStack): Promise<Session> {
    const session = await stack.session();
    const key = stable(session.settings);
    const made = this.#made.get(key) ?? session;
    this.#made.set(key, made);
    return made;
  }
}

/** A stack as it was looked at. */
export interface Look {
  stack: ProjectStack;
  /** Its whole state; nothing where it could not be read. */
  resources?: readonly EngineResource[];
  held: readonly ManagedResource[];
  /** Absent where the stack has no settings, and needs none. */
  session?: Session;
  drift: StackDrift;
  /** Why it could not be looked at. */
  error?: EndpointMonitoringError | UsageError;
}

/** What of a stack is looked at. */
export interface Scope {
  kinds: ReadonlySet<KindName>;
}

/**
 * Reads a stack and looks at what it holds. What fails is told in the look, so that other stacks are still looked at.
 *
 * @param declared resources as they were declared before something happened: their inputs count, not those in state now
 */
export async function lookAtStack(
  stack: ProjectStack,
  sessions: Sessions,
  { kinds }: Scope,
  declared: (held: readonly ManagedResource[]) => readonly ManagedResource[] = (held) => held,
): Promise<Look> {
  const look: Look = { stack, held: [], drift: { stack: stack.name, resources: 0, changed: [], missing: [], notes: [] } };
  try {
    look.resources = await stack.resources();
    look.held = declared(managedAmong(stack.name, look.resources).filter(({ kindName }) => kinds.has(kindName)));
    look.session = await sessionOf(stack, sessions, look.held.length > 0);
    look.drift = await lookAt(stack.name, look.held, look.session);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError || error instanceof UsageError)) throw error;
    look.error = error;
    const code = error instanceof EndpointMonitoringError ? error.code : "usage";
    look.drift = { ...look.drift, resources: look.held.length, error: { code, message: error.message } };
  }
  return look;
}

/** A stack that holds nothing of ours may have no settings of ours: then there is nothing to ask. @throws ConfigurationError */
async function sessionOf(stack: ProjectStack, sessions: Sessions, needed: boolean): Promise<Session | undefined> {
  try {
    return await sessions.of(stack);
  } catch (error) {
    if (needed || !(error instanceof ConfigurationError)) throw error;
    return undefined;
  }
}
