import { PreviewError } from "../../../engine/preview";
import type { Project } from "../../../engine/project";
import { inRuns, targetArguments } from "../../../engine/run";
import { type ManagedResource, managedAmong } from "../../../engine/state";
import type { Output } from "../../report/output";
import { counted, messageOf } from "../../../common/text";
import { Acceptor } from "../../../program/acceptor";
import type { Acceptance, AcceptedResource, ObservedResource } from "../../../program/acceptance";
import { Compilation } from "../../../program/compilation";
import { putBack, writeEdits } from "../../../program/edit-files";
import { ProgramSource } from "../../../program/program-source";
import { compiledBy, compilerSettings, isJavaScript } from "../../../program/tsconfig";
import { isData } from "../../../program/typescript";
import { ignoredReason, previewProgram } from "./plan";
import { type PropertyDrift } from "./data";
import { compareAgain, updateTargets } from "./stacks";
import { InterruptedError, UsageError } from "../../../common/errors";
import type { ComparedStack, DriftScope, Reconciled } from "./model";
import { type Obstacle, notReplaced, acceptedOf, leftAs, obstacleOf, entryOf, gone } from "./accept-outcome";
import { type AcceptAttempt } from "./accept-outcome";

type ComparedResource = ObservedResource & { resource: ManagedResource; changes: readonly PropertyDrift[] };

/**
 * Writes the service's values into the program, and refreshes the state.
 * @param keepsState whether to skip the refresh, as --keep-state does
 */
export async function acceptAll(
  project: Project,
  compared: readonly ComparedStack[],
  scope: DriftScope,
  out: Output,
  keepsState: boolean,
): Promise<Reconciled> {
  const outcome = { files: [], resources: [], left: gone(compared), pending: [], failures: [] };
  if (!compared.some(({ drift }) => drift.changed.length > 0)) return { compared: [...compared], outcome, interrupted: false };
  try {
    const writer = await ProgramWriter.open(project, compared, out, keepsState);
    const { edits, accepted } = await writer.write();
    if (edits.length > 0) out.doneSoFar = "The program is edited, but the state is not refreshed yet. Run the command again.";
    const { failures, ...done } = await bringInLine(compared, keepsState ? [] : [...accepted.keys()], scope, out);
    const files = edits.map(({ path }) => path);
    const resources = acceptedOf(compared, accepted);
    return { ...done, outcome: { ...outcome, files, resources, failures, left: [...leftAs(writer.left), ...outcome.left] } };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    // The command prints the drift report even if the program cannot be edited.
    return { compared: [...compared], outcome: { ...outcome, failures: [messageOf(error)] }, interrupted: false };
  }
}

/** Edits the program, and reverts edits that do not compile or that do not produce the service's values. */
export class ProgramWriter {
  left: ReadonlyMap<ManagedResource, Obstacle> = new Map();

  private constructor(
    private readonly project: Project,
    private readonly compared: readonly ComparedStack[],
    private readonly out: Output,
    private readonly resources: readonly ComparedResource[],
    private readonly acceptor: Acceptor,
    private readonly compilation: Compilation,
  ) {}

  static async open(
    project: Project,
    compared: readonly ComparedStack[],
    out: Output,
    keepsState: boolean,
  ): Promise<ProgramWriter> {
    const { source, compilation } = await openProgram(project);
    const comparedResources = compared.flatMap(resourcesOf);
    const resources = [...comparedResources, ...(await resourcesOfOthers(project, compared, out))];
    const writer = new ProgramWriter(project, compared, out, resources, new Acceptor(source), compilation);
    const ignored = new Map(compared.flatMap(({ drift }) => (drift.ignored ?? []).map((entry) => [entry.urn, entry])));
    for (const { resource, changes } of comparedResources.filter((candidate) => candidate.changes.length > 0)) {
      const entry = ignored.get(resource.urn);
      const reason = entry ? ignoredReason(entry) : keepsState ? notReplaced(changes) : undefined;
      if (reason !== undefined) writer.#leave([[resource, { reason }]]);
    }
    return writer;
  }

