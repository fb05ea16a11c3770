import { UsageError } from "../command";
import { type ManagedResource, managedAmong } from "../engine/state";
import type { Output } from "../report/output";
import type { Project } from "../engine/project";
import { acceptWhole, type Hindrance, type WholeAcceptance, type Wish } from "./accept-whole";
import { referenceTo } from "./look";
import { type ResourceRef, emptyOutcome, inOrder, type DriftOutcome } from "./report";
import { putBack, writeSource } from "./source-files";
import { lookAtStack, type Look, notLookedAt, Sessions, type Reconciled, type LookScope } from "./stacks";
import type { ProjectStack } from "../engine/stack";
import { inRuns, targetArguments } from "../engine/run";
import { previewProgram } from "./program-preview";
import { reasonsOf } from "../engine/diagnostics";

/** Writes what the service holds into the program, and brings the state in line. */
export async function acceptAll(project: Project, looks: readonly Look[], scope: LookScope, out: Output): Promise<Reconciled> {
  const outcome = { ...emptyOutcome(), files: [], left: gone(looks) };
  const done = { looks: [...looks], outcome, interrupted: false };
  if (!looks.some(({ drift }) => drift.changed.length > 0)) return done;
  try {
    await acceptInto(done, project, looks, scope, out);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    done.outcome.failures.push(error.message);
  }
  return done;
}

/**
 * The engine has to say that the edited program changes nothing of what was accepted; till then only the source is touched, and it is
 * put back where the engine says otherwise.
 *
 * @throws UsageError where the source can't be read or written, or the edited program does not run
 */
async function acceptInto(
  done: Reconciled & { outcome: { files: string[] } },
  project: Project,
  looks: readonly Look[],
  scope: LookScope,
  out: Output,
): Promise<void> {
  const { outcome } = done;
  const wishes = [...looks.flatMap(wishesOf), ...(await declaredElsewhere(project, looks, out))];
  const contrary = new Map<ManagedResource, Hindrance>();
  let whole: WholeAcceptance;
  for (;;) {
    out.progress("Writing what is real into the program");
    whole = await acceptWhole(
      project.folder,
      wishes.map(({ held, changes }) => ({ held, changes: contrary.has(held) ? [] : changes })),
    );
    writeSource(project.folder, whole.edits);
    const found = await unlike(looks, whole, out).catch((error: unknown) => {
      putBack(project.folder, whole.edits);
      throw error;
    });
    if (found.size === 0) break;
    putBack(project.folder, whole.edits);
    // Each round leaves out at least one resource more.
    for (const [held, hindrance] of found) contrary.set(held, hindrance);
  }
  outcome.files = whole.edits.map(({ path }) => path);
  if (outcome.files.length > 0) out.doneSoFar = "The program is edited: run the command again for the rest.";
  const left = new Map([...(await placesNow(project.folder, wishes, whole)), ...contrary]);
  outcome.left.unshift(...leftOf(left));
  const targets = Map.groupBy(whole.accepted.keys(), ({ stack }) => stack);
  for (const [at, look] of looks.entries()) {
    const held = targets.get(look.stack.name) ?? [];
    if (held.length === 0 || done.interrupted) continue;
    const { failures, interrupted } = await bringInLine(look.stack, held, out);
    outcome.failures.push(...failures);
    done.interrupted = interrupted;
    out.doneSoFar = notLookedAt(look.stack.name);
    out.progress(`Looking at stack ${look.stack.name} again`);
    done.looks[at] = await lookAtStack(look.stack, new Sessions(), scope);
  }
  outcome.resources = acceptedOf(looks, whole);
}

/** Every resource of a stack: those that have not drifted tell what the program's references stand for. */
function wishesOf({ stack, resources = [], drift }: Look): Wish[] {
  const changes = new Map(drift.changed.map(({ urn, properties }) => [urn, properties]));
  return managedAmong(stack.name, resources).map((held) => ({ held, changes: changes.get(held.urn) ?? [] }));
}

