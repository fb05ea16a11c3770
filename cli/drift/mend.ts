import { UsageError } from "../command";
import { type EngineResource, heldOf, type Held } from "../held";
import type { Output } from "../output";
import { inRuns, preview, reasonsOf, targetArguments } from "./engine";
import { referenceTo } from "./look";
import { type Done, emptyOutcome, leftOf } from "./outcome";
import { inOrder } from "./order";
import { planOf } from "./plan";
import { replacedBetween, replacementsOf } from "./replacements";
import { bare, type ChangedResource, type MissingResource, type Outcome, type Replacement, type ResourceRef } from "./report";
import { lookAtStack, type Look, type Scope, Sessions } from "./stacks";
import { notLookedAt, replacementLines } from "./words";

/** Puts the drift of all stacks right, one after the other; one that fails does not keep the others from it. */
export async function mendAll(looks: readonly Look[], scope: Scope, out: Output): Promise<Done> {
  const done: Done = { looks: [...looks], outcome: emptyOutcome(), interrupted: false };
  for (const [at, look] of looks.entries()) {
    if (done.interrupted || look.drift.changed.length + look.drift.missing.length === 0) continue;
    try {
      const one = await mend(look, scope, out);
      done.looks[at] = one.look;
      done.interrupted = one.interrupted;
      done.outcome = together(done.outcome, one.outcome);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      done.outcome.failures.push(error.message);
    }
  }
  return done;
}

function together(a: Outcome, b: Outcome): Outcome {
  return {
    resources: [...a.resources, ...b.resources],
    replaced: [...(a.replaced ?? []), ...(b.replaced ?? [])],
    left: [...a.left, ...b.left],
    pending: [...a.pending, ...b.pending],
    failures: [...a.failures, ...b.failures],
  };
}

/**
 * Puts the drift of a stack right by an update of the drifted resources alone: each is refreshed, and then made what the program
 * declares. Other changes of the program stay where they are. Afterwards the stack is looked at again.
 *
 * @throws UsageError where the program can't be previewed: nothing has been done then
 */
async function mend(before: Look, scope: Scope, out: Output): Promise<{ look: Look; outcome: Outcome; interrupted: boolean }> {
  const { stack, drift, resources = [] } = before;
  out.progress(`Previewing stack ${stack.name}`);
  const previewed = await preview(stack);
  const { groups, replaced, left } = planOf(drift, resources, previewed);
  if (replaced.size > 0) out.note(plannedText(stack.name, replacementsOf(before, replaced)));
  const targets = new Set(groups.flat());
  const failures: string[] = [];
  let interrupted = false;
  for (const urns of inRuns(groups)) {
    out.progress(`Updating ${urns.length} of ${targets.size} resources of stack ${stack.name}`);
    // The preview that comes first stops all of it where a step is not possible, before the state is touched. After that, what one
    // resource is refused does not keep the others from being mended.
    const options = ["--yes", "--refresh", "--run-program", "--continue-on-error"];
    const run = await stack.run(["up", ...options, ...targetArguments(urns)]);
    interrupted = run.interrupted;
    if (run.code !== 0) failures.push(...reasonsOf(run));
    if (run.code !== 0 || interrupted) break;
  }
  if (targets.size > 0) out.doneSoFar = notLookedAt(stack.name);
  out.progress(`Looking at stack ${stack.name} again`);
  const look = targets.size === 0 ? before : await lookAgain(before, scope);
  const pending = previewed.pending.map((one) => ({ stack: stack.name, ...one }));
  return {
    look,
    interrupted,
    outcome: {
      resources: mended(before, look, targets),
      replaced: replacedBetween(before, look),
      left: leftOf(before, left),
      pending,
      failures,
    },
  };
}

/** What is about to be replaced: it is reported before anything is done, as there is no way back. */
function plannedText(stack: string, replacements: readonly Replacement[]): string {
  return [`Mending stack ${stack} replaces:`, ...replacementLines(replacements).map((line) => `  ${line}`)].join("\n");
}

/**
 * Looks at a stack after an update. The refresh in front of an update that failed has taken what the service holds into the state:
 * what was declared before still counts.
 */
async function lookAgain({ stack, held, drift }: Look, scope: Scope): Promise<Look> {
  const before = new Map(held.map((one) => [one.urn, one]));
  const changed = new Set(drift.changed.map(({ urn }) => urn));
  const declared = (now: readonly Held[]): Held[] =>
    now.map((one) => {
      const former = changed.has(one.urn) ? before.get(one.urn) : undefined;
      return former?.id === one.id ? { ...one, inputs: former.inputs } : one;
    });
  // New sessions: what they know of the service is from before.
  const look = await lookAtStack(stack, new Sessions(), scope, declared);
  const there = new Set(look.resources?.map(({ urn }) => urn));
  const missing = drift.missing.filter(({ urn }) => look.resources && !there.has(urn));
  return { ...look, drift: { ...look.drift, missing: [...missing, ...look.drift.missing] } };
}

function mended(before: Look, after: Look, targets: ReadonlySet<string>): Outcome["resources"] {
  if (after.error) return [];
  const still = new Set([...after.drift.changed, ...after.drift.missing].map(({ urn }) => urn));
  const drifted = [...before.drift.changed, ...before.drift.missing].filter(({ urn }) => targets.has(urn) && !still.has(urn));
  const told = new Set(drifted.map(({ urn }) => urn));
  return [
    ...drifted.map((resource) => ({ ...withId(resource, after), ...howOf(resource) })),
    ...inOrder(followers(before, after, targets))
      .filter(({ urn }) => !told.has(urn))
      .map((resource) => ({ ...resource, how: "followed" as const, properties: [] })),
  ];
}

function howOf(resource: ChangedResource | MissingResource): Pick<Outcome["resources"][number], "how" | "properties"> {
  if (!("properties" in resource)) return { how: "created again", properties: [] };
  const properties = resource.properties.map(({ property }) => property);
  return { how: resource.replacementCost === undefined ? "changed" : "replaced", properties };
}

/** A resource with the id it has now. */
function withId(resource: ResourceRef, { resources = [] }: Look): ResourceRef {
  return { ...bare(resource), id: resources.find(({ urn }) => urn === resource.urn)?.id ?? resource.id };
}

/** Resources of ours that another one took along. */
function followers(
  { stack, resources: before = [] }: Look,
  { resources: after = [] }: Look,
  targets: ReadonlySet<string>,
): ResourceRef[] {
  const former = new Map(before.map((resource) => [resource.urn, resource]));
  const isNew = (resource: EngineResource): boolean =>
    targets.has(resource.urn) && former.get(resource.urn)?.id !== resource.id && former.has(resource.urn);
  return after.filter(isNew).flatMap((resource) => {
    const held = heldOf(stack.name, resource);
    return held ? [referenceTo(held)] : [];
  });
}
