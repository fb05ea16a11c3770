import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ExitCode } from "./command";
import type { ImportValues } from "./commands/import";
import { type ProjectStack, shortName } from "./engine/stack";
import { declaredBy, nothingDeclared, type OwnDeclarations } from "./import/declared";
import { frontOfProgram } from "./import/front";
import { generate } from "./import/generate";
import { entriesOf, holdsSecrets, leftOver } from "./import/import-file";
import { type ImportOptions, readOptions } from "./import/options";
import { type ProgramPlace, placeOf } from "./import/place";
import { type ImportPlan, planImport } from "./import/plan";
import { loadedWith, Program } from "./import/program";
import { problemsAfter, proofOf } from "./import/proof";
import { type ImportOutcome, importReport } from "./import/report";
import { type RecordNameOf, namesOfReferred, withReferences } from "./import/referred";
import { type GivenSecrets, readSecrets } from "./import/secrets";
import { commandLine, configCommand, configure, filesWritten, importArguments, importInto, typedPath } from "./import/steps";
import { groupsOf, type ImportTarget, listAll, targetOf } from "./import/target";
import { located, writeAll } from "./import/write";
import type { Front } from "./front";
import type { Io } from "./io";
import { pluginEdit, type ProjectFileEdit } from "./plugin-lines";
import type { Output } from "./report/output";
import { replaceFile } from "./edit/edit-files";

export async function runImport(given: ImportValues, out: Output, io: Io): Promise<ExitCode> {
  const asked = readOptions(given);
  const secrets = asked.secrets === undefined ? new Map<string, string>() : readSecrets(asked.secrets, io.cwd);
  const target = await targetOf(asked, out, io);
  const outcome = await carryOut(await planFor(asked, secrets, target, out, io), asked, target, out, io);
  out.report(importReport(outcome, io));
  for (const problem of outcome.problems ?? []) out.error(problem);
  if (outcome.problems?.length) return 1;
  return outcome.plan.items.some(({ status }) => status === "inexpressible") ? 2 : 0;
}

interface Prepared {
  readonly plan: ImportPlan;
  readonly place: ProgramPlace;
  readonly own: OwnDeclarations;
  readonly front: Front;
  /** The project file if it gets the entry for the plugin. */
  readonly projectFile: ProjectFileEdit | undefined;
  readonly accountGroups: readonly (string | undefined)[];
  readonly nameOf: RecordNameOf;
  /** Whether other stacks run the same program. */
  readonly isShared: boolean;
}

/** Lists what there is and plans what to do with it. Only lists are requested from the service. @throws UsageError and the client's */
async function planFor(
  asked: ImportOptions,
  given: GivenSecrets,
  target: ImportTarget,
  out: Output,
  io: Io,
): Promise<Prepared> {
  const { session, stack, managed } = target;
  // Obstacles of the project are reported before anything is requested.
  const isShared = stack !== undefined && (await stack.project.stackNames()).length > 1;
  const place = await placeOf(stack?.project, asked.out, io.cwd, isShared ? shortName(stack.name) : undefined);
  const front = asked.native ? "native" : frontOfProgram(place.source, stack?.project);
  const projectFile = asked.native && stack ? pluginEdit(stack.project) : undefined;
  const own = stack ? await declaredBy(stack, new Program(place), managed, out) : nothingDeclared;
  const accountGroups = await groupsOf(session, asked.accountGroups);
  const listed = await listAll(session, asked.kinds, accountGroups, out);
  const home = { settled: session.settings.accountGroupId, accountGroupId: await session.accountGroupId() };
  const planned = planImport(listed, { ...asked, ...target, home, place, own, given });
  const plan = asked.references ? await withReferences(session, planned, out) : planned;
  for (const name of plan.unusedSecrets) {
    out.warn(`--secrets: "${name}" is of a resource that is not imported now, and is not used`);
  }
  const nameOf = await namesOfReferred(session, plan, listed, accountGroups, out);
  return { plan, place, own, front, projectFile, accountGroups, nameOf, isShared };
}

/**
 * Writes the files, runs the import and has the engine preview the program, as far as that was asked for.
 *
 * @throws UsageError, InterruptedError
 */