/** The project's other stacks run the same program: what suits one stack must not change another. */
async function declaredElsewhere(project: Project, looks: readonly Look[], out: Output): Promise<Wish[]> {
  const held = await project.managedByOthers(
    new Set(looks.map(({ stack }) => stack.name)),
    ({ message }) => out.warn(`${message}. It runs the same program: look at its next preview`),
    (name) => out.progress(`Reading stack ${name}`),
  );
  return held.map((one) => ({ held: one, changes: [] }));
}

/** What the edited program would still change of what was accepted. @throws UsageError where it can't be previewed */
async function unlike(
  looks: readonly Look[],
  { accepted }: WholeAcceptance,
  out: Output,
): Promise<Map<ManagedResource, Hindrance>> {
  const found = new Map<ManagedResource, Hindrance>();
  for (const { stack } of looks) {
    const held = [...accepted.keys()].filter((one) => one.stack === stack.name);
    for (const urns of inRuns(held.map(({ urn }) => [urn]))) {
      out.progress(`Previewing stack ${stack.name}`);
      const { same } = await previewProgram(stack, ["--refresh", "--run-program", ...targetArguments(urns)]);
      for (const one of held.filter(({ urn }) => urns.includes(urn) && !same.has(urn))) {
        const reason = "the program changes it in another way too: run `pulumi up --refresh`, or take that back";
        found.set(one, { reason, position: accepted.get(one) });
      }
    }
  }
  return found;
}

/** What was in the way stands elsewhere once the files are written. */
async function placesNow(
  folder: string,
  wishes: readonly Wish[],
  { edits, left }: WholeAcceptance,
): Promise<Map<ManagedResource, Hindrance>> {
  if (edits.length === 0 || left.size === 0) return left;
  const again = await acceptWhole(
    folder,
    wishes.map(({ held, changes }) => ({ held, changes: left.has(held) ? changes : [] })),
  );
  return new Map([...left].map(([held, hindrance]) => [held, again.left.get(held) ?? hindrance]));
}

/** Takes what is real into the state: else the next update would make what the program says already, or replace for it. */
async function bringInLine(
  stack: ProjectStack,
  held: readonly ManagedResource[],
  out: Output,
): Promise<{ failures: string[]; interrupted: boolean }> {
  for (const urns of inRuns(held.map(({ urn }) => [urn]))) {
    out.progress(`Refreshing ${urns.length} of ${held.length} resources of stack ${stack.name}`);
    const run = await stack.run(["refresh", "--yes", "--skip-preview", "--run-program", ...targetArguments(urns)]);
    if (run.code === 0 && !run.interrupted) continue;
    const hint = "the program says what is real, the state does not yet: run this again";
    return {
      failures: [...reasonsOf(run).map((reason) => `stack ${stack.name}: ${reason}`), hint],
      interrupted: run.interrupted,
    };
  }
  return { failures: [], interrupted: false };
}

function acceptedOf(looks: readonly Look[], { accepted }: WholeAcceptance): DriftOutcome["resources"] {
  const changed = new Map(looks.flatMap(({ drift }) => drift.changed.map((one) => [one.urn, one.properties] as const)));
  return inStacks(
    [...accepted].map(([held, position]) => ({
      ...referenceTo({ ...held, position: position ?? held.position }),
      how: "accepted" as const,
      properties: (changed.get(held.urn) ?? []).map(({ property }) => property),
    })),
  );
}

function leftOf(hindrances: ReadonlyMap<ManagedResource, Hindrance>): DriftOutcome["left"] {
  return inStacks(
    [...hindrances].map(([held, { reason, position }]) => ({
      ...referenceTo({ ...held, position: position ?? held.position }),
      reason,
    })),
  );
}

/** The stacks in the order of their names, the resources of each in the order of all reports. */
function inStacks<T extends ResourceRef>(resources: readonly T[]): T[] {
  const stacks = Map.groupBy(resources, ({ stack }) => stack);
  return [...stacks.keys()].toSorted().flatMap((stack) => inOrder(stacks.get(stack) ?? []));
}

function gone(looks: readonly Look[]): DriftOutcome["left"] {
  const reason = "it has gone: delete its declaration, or --mend creates it again";
  return looks.flatMap(({ drift }) => drift.missing.map(({ referredToBy: _referredToBy, ...one }) => ({ ...one, reason })));
}