  /** @throws UsageError if a file cannot be written, or if the unedited program does not run */
  async write(): Promise<AcceptAttempt> {
    for (;;) {
      this.out.progress("Writing the service's values into the program");
      const tried = await this.#attempt(this.left.keys());
      const { problems } = tried;
      if (problems instanceof UsageError) {
        this.#leave([await this.#culprit(tried, problems)]);
      } else if (problems.size > 0) {
        this.#leave(problems);
      } else {
        writeEdits(this.project.folder, tried.edits);
        const why = Map.groupBy(tried.refused, ({ resource }) => resource);
        const refused = this.resources.flatMap(({ resource }) => entryOf(resource, obstacleOf(why.get(resource))));
        this.left = new Map([...refused, ...this.left]);
        return tried;
      }
    }
  }

  #leave(obstacles: Iterable<readonly [ManagedResource, Obstacle]>): void {
    this.left = new Map([...this.left, ...obstacles]);
  }

  async #attempt(without: Iterable<AcceptedResource>): Promise<AcceptAttempt> {
    const acceptance = this.acceptor.accept(this.resources, new Set(without));
    const { edits, placed, same } = acceptance;
    const positions = new Map([...placed, ...same].toReversed().map(({ resource, position }) => [resource, position]));
    const accepted = new Map(this.resources.flatMap(({ resource }) => entryOf(resource, positions.get(resource))));
    const mistakes = this.#mistakes(acceptance);
    if (mistakes) return { ...acceptance, accepted, problems: mistakes };
    writeEdits(this.project.folder, edits);
    try {
      return { ...acceptance, accepted, problems: await this.#unlike(accepted) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const errors = error instanceof PreviewError ? error.diagnostics.filter(({ severity }) => severity === "error") : [];
      const faulty = [...accepted].filter(([resource]) => errors.some(({ urn }) => urn === resource.urn));
      const reason = `the engine refuses it: ${error.message}`;
      const refused = new Map(faulty.map(([resource, position]) => [resource, { reason, position }]));
      return { ...acceptance, accepted, problems: refused.size > 0 ? refused : error };
    } finally {
      putBack(this.project.folder, edits);
    }
  }

  /** Returns the obstacle for each edit that does not compile. If the mistake is in unedited code, returns the compiler's error. */
  #mistakes({ edits, placed }: Acceptance): AcceptAttempt["problems"] | undefined {
    const mistakes = this.compilation.mistakes(edits);
    const [first] = mistakes;
    if (!first) return undefined;
    const parts = placed.flatMap((placement) => placement.ranges.map((range) => ({ placement, ...range })));
    const blamed = mistakes.flatMap(({ file, start, text }) => {
      const around = parts.filter((part) => part.file === file && part.start <= start && start <= part.end);
      const [nearest] = around.toSorted((a, b) => a.end - a.start - (b.end - b.start));
      const observed = this.resources.find(({ resource }) => resource === nearest?.placement.resource);
      if (!nearest || !observed) return [];
      const { property, position } = nearest.placement;
      return [[observed.resource, { reason: `does not compile with the service's ${property}: ${text}`, position }] as const];
    });
    return blamed.length > 0 ? new Map(blamed) : new UsageError(`${first.file}: ${first.text}`, "work");
  }

  /** Returns the accepted resources that an update of the edited program would still change. @throws UsageError */
  async #unlike(accepted: AcceptAttempt["accepted"]): Promise<Map<ManagedResource, Obstacle>> {
    const obstacles = new Map<ManagedResource, Obstacle>();
    for (const { stack } of this.compared) {
      const resources = [...accepted.keys()].filter((resource) => resource.stack === stack.name);
      for (const urns of inRuns(resources.map(({ urn }) => [urn]))) {
        this.out.progress(`Previewing stack ${stack.name}`);
        const ops = await previewProgram(stack, ["--refresh", "--run-program", ...targetArguments(urns)]);
        // The operation `options` counts as unchanged, because a refresh does not apply resource options.
        const isAccepted = (urn: string): boolean => ["same", "options"].includes(ops.get(urn) ?? "");
        for (const managedResource of resources.filter(({ urn }) => urns.includes(urn) && !isAccepted(urn))) {
          const reason = "the program also changes this resource: run `pulumi up --refresh`, or revert that change";
          obstacles.set(managedResource, { reason, position: accepted.get(managedResource) });
        }
      }
    }
    return obstacles;
  }

  /**
   * Uses binary search to find a resource with edits that prevent the program from running.
   *
   * @throws UsageError if the unedited program does not run
   */
  async #culprit({ accepted, placed }: AcceptAttempt, failure: UsageError): Promise<[ManagedResource, Obstacle]> {
    const edited = new Set(placed.map(({ resource }) => resource));
    const candidates = [...accepted].filter(([resource]) => edited.has(resource));
    if (candidates.length === 0) throw failure;
    for (const { stack } of this.compared) await previewProgram(stack);
    // The program runs with the edits of the first `low` resources, but fails with the edits of the first `high` resources.
    let [low, high] = [0, candidates.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      const others = candidates.slice(middle).map(([resource]) => resource);
      const { problems } = await this.#attempt([...this.left.keys(), ...others]);
      if (problems instanceof UsageError) high = middle;
      else low = middle;
    }
    const [faulty, position] = candidates[low] ?? [];
    if (!faulty) throw failure;
    return [faulty, { reason: `the program does not run with the service's values: ${failure.message}`, position }];
  }
}

