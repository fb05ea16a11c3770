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

/** Sessions by their settings. Stacks with equal settings share a session, so that no request is repeated. */
type Sessions = Map<string, Session>;

/** Returns resources with the inputs from before an update in place of the inputs in the state. */
type Declared = (managed: readonly ManagedResource[]) => readonly ManagedResource[];

/** Reads and compares a stack. A failure is part of the result, so that other stacks are still compared. */
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
  // The engine decrypts the settings at the same time as it exports the state. A failure is reported below.
  const session = stack.session().then((own) => {
    const key = stable(own.settings);
    const shared = sessions.get(key) ?? own;
    sessions.set(key, shared);
    return shared;
  });
  void session.then((own) => (listsAll ? listAhead(own, kinds) : undefined)).catch(() => undefined);
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

/** Counts resources by properties that the service never returns. Test runs are not counted, because they cannot change. */
export function unseenProperties(compared: readonly ComparedStack[]): UnseenProperty[] {
  const managed = compared.flatMap((comparedStack) => comparedStack.managed).filter(({ kind }) => kind.origin !== undefined);
  const byKind = [...Map.groupBy(managed, ({ kindName }) => kindName)].toSorted(([a], [b]) => compareText(a, b));
  return byKind.flatMap(([kind, all]) => {
    const properties = all[0]?.kind.writeOnly ?? [];
    return properties.flatMap((property) => {
      const resources = all.filter((resource) => mayHave(resource, property)).length;
      return resources > 0 ? [{ kind, property, resources }] : [];
    });
  });
}

/** Whether a resource has such a property, or may have it because an import could not know the value. */
function mayHave({ kind, inputs, outputs }: ManagedResource, property: string): boolean {
  if (inputs[property] !== undefined || outputs[property] !== undefined) return true;
  if (!listOf(outputs["unknownFields"]).includes(property)) return false;
  return check(kind, { ...inputs, [property]: unknownValue }).failures.length === 0;
}

/**
 * Updates or refreshes resources of a stack with the engine, in as few runs as possible. Stops after a failed run.
 *
 * @param groups URNs. Each group stays in one run
 * @param doing describes a run
 * @param before called before each run
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
    const left = new Set(urns);
    // An update first refreshes each resource. The refresh is not counted.
    const count = ({ op, urn }: UpdateStep): void => {
      if (op !== "refresh" && left.delete(urn)) out.count(urns.length - left.size, urns.length);
    };
    const { run, failures } = await carryOut(stack, [...args, ...targetArguments(urns)], count);
    const { code, interrupted } = run;
    if (code !== 0 || interrupted) return { failures: failures.map(({ reason }) => reason), interrupted };
  }
  return { failures: [], interrupted: false };
}

/**
 * Compares a stack after an update. Uses new sessions, because existing sessions have cached the lists from before the update.
 */
export function compareAgain(stack: ProjectStack, scope: DriftScope, out: Output, declared?: Declared): Promise<ComparedStack> {
  out.doneSoFar = `Stack ${stack.name} was updated, but the result was not checked: run the command again.`;
  out.progress(`Comparing stack ${stack.name} again`);
  return compareStack(stack, new Map(), scope, declared);
}
