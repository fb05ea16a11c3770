import { InterruptedError, UsageError } from "../command";
import { PreviewError } from "../engine/preview";
import type { Project } from "../engine/project";
import { inRuns, targetArguments } from "../engine/run";
import { type ManagedResource, managedAmong, type Position } from "../engine/state";
import { carryOut } from "../engine/update";
import type { Output } from "../report/output";
import { counted, messageOf } from "../report/text";
import { Acceptor } from "../edit/accept";
import type { Acceptance, AcceptedResource, FileEdit, Reality, Unplaced } from "../edit/accepted";
import { Compilation } from "../edit/compile";
import { putBack, writeEdits } from "../edit/edit-files";
import { ProgramSource } from "../edit/program";
import { compiledBy, compilerSettings, isJavaScript } from "../edit/tsconfig";
import { isJson } from "../edit/typescript";
import { referenceTo } from "./look";
import { ignoredReason } from "./plan";
import { previewProgram } from "./program-preview";
import { type DriftOutcome, emptyOutcome, inOrder, type PropertyDrift, type ResourceRef } from "./report";
import { counting, lookAtStack, type Look, type LookScope, notLookedAt, type Reconciled, Sessions } from "./stacks";

/** A resource, and where it differs from the program. */
interface HeldReality extends Reality {
  resource: ManagedResource;
  changes: readonly PropertyDrift[];
}

/** The reason why a resource is not accepted, and the place of the obstacle. */
interface Hindrance {
  reason: string;
  position?: Position | undefined;
}

/** The edits of the program. */
interface Written {
  edits: readonly FileEdit[];
  /** The resources that the program declares as they are after the edits, with where it declares them. */
  accepted: ReadonlyMap<ManagedResource, Position>;
  left: ReadonlyMap<ManagedResource, Hindrance>;
}

/** Writes what the service holds into the program, and refreshes the state. @param keepsState leaves the state as it is, for a pull request */
export async function acceptAll(
  project: Project,
  looks: readonly Look[],
  scope: LookScope,
  out: Output,
  keepsState: boolean,
): Promise<Reconciled> {
  const outcome = { ...emptyOutcome(), files: [] as string[], left: gone(looks) };
  if (!looks.some(({ drift }) => drift.changed.length > 0)) return { looks: [...looks], outcome, interrupted: false };
  try {
    const { edits, accepted, left } = await writeProgram(project, looks, out, keepsState ? notReplaced : undefined);
    if (edits.length > 0) out.doneSoFar = "The program is edited: run the command again for the rest.";
    const inLine = keepsState ? [] : [...accepted.keys()];
    const { failures, ...done } = await bringInLine(looks, inLine, scope, out);
    const files = edits.map(({ path }) => path);
    const resources = acceptedOf(looks, accepted);
    return { ...done, outcome: { ...outcome, files, resources, failures, left: [...leftAs(left), ...outcome.left] } };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    // The report of the drift appears whatever happens.
    return { looks: [...looks], outcome: { ...outcome, failures: [messageOf(error)] }, interrupted: false };
  }
}

/**
 * Edits the program. What does not compile, what the engine refuses and what the edited program would still change is left as it is, and
 * all other resources are accepted.
 *
 * @param hindered the reason why a resource with these changes is left from the start
 * @throws UsageError if the source cannot be read or written, or the program does not run without edits either
 */
async function writeProgram(
  project: Project,
  looks: readonly Look[],
  out: Output,
  hindered: (changes: readonly PropertyDrift[]) => string | undefined = () => undefined,
): Promise<Written> {
  const { source, compilation } = await openProgram(project);
  const acceptor = new Acceptor(source);
  const own = looks.flatMap(realitiesOf);
  const realities = [...own, ...(await declaredElsewhere(project, looks, out))];
  const ignored = new Map(looks.flatMap(({ drift }) => (drift.ignored ?? []).map((one) => [one.urn, ignoredReason(one)])));
  const left = new Map(
    own.flatMap(({ resource, changes }): [ManagedResource, Hindrance][] => {
      const reason = changes.length > 0 ? (ignored.get(resource.urn) ?? hindered(changes)) : undefined;
      return reason === undefined ? [] : [[resource, { reason }]];
    }),
  );
  const attempt = async (without: Iterable<AcceptedResource>): Promise<Attempt> => {
    const acceptance = acceptor.accept(realities, new Set(without));
    const { placed, same } = acceptance;
    const positions = new Map([...placed, ...same].toReversed().map(({ resource, position }) => [resource, position]));
    const accepted = new Map(realities.flatMap(({ resource }) => entryOf(resource, positions.get(resource))));
    return { ...acceptance, accepted, ...(await problemsOf(project, looks, { ...acceptance, accepted }, compilation, out)) };
  };
  for (;;) {
    out.progress("Writing what is real into the program");
    const tried = await attempt(left.keys());
    if (tried.failure === undefined && tried.found.size === 0) {
      writeEdits(project.folder, tried.edits);
      const why = Map.groupBy(tried.unplaced, ({ resource }) => resource);
      const unplaced = realities.flatMap(({ resource }) => entryOf(resource, hindranceOf(why.get(resource))));
      return { edits: tried.edits, accepted: tried.accepted, left: new Map([...unplaced, ...left]) };
    }
    // Each round leaves at least one resource more.
    const found = tried.failure ? await culpritOf(tried, tried.failure, [...left.keys()], attempt, looks) : tried.found;
    for (const [resource, hindrance] of found) left.set(resource, hindrance);
  }
}