async function openProgram({ folder, programFolder, programFile, tsconfig }: Project) {
  const compiled = await compiledBy(programFile, folder, tsconfig);
  const source = await ProgramSource.read(folder, { javascript: isJavaScript(programFile) && compiled === undefined });
  const settings = await compilerSettings(programFolder, folder, tsconfig);
  const entry = compiled !== undefined && !isData(compiled) ? compiled : programFile;
  return { source, compilation: new Compilation(source, entry, settings?.options) };
}

/** Returns all resources of a stack, including resources without drift. The edits must not change resources without drift. */
function resourcesOf({ stack, resources = [], drift }: ComparedStack): ComparedResource[] {
  const changes = new Map(drift.changed.map(({ urn, properties }) => [urn, properties]));
  return managedAmong(stack.name, resources).map((resource) => ({ resource, changes: changes.get(resource.urn) ?? [] }));
}

/** Reads the resources of the project's other stacks, because the edits must not change these resources. */
async function resourcesOfOthers(
  project: Project,
  compared: readonly ComparedStack[],
  out: Output,
): Promise<ComparedResource[]> {
  const managed = await project.managedByOthers(
    new Set(compared.map(({ stack }) => stack.name)),
    ({ message }) => out.warn(`${message}. The stack runs the same program, so check the next preview of the stack`),
    (name) => out.progress(`Reading stack ${name}`),
  );
  return managed.map((resource) => ({ resource, changes: [] }));
}

/** Refreshes the accepted resources. Without a refresh, the next update would send the accepted values again. */
async function bringInLine(
  compared: readonly ComparedStack[],
  accepted: readonly ManagedResource[],
  scope: DriftScope,
  out: Output,
): Promise<{ compared: ComparedStack[]; failures: string[]; interrupted: boolean }> {
  const now: ComparedStack[] = [];
  const failures: string[] = [];
  let interrupted = false;
  for (const comparedStack of compared) {
    const { stack } = comparedStack;
    const urns = accepted.filter((managedResource) => managedResource.stack === stack.name).map(({ urn }) => [urn]);
    if (urns.length === 0 || interrupted) {
      now.push(comparedStack);
      continue;
    }
    const doing = (targets: readonly string[]): string =>
      `Refreshing ${counted(targets.length, "resource")} of stack ${stack.name}`;
    const args = ["refresh", "--yes", "--skip-preview", "--run-program"];
    const done = await updateTargets(stack, args, urns, doing, out);
    interrupted = done.interrupted;
    if (done.failures.length > 0) {
      for (const reason of done.failures) failures.push(`stack ${stack.name}: ${reason}`);
      failures.push("the program has the service's values, but the state does not yet: run this command again");
    }
    now.push(await compareAgain(stack, scope, out));
  }
  return { compared: now, failures, interrupted };
}
