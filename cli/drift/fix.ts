import { UsageError } from "../command";
import { inRuns, targetArguments } from "../engine/run";
import { type EngineResource, managedOf, type ManagedResource } from "../engine/state";
import { carryOut } from "../engine/update";
import type { Output } from "../report/output";
import { inText } from "../report/terminal";
import { replacementItems } from "./document";
import { referenceTo } from "./look";
import { planOf } from "./plan";
import { pendingIn, previewProgram } from "./program-preview";
import { replacedBetween, replacementsOf } from "./replacements";
import {
  bare,
  type ChangedResource,
  type DriftOutcome,
  emptyOutcome,
  inOrder,
  type MissingResource,
  type ResourceRef,
} from "./report";
import { counting, leftOf, type Look, lookAtStack, type LookScope, type Reconciled, Sessions, notLookedAt } from "./stacks";

/** Fixes the drift of all stacks, one after the other; one that fails does not keep the others from it. */
export async function fixAll(looks: readonly Look[], scope: LookScope, out: Output): Promise<Reconciled> {
  const done: Reconciled = { looks: [...looks], outcome: emptyOutcome(), interrupted: false };
  for (const [at, look] of looks.entries()) {
    if (done.interrupted || look.drift.changed.length + look.drift.missing.length === 0) continue;
    try {
      const fixed = await fix(look, scope, out);
      done.looks[at] = fixed.look;
      done.interrupted = fixed.interrupted;
      done.outcome = together(done.outcome, fixed.outcome);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      done.outcome.failures.push(error.message);
    }
  }
  return done;
}

function together(a: DriftOutcome, b: DriftOutcome): DriftOutcome {
  return {
    resources: [...a.resources, ...b.resources],
    replaced: [...(a.replaced ?? []), ...(b.replaced ?? [])],
    left: [...a.left, ...b.left],
    pending: [...a.pending, ...b.pending],
    failures: [...a.failures, ...b.failures],
  };
}

/**
 * Fixes the drift of a stack by an update of the drifted resources alone: each is refreshed, and then made what the program
 * declares. Other changes of the program stay where they are. Afterwards the stack is looked at again.
 *
 * @throws UsageError where the program cannot be previewed: nothing has been done then
 */
async function fix(
  before: Look,
  scope: LookScope,
  out: Output,
): Promise<{ look: Look; outcome: DriftOutcome; interrupted: boolean }> {
  const { stack, drift, resources = [] } = before;
  out.progress(`Previewing stack ${stack.name}`);
  const ops = await previewProgram(stack);
  const { groups, replaced, left } = planOf(drift, resources, ops);
  if (replaced.size > 0) {
    // There is no way back.
    const items = replacementItems(replacementsOf(before, replaced)).map((item) => `  ${inText(item)}`);
    out.note([`Fixing stack ${stack.name} replaces:`, ...items].join("\n"));
  }
  const targets = new Set(groups.flat());
  const failures: string[] = [];
  let interrupted = false;
  for (const urns of inRuns(groups)) {
    out.progress(`Updating ${urns.length} of ${targets.size} resources of stack ${stack.name}`);
    // The preview that comes first stops all of it where a step is not possible, before the state is touched. After that, what one
    // resource is refused does not keep the others from being fixed.
    const options = ["--yes", "--refresh", "--run-program", "--continue-on-error"];
    const { run, failures: found } = await carryOut(stack, ["up", ...options, ...targetArguments(urns)], counting(urns, out));
    interrupted = run.interrupted;
    if (run.code !== 0) failures.push(...found.map(({ reason }) => reason));
    if (run.code !== 0 || interrupted) break;
  }
  if (targets.size > 0) out.doneSoFar = notLookedAt(stack.name);
  out.progress(`Looking at stack ${stack.name} again`);
  const look = targets.size === 0 ? before : await lookAgain(before, scope);
  return {
    look,
    interrupted,
    outcome: {
      resources: fixedBetween(before, look, targets),
      replaced: replacedBetween(before, look),
      left: leftOf(before, left),
      pending: pendingIn(ops).map((change) => ({ stack: stack.name, ...change })),
      failures,
    },
  };
}

/**
 * Looks at a stack after an update. The refresh in front of an update that failed has taken what the service holds into the state:
 * what was declared before still counts.
 */
async function lookAgain({ stack, managed, drift }: Look, scope: LookScope): Promise<Look> {
  const before = new Map(managed.map((resource) => [resource.urn, resource]));
  const changed = new Set(drift.changed.map(({ urn }) => urn));
  const declared = (now: readonly ManagedResource[]): ManagedResource[] =>
    now.map((resource) => {
      const earlier = changed.has(resource.urn) ? before.get(resource.urn) : undefined;
      return earlier?.id === resource.id ? { ...resource, inputs: earlier.inputs } : resource;
    });
  // New sessions: what they know of the service is from before.
  const look = await lookAtStack(stack, new Sessions(), scope, declared);
  const existing = new Set(look.resources?.map(({ urn }) => urn));
  const missing = drift.missing.filter(({ urn }) => look.resources && !existing.has(urn));
  return { ...look, drift: { ...look.drift, missing: [...missing, ...look.drift.missing] } };
}

function fixedBetween(before: Look, after: Look, targets: ReadonlySet<string>): DriftOutcome["resources"] {
  if (after.error) return [];
  const still = new Set([...after.drift.changed, ...after.drift.missing].map(({ urn }) => urn));
  const fixed = [...before.drift.changed, ...before.drift.missing].filter(({ urn }) => targets.has(urn) && !still.has(urn));
  const urns = new Set(fixed.map(({ urn }) => urn));
  const idOf = new Map((after.resources ?? []).map(({ urn, id }) => [urn, id]));
  return [
    ...fixed.map((resource) => ({ ...bare(resource), id: idOf.get(resource.urn) ?? resource.id, ...howOf(resource) })),
    ...inOrder(followers(before, after, targets))
      .filter(({ urn }) => !urns.has(urn))
      .map((resource) => ({ ...resource, how: "followed" as const, properties: [] })),
  ];
}

function howOf(resource: ChangedResource | MissingResource): Pick<DriftOutcome["resources"][number], "how" | "properties"> {
  if (!("properties" in resource)) return { how: "created again", properties: [] };
  const properties = resource.properties.map(({ property }) => property);
  return { how: resource.replacementCost === undefined ? "changed" : "replaced", properties };
}

/** Resources of ours that got another id along with one that was fixed. */
function followers(
  { stack, resources: before = [] }: Look,
  { resources: after = [] }: Look,
  targets: ReadonlySet<string>,
): ResourceRef[] {
  const earlier = new Map(before.map(({ urn, id }) => [urn, id]));
  const isNew = ({ urn, id }: EngineResource): boolean => targets.has(urn) && earlier.has(urn) && earlier.get(urn) !== id;
  return after.filter(isNew).flatMap((resource) => {
    const managed = managedOf(stack.name, resource);
    return managed ? [referenceTo(managed)] : [];
  });
}