/** Edits that were tried, with what kept them from being written. */
interface Attempt extends Acceptance {
  accepted: Written["accepted"];
  /** Resources that cannot be accepted so. */
  found: ReadonlyMap<ManagedResource, Hindrance>;
  /** The error of the edited program, if no resource is known to cause it. */
  failure?: UsageError;
}

/** Compiles and previews the edited program. The files are put back afterwards. */
async function problemsOf(
  project: Project,
  looks: readonly Look[],
  { edits, placed, accepted }: Pick<Attempt, "edits" | "placed" | "accepted">,
  compilation: Compilation,
  out: Output,
): Promise<Pick<Attempt, "found" | "failure">> {
  const mistakes = compilation.mistakes(edits);
  const blamed = new Map<ManagedResource, Hindrance>();
  const parts = placed.flatMap((one) => one.ranges.map((range) => ({ one, ...range })));
  for (const { file, start, text } of mistakes) {
    const around = parts.filter((part) => part.file === file && part.start <= start && start <= part.end);
    const [nearest] = around.toSorted((a, b) => a.end - a.start - (b.end - b.start));
    const held = [...accepted.keys()].find((one) => one === nearest?.one.resource);
    const { property = "", position } = nearest?.one ?? {};
    if (held) blamed.set(held, { reason: `does not compile with ${property} as it is: ${text}`, position });
  }
  const [first] = mistakes;
  if (first) {
    if (blamed.size > 0) return { found: blamed };
    return { found: blamed, failure: new UsageError(`${first.file}: ${first.text}`, "work") };
  }
  writeEdits(project.folder, edits);
  try {
    return { found: await unlike(looks, accepted, out) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const errors = error instanceof PreviewError ? error.diagnostics.filter(({ severity }) => severity === "error") : [];
    const found = [...accepted].filter(([held]) => errors.some(({ urn }) => urn === held.urn));
    const reason = `the engine refuses it: ${error.message}`;
    if (found.length > 0) return { found: new Map(found.map(([held, position]) => [held, { reason, position }])) };
    return { found: new Map(), failure: error };
  } finally {
    putBack(project.folder, edits);
  }
}

/**
 * Finds a resource whose edits keep the program from compiling or running: the last one that the first half of the others does without.
 *
 * @throws UsageError if the program does not run without edits either
 */
async function culpritOf(
  { accepted, placed }: Attempt,
  failure: UsageError,
  left: readonly AcceptedResource[],
  attempt: (without: Iterable<AcceptedResource>) => Promise<Attempt>,
  looks: readonly Look[],
): Promise<[ManagedResource, Hindrance][]> {
  const edited = new Set(placed.map(({ resource }) => resource));
  const all = [...accepted].filter(([held]) => edited.has(held));
  const without = (count: number): AcceptedResource[] => [...left, ...all.slice(count).map(([held]) => held)];
  // The program runs with the first `low` of them, and not with the first `high`.
  let [low, high] = [0, all.length];
  if (high === 0) throw failure;
  for (const { stack } of looks) await previewProgram(stack);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((await attempt(without(middle))).failure) high = middle;
    else low = middle;
  }
  const [held, position] = all[low] ?? [];
  if (!held) throw failure;
  return [[held, { reason: `the program does not run with it as it is: ${failure.message}`, ...(position && { position }) }]];
}

/**
 * Returns the reason why a resource is not accepted if its state stays as it is: an update that does not refresh compares the program with
 * the state of before.
 */
function notReplaced(changes: readonly PropertyDrift[]): string | undefined {
  const [property, ...more] = changes.filter(({ replaces }) => replaces).map((change) => change.property);
  if (property === undefined) return undefined;
  const set = more.length > 0 ? `${[property, ...more].join(", ")} are` : `${property} is`;
  return `${set} set at creation only, so the update after the merge would replace it: \`drift --accept\` without --keep-state refreshes the state, too`;
}

async function openProgram({ folder, programFolder, programFile, tsconfig }: Project) {
  const compiled = await compiledBy(programFile, folder, tsconfig);
  const source = await ProgramSource.read(folder, { javascript: isJavaScript(programFile) && compiled === undefined });
  const settings = await compilerSettings(programFolder, folder, tsconfig);
  const entry = compiled !== undefined && !isJson(compiled) ? compiled : programFile;
  return { source, compilation: new Compilation(source, entry, settings?.options) };
}

