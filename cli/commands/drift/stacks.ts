import type { ComparedStack, DriftScope } from "./model";
import { ConfigurationError, EndpointMonitoringError } from "../../../api";
import { check } from "../../../provider/check";
import { listOf } from "../../../provider/compare";
import type { Session } from "../../../provider/session";
import { stable, unknownValue } from "../../../provider/values";
import { inRuns, targetArguments } from "../../../engine/run";
import type { ProjectStack } from "../../../engine/stack";
import { managedAmong, type ManagedResource } from "../../../engine/state";
import { carryOut, type UpdateStep } from "../../../engine/update";
import type { Output } from "../../report/output";
import { compareText } from "../../../common/text";
import { readStackDrift } from "./stack-drift";
import { listAhead } from "./unmanaged";
import type { UnseenProperty } from "./data";
import { UsageError } from "../../../common/errors";

/** Maps settings to sessions. Stacks with equal settings share a session and its cached lists. */
type Sessions = Map<string, Session>;

/** Replaces the inputs in the state with the inputs from before an update. */
type Declared = (managed: readonly ManagedResource[]) => readonly ManagedResource[];

/** Reads and compares a stack. If the comparison fails, the result contains the error, and other stacks are not affected. */
export async function compareStack(
  stack: ProjectStack,
  sessions: Sessions,
  { kinds, ignores, listsAll }: DriftScope,
  declared: Declared = (managed) => managed,
): Promise<ComparedStack> {
  const comparedStack: ComparedStack = {
    stack,
    managed: [],
    drift: { stack: stack.name, resources: 0, changed: [], missing: [], notes: [] },
  };
  // To save time, the function decrypts the settings while the engine exports the state.
  const session = stack.session().then((opened) => {
    const key = stable(opened.settings);
    const shared = sessions.get(key) ?? opened;
    sessions.set(key, shared);
    return shared;
  });
  void session.then((opened) => (listsAll ? listAhead(opened, kinds) : undefined)).catch(() => undefined);
  try {
    comparedStack.resources = (await stack.heldState()).resources;
    comparedStack.managed = declared(
      managedAmong(stack.name, comparedStack.resources).filter(({ kindName }) => kinds.has(kindName)),
    );
    comparedStack.session = await session.catch((error: unknown) => {
      // A stack without resources of this package may lack the settings for a session.
      if (comparedStack.managed.length > 0 || !(error instanceof ConfigurationError)) throw error;
      return undefined;
    });
    comparedStack.drift = await readStackDrift(stack.name, comparedStack.managed, comparedStack.session, ignores);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError || error instanceof UsageError)) throw error;
    const code = error instanceof EndpointMonitoringError ? error.code : "usage";
    comparedStack.error = error;
    comparedStack.drift = {
      ...comparedStack.drift,
      resources: comparedStack.managed.length,
      error: { code, message: error.message },
    };
  }
  return comparedStack;
}

/**
 * For each property that the service never returns, counts the resources with the property. Test runs do not count, because a test run
 * cannot change.
 */
export function unseenProperties(compared: readonly ComparedStack[]): UnseenProperty[] {
  const managed = compared.flatMap((comparedStack) => comparedStack.managed).filter(({ kind }) => kind.origin !== undefined);
  const byKind = [...Map.groupBy(managed, ({ kindName }) => kindName)].toSorted(([a], [b]) => compareText(a, b));
  return byKind.flatMap(([kind, ofKind]) => {
    const properties = ofKind[0]?.kind.writeOnly ?? [];
    return properties.flatMap((property) => {
      const resources = ofKind.filter((resource) => mayHave(resource, property)).length;
      return resources > 0 ? [{ kind, property, resources }] : [];
    });
  });
}

/** Whether a resource has a write-only property, or may have it after an import. */
function mayHave({ kind, inputs, outputs }: ManagedResource, property: string): boolean {
  if (inputs[property] !== undefined || outputs[property] !== undefined) return true;
  if (!listOf(outputs["unknownFields"]).includes(property)) return false;
  return check(kind, { ...inputs, [property]: unknownValue }).failures.length === 0;
}

/**
 * Updates or refreshes resources of a stack with as few runs of the engine as possible. The function stops after a failed run of the
 * engine.
 *
 * @param groups groups of URNs. The engine must process all URNs of a group in the same run
 * @param doing function that returns the progress text for a run of the engine
 * @param before function that is called before each run of the engine
 */
export async function updateTargets(
  stack: ProjectStack,
  args: readonly string[],
  groups: readonly (readonly string[])[],
  doing: (urns: readonly string[]) => string,
  out: Output,
  before: (urns: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<{ failures: string[]; interrupted: boolean }> {
  for (const urns of inRuns(groups)) {
    await before(urns);
    out.progress(doing(urns));
    const remaining = new Set(urns);
    // An update also has a refresh step for each resource, and these steps do not count as progress.
    const count = ({ op, urn }: UpdateStep): void => {
      if (op !== "refresh" && remaining.delete(urn)) out.count(urns.length - remaining.size, urns.length);
    };
    const { run, failures } = await carryOut(stack, [...args, ...targetArguments(urns)], count);
    const { code, interrupted } = run;
    if (code !== 0 || interrupted) return { failures: failures.map(({ reason }) => reason), interrupted };
  }
  return { failures: [], interrupted: false };
}

/** Compares a stack after an update. The function uses new sessions, because an existing session contains lists from before the update. */
export function compareAgain(stack: ProjectStack, scope: DriftScope, out: Output, declared?: Declared): Promise<ComparedStack> {
  out.doneSoFar = `Stack ${stack.name} was updated, but the result was not checked: run the command again.`;
  out.progress(`Comparing stack ${stack.name} again`);
  return compareStack(stack, new Map(), scope, declared);
}