async function carryOut(
  { plan, place, own, front, projectFile, accountGroups, nameOf, isShared }: Prepared,
  asked: ImportOptions,
  target: ImportTarget,
  out: Output,
  io: Io,
): Promise<ImportOutcome> {
  const { stack, managed } = target;
  const program = new Program(place);
  const importFile = asked.file === undefined ? defaultFile(place, target) : resolve(io.cwd, asked.file);
  const fresh = entriesOf(plan, front);
  const entries = [...leftOver(importFile, fresh, managed, program), ...fresh];
  out.step("Writing the program");
  const files = located(place.root, generate(plan, { program, held: managed, front, nameOf }));
  if (files.length > 0) warnOfWhatDoesNotLoad(place, program, isShared ? stack : undefined, out);

  if (!asked.dryRun) {
    // First: without it the program does not run.
    if (projectFile) replaceFile(projectFile.full, projectFile.before, projectFile.text);
    writeAll(files, importFile, entries, own.created);
    out.doneSoFar = filesWritten;
  }
  const runs = asked.run && !asked.dryRun && stack !== undefined;
  if (runs) await configure(stack, plan.secrets, out);
  const planned = stack && { stack, plan, entries, place, files };
  const proof = runs && planned ? await proofOf(planned, out) : undefined;
  const imports = runs && entries.length > 0 && proof?.contradicted.length === 0;
  if (imports) {
    await importInto(stack, importFile, entries.length, out);
    out.doneSoFar = `The import is in stack ${stack.name}.`;
  }
  const removes = imports && asked.file === undefined;
  if (removes) rmSync(importFile, { force: true });
  const keeps = entries.length > 0 && !removes && !asked.dryRun;
  if (keeps && holdsSecrets(entries)) {
    out.warn(`${typedPath(io, importFile)} holds secrets in clear text: remove it after the import`);
  }
  const after = imports && proof.isOpen && planned ? await problemsAfter(planned) : [];
  const problems = proof && [...proof.contradicted, ...proof.recorded, ...after];
  const isOver = asked.dryRun || entries.length === 0;
  const next = isOver ? [] : nextCommands(plan, typedPath(io, importFile), imports, stack?.name, problems);
  return {
    dryRun: asked.dryRun,
    stack: stack?.name,
    root: place.root,
    accountGroups,
    plan,
    files,
    projectFile: projectFile?.full,
    importFile: entries.length === 0 || removes ? undefined : importFile,
    entries,
    imported: imports,
    problems,
    next,
  };
}

/** The import file of one stack. Other stacks have other records under the same names. */
function defaultFile(place: ProgramPlace, { stack }: ImportTarget): string {
  if (stack === undefined) return join(place.root, place.below, "import.json");
  return join(stack.project.folder, `import.${shortName(stack.name)}.json`);
}

function nextCommands(
  plan: ImportPlan,
  importFile: string,
  imported: boolean,
  stack: string | undefined,
  problems: readonly string[] = [],
): string[] {
  if (problems.length > 0) return [commandLine(["preview", "--diff"], stack)];
  if (imported) return [];
  const secrets = plan.secrets.filter(({ value, configured }) => value !== undefined && !configured);
  const configures = secrets.map(({ key }) => configCommand(key, stack));
  return [...configures, commandLine(importArguments(importFile), stack), commandLine(["preview"], stack)];
}

/** @param shared the stack, if others run the same program */
function warnOfWhatDoesNotLoad(place: ProgramPlace, program: Program, shared: ProjectStack | undefined, out: Output): void {
  const { entry, start = entry, guard, unchecked } = place;
  if (unchecked) {
    out.warn(
      'Node runs this program itself, and knows its files by their own names: for the compiler say "allowImportingTsExtensions": ' +
        'true and "noEmit": true in tsconfig.json',
    );
  }
  if (guard) return;
  if (shared) {
    const [name, module] = [shortName(shared.name), program.specifier(start, entry)].map((text) => JSON.stringify(text));
    out.warn(
      `The project's other stacks run the same program, and would create these records again. Load them for this stack alone: ` +
        `write if (pulumi.getStack() === ${name}) require(${module}) in ${start}`,
    );
  } else if (start !== entry && !program.loads(start, entry)) {
    out.warn(`The program does not load these files yet: ${loadedWith(program, entry)}`);
  }
}
