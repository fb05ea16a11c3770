import { pickWriteOnly } from "../../../provider/state";
import { compact } from "../../../provider/values";
import { managedAmong, type ManagedResource } from "../../../engine/state";
import type { Output } from "../../report/output";
import { referenceTo } from "./stack-drift";
import { pendingIn, planOf, previewProgram, replacementsOf } from "./plan";
import { bare, type ChangedResource, type DriftOutcome, inOrder, type MissingResource, type Replacement } from "./data";
import { compareAgain, updateTargets } from "./stacks";
import { UsageError } from "../../../common/errors";
import { announce } from "../review/announce";
import { judge } from "../../../plan/judge/judge";
import { operationOf } from "../../../plan/steps";
import { previewStack } from "../../../engine/preview";
import { targetArguments } from "../../../engine/run";
import type { ComparedStack, DriftScope, Reconciled } from "./model";

type FixOutcome = Required<DriftOutcome>;

/** Fixes the drift of all stacks, even if the fix of one stack fails. */
export async function fixAll(compared: readonly ComparedStack[], scope: DriftScope, out: Output): Promise<Reconciled> {
  const outcome: FixOutcome = { resources: [], replaced: [], left: [], pending: [], failures: [] };
  const done: Reconciled = { compared: [...compared], outcome, interrupted: false };
  for (const [at, comparedStack] of compared.entries()) {
    if (done.interrupted || comparedStack.drift.changed.length + comparedStack.drift.missing.length === 0) continue;
    try {
      const fixed = await fix(comparedStack, scope, outcome, out);
      done.compared[at] = fixed.comparedStack;
      done.interrupted = fixed.interrupted;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      outcome.failures.push(error.message);
    }
  }
  return done;
}

/**
 * Fixes the drift of a stack with an update that targets only the drifted resources. The update does not apply other changes that the
 * program contains.
 *
 * @throws UsageError before any change if the program cannot be previewed
 */
async function fix(
  before: ComparedStack,
  scope: DriftScope,
  outcome: FixOutcome,
  out: Output,
): Promise<{ comparedStack: ComparedStack; interrupted: boolean }> {
  const { stack, drift, resources = [] } = before;
  out.progress(`Previewing stack ${stack.name}`);
  const ops = await previewProgram(stack);
  const { groups, left } = planOf(drift, resources, ops);
  const targets = new Set(groups.flat());
  const doing = (urns: readonly string[]): string =>
    `Updating ${urns.length} of ${targets.size} resources of stack ${stack.name}`;
  // With `--continue-on-error`, the failure of one resource does not prevent the fix of other resources.
  const args = ["up", "--yes", "--skip-preview", ...fixArguments, "--continue-on-error"];
  const { failures, interrupted } = await updateTargets(stack, args, groups, doing, out, (urns) => showFix(before, urns, out));
  for (const failure of failures) outcome.failures.push(failure);
  const comparedStack = targets.size === 0 ? before : await compareAfter(before, scope, out);
  for (const resource of fixedBetween(before, comparedStack, targets)) outcome.resources.push(resource);
  for (const resource of replacedBetween(before, comparedStack)) outcome.replaced.push(resource);
  for (const resource of [...drift.changed, ...drift.missing]) {
    const reason = left.get(resource.urn);
    if (reason !== undefined) outcome.left.push({ ...bare(resource), reason });
  }
  for (const change of pendingIn(ops)) outcome.pending.push({ stack: stack.name, ...change });
  return { comparedStack, interrupted };
}

const fixArguments = ["--refresh", "--run-program"];

/**
 * Shows a review of the fix.
 * @throws UsageError if the engine cannot preview the fix
 */
async function showFix({ stack, session }: ComparedStack, urns: readonly string[], out: Output): Promise<void> {
  const args = ["--show-sames", "--show-replacement-steps", ...fixArguments, ...targetArguments(urns)];
  const preview = await previewStack(stack, `The fix of stack ${stack.name} cannot be previewed`, args);
  const source = { operation: operationOf(preview), session: () => (session ? Promise.resolve(session) : stack.session()) };
  await announce(await judge(source, out), stack.project.folder, out, "drift");
}

/**
 * Compares a stack after an update with the inputs from before the update. The update refreshed the state, so the inputs in the state may
 * be values from the service.
 */
async function compareAfter({ stack, managed, drift }: ComparedStack, scope: DriftScope, out: Output): Promise<ComparedStack> {
  const changed = new Set(drift.changed.map(({ urn }) => urn));
  const before = new Map(managed.filter(({ urn }) => changed.has(urn)).map((resource) => [resource.urn, resource]));
  const comparedStack = await compareAgain(stack, scope, out, (now) =>
    now.map((resource) => {
      const earlier = before.get(resource.urn);
      if (earlier?.id !== resource.id) return resource;
      // If the service never returns an input, a refresh deletes the input from the state, but the update sets it again.
      return { ...resource, inputs: compact({ ...pickWriteOnly(resource.kind, resource.inputs), ...earlier.inputs }) };
    }),
  );
  const existing = new Set(comparedStack.resources?.map(({ urn }) => urn));
  const missing = drift.missing.filter(({ urn }) => comparedStack.resources && !existing.has(urn));
  return { ...comparedStack, drift: { ...comparedStack.drift, missing: [...missing, ...comparedStack.drift.missing] } };
}

/** Returns the resources that an update fixed, and the resources that the update replaced as a consequence. */
function fixedBetween(before: ComparedStack, after: ComparedStack, targets: ReadonlySet<string>): DriftOutcome["resources"] {
  if (after.error) return [];
  const still = new Set([...after.drift.changed, ...after.drift.missing].map(({ urn }) => urn));
  const fixed = [...before.drift.changed, ...before.drift.missing].filter(({ urn }) => targets.has(urn) && !still.has(urn));
  const urns = new Set(fixed.map(({ urn }) => urn));
  const idOf = new Map((after.resources ?? []).map(({ urn, id }) => [urn, id]));
  const followers = withNewId(before, after).filter(({ urn }) => targets.has(urn) && !urns.has(urn));
  return [
    ...fixed.map((resource) => ({ ...bare(resource), id: idOf.get(resource.urn) ?? resource.id, ...howOf(resource) })),
    ...inOrder(followers.map(referenceTo)).map((resource) => ({ ...resource, how: "followed" as const, properties: [] })),
  ];
}

function howOf(resource: ChangedResource | MissingResource): Pick<DriftOutcome["resources"][number], "how" | "properties"> {
  if (!("properties" in resource)) return { how: "created again", properties: [] };
  const properties = resource.properties.map(({ property }) => property);
  return { how: resource.replacementCost === undefined ? "changed" : "replaced", properties };
}

/** Returns the resources that an update replaced, except resources that were missing before the update. */
export function replacedBetween(before: ComparedStack, after: ComparedStack): Replacement[] {
  const missing = new Set(before.drift.missing.map(({ urn }) => urn));
  const urns = withNewId(before, after).map(({ urn }) => urn);
  return replacementsOf(after, new Set(urns.filter((urn) => !missing.has(urn))));
}

function withNewId(before: ComparedStack, { stack, resources = [] }: ComparedStack): ManagedResource[] {
  const ids = new Map((before.resources ?? []).map(({ urn, id }) => [urn, id]));
  return managedAmong(stack.name, resources).filter(({ urn, id }) => ids.has(urn) && ids.get(urn) !== id);
}