/** Every resource of a stack: those that have not drifted must not change. */
function realitiesOf({ stack, resources = [], drift }: Look): HeldReality[] {
  const changes = new Map(drift.changed.map(({ urn, properties }) => [urn, properties]));
  return managedAmong(stack.name, resources).map((resource) => ({ resource, changes: changes.get(resource.urn) ?? [] }));
}

/** The project's other stacks run the same program: what suits one stack must not change another. */
async function declaredElsewhere(project: Project, looks: readonly Look[], out: Output): Promise<HeldReality[]> {
  const held = await project.managedByOthers(
    new Set(looks.map(({ stack }) => stack.name)),
    ({ message }) => out.warn(`${message}. It runs the same program: look at its next preview`),
    (name) => out.progress(`Reading stack ${name}`),
  );
  return held.map((resource) => ({ resource, changes: [] }));
}

/** Finds accepted resources that the edited program would still change. @throws UsageError if it cannot be previewed */
async function unlike(
  looks: readonly Look[],
  accepted: Written["accepted"],
  out: Output,
): Promise<Map<ManagedResource, Hindrance>> {
  const found = new Map<ManagedResource, Hindrance>();
  for (const { stack } of looks) {
    const held = [...accepted.keys()].filter((one) => one.stack === stack.name);
    for (const urns of inRuns(held.map(({ urn }) => [urn]))) {
      out.progress(`Previewing stack ${stack.name}`);
      const ops = await previewProgram(stack, ["--refresh", "--run-program", ...targetArguments(urns)]);
      for (const one of held.filter(({ urn }) => urns.includes(urn) && !staysAsAccepted(ops.get(urn)))) {
        const reason = "the program changes it in another way too: run `pulumi up --refresh`, or take that back";
        found.set(one, { reason, position: accepted.get(one) });
      }
    }
  }
  return found;
}

/** A refresh carries out no other options. */
function staysAsAccepted(op: string | undefined): boolean {
  return op === "same" || op === "options";
}

/** Takes what is real into the states: else the next update would make what the program says already, or replace for it. */
async function bringInLine(
  looks: readonly Look[],
  accepted: readonly ManagedResource[],
  scope: LookScope,
  out: Output,
): Promise<{ looks: Look[]; failures: string[]; interrupted: boolean }> {
  const now: Look[] = [];
  const failures: string[] = [];
  let interrupted = false;
  for (const look of looks) {
    const { stack } = look;
    const runs = inRuns(accepted.filter((one) => one.stack === stack.name).map(({ urn }) => [urn]));
    if (runs.length === 0 || interrupted) {
      now.push(look);
      continue;
    }
    for (const urns of runs) {
      out.progress(`Refreshing ${counted(urns.length, "resource")} of stack ${stack.name}`);
      const args = ["refresh", "--yes", "--skip-preview", "--run-program", ...targetArguments(urns)];
      const { run, failures: found } = await carryOut(stack, args, counting(urns, out));
      interrupted = run.interrupted;
      if (run.code === 0 && !interrupted) continue;
      failures.push(...found.map(({ reason }) => `stack ${stack.name}: ${reason}`));
      failures.push("the program says what is real, the state does not yet: run this again");
      break;
    }
    out.doneSoFar = notLookedAt(stack.name);
    out.progress(`Looking at stack ${stack.name} again`);
    now.push(await lookAtStack(stack, new Sessions(), scope));
  }
  return { looks: now, failures, interrupted };
}

function acceptedOf(looks: readonly Look[], accepted: Written["accepted"]): DriftOutcome["resources"] {
  const changed = new Map(looks.flatMap(({ drift }) => drift.changed.map((one) => [one.urn, one.properties] as const)));
  return inStacks(
    [...accepted].map(([held, position]) => ({
      ...referenceTo({ ...held, position }),
      how: "accepted" as const,
      properties: (changed.get(held.urn) ?? []).map(({ property }) => property),
    })),
  );
}

function leftAs(hindrances: Written["left"]): DriftOutcome["left"] {
  return inStacks(
    [...hindrances].map(([held, { reason, position = held.position }]) => ({ ...referenceTo({ ...held, position }), reason })),
  );
}

function hindranceOf(unplaced: readonly Unplaced[] | undefined): Hindrance | undefined {
  if (!unplaced) return undefined;
  const position = unplaced.find((one) => one.position)?.position;
  const reason = unplaced.map(({ property, reason: why, advice }) => `${property} ${why}: ${advice}`).join("; ");
  return { reason, ...(position && { position }) };
}

function entryOf<T>(held: ManagedResource, value: T | undefined): [ManagedResource, T][] {
  return value === undefined ? [] : [[held, value]];
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
