import { join, resolve } from "node:path";
import type { ExitCode } from "./command";
import type { ImportValues } from "./commands/import";
import { shortName } from "./engine/stack";
import { declaredBy, nothingDeclared, type OwnDeclarations } from "./import/declared";
import { formatOf } from "./import/format";
import { frontOfProgram } from "./import/front";
import { generate } from "./import/generate";
import { entriesOf, type ImportEntry, holdsSecrets, leftOver } from "./import/import-file";
import { type ImportOptions, readOptions } from "./import/options";
import { type Place, placeOf } from "./import/place";
import { type ImportPlan, planImport } from "./import/plan";
import { loadedWith, Program } from "./import/program";
import { problemsAfter } from "./import/proof";
import { type ImportOutcome, importReport } from "./import/report";
import { type NameOf, namesOfReferred } from "./import/referred";
import { type GivenSecrets, readSecrets } from "./import/secrets";
import { commandLine, configCommand, configure, filesWritten, importArguments, importInto, typedPath } from "./import/steps";
import { groupsOf, type ImportTarget, listAll, targetOf } from "./import/target";
import { located, removeImportFile, writeAll } from "./import/write";
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
  readonly place: Place;
  readonly own: OwnDeclarations;
  readonly front: Front;
  /** The file of the project with the entry for the plugin, where that is asked for and it lacks it. */
  readonly projectFile: ProjectFileEdit | undefined;
  readonly accountGroups: readonly (string | undefined)[];
  readonly nameOf: NameOf;
}

/** Lists what there is and plans what to do with it. Only lists are requested from the service. @throws UsageError and the client's */
async function planFor(
  asked: ImportOptions,
  given: GivenSecrets,
  target: ImportTarget,
  out: Output,
  io: Io,
): Promise<Prepared> {
  const { session, stack, managed, adopts } = target;
  // First, so that what stands in the way is reported before anything is requested.
  const place = await placeOf(stack?.project, asked.out, io.cwd);
  const front = asked.native ? "native" : frontOfProgram(place.source, stack?.project);
  const projectFile = asked.native && stack ? pluginEdit(stack.project) : undefined;
  const own = stack ? await declaredBy(stack, new Program(place), managed, out) : nothingDeclared;
  const accountGroups = await groupsOf(session, asked.accountGroups);
  const listed = await listAll(session, asked.kinds, accountGroups, out);
  const home = { settled: session.settings.accountGroupId, accountGroupId: await session.accountGroupId() };
  const plan = planImport(listed, { ...asked, ...target, home, place, own, given, adopt: adopts });
  for (const name of plan.unusedSecrets) {
    out.warn(`--secrets: "${name}" is of a resource that is not imported now, and is not used`);
  }
  const nameOf = await namesOfReferred(session, plan, listed, accountGroups, out);
  return { plan, place, own, front, projectFile, accountGroups, nameOf };
}

/**
 * Writes the files, runs the import and has the engine preview the program, as far as that was asked for.
 *
 * @throws UsageError, InterruptedError
 */
async function carryOut(
  { plan, place, own, front, projectFile, accountGroups, nameOf }: Prepared,
  asked: ImportOptions,
  target: ImportTarget,
  out: Output,
  io: Io,
): Promise<ImportOutcome> {
  const { stack, managed, adopts } = target;
  const program = new Program(place);
  const importFile = asked.file === undefined ? defaultFile(place, target) : resolve(io.cwd, asked.file);
  const fresh = adopts ? [] : entriesOf(plan, front);
  const entries = adopts ? [] : [...leftOver(importFile, fresh, managed, program), ...fresh];
  out.step("Writing the program");
  const format = await formatOf(place, out);
  const files = located(place.root, await generate(plan, { program, held: managed, format, adopts, front, nameOf }));
  if (files.length > 0) warnOfWhatDoesNotLoad(place, program, out);

  if (!asked.dryRun) {
    // First: without it the program does not run.
    if (projectFile) replaceFile(projectFile.full, projectFile.before, projectFile.text);
    writeAll(files, importFile, entries, own.created);
    out.doneSoFar = filesWritten;
  }
  const runs = asked.run && !asked.dryRun && stack !== undefined;
  if (runs) await configure(stack, plan.secrets, out);
  const imports = runs && entries.length > 0;
  if (imports) {
    await importInto(stack, importFile, entries.length, out);
    out.doneSoFar = `The import is in stack ${stack.name}; whether the program fits it was not checked: run \`pulumi preview\`.`;
  }
  const removes = imports && asked.file === undefined;
  if (removes) removeImportFile(importFile);
  const keeps = entries.length > 0 && !removes && !asked.dryRun;
  if (keeps && holdsSecrets(entries)) {
    out.warn(`${typedPath(io, importFile)} holds secrets in clear text: remove it after the import`);
  }
  const problems = runs && !adopts ? await problemsAfter({ stack, plan, entries, place, files }, out) : undefined;
  const next = asked.dryRun ? [] : nextCommands(plan, entries, typedPath(io, importFile), imports, target, problems);
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
    adopts,
    imported: imports,
    problems,
    next,
  };
}

/** Of one stack: another has other records under the same names. */
function defaultFile(place: Place, { stack }: ImportTarget): string {
  if (stack === undefined) return join(place.root, place.below, "import.json");
  return join(stack.project.folder, `import.${shortName(stack.name)}.json`);
}

function nextCommands(
  plan: ImportPlan,
  entries: readonly ImportEntry[],
  importFile: string,
  imported: boolean,
  { stack, adopts }: ImportTarget,
  problems: readonly string[] = [],
): string[] {
  const isNew = plan.items.some(({ status }) => status === "new" || status === "declared");
  if (entries.length === 0 && !(adopts && isNew)) return [];
  const name = stack?.name;
  if (imported) return problems.length > 0 ? [commandLine(["preview", "--diff"], name)] : [];
  const secrets = plan.secrets.filter(({ value, configured }) => value !== undefined && !configured);
  const configures = secrets.map(({ key }) => configCommand(key, name));
  if (adopts) return [...configures, commandLine(["up"], name)];
  return [...configures, commandLine(importArguments(importFile), name), commandLine(["preview"], name)];
}

function warnOfWhatDoesNotLoad(place: Place, program: Program, out: Output): void {
  if (place.unchecked) {
    out.warn(
      'Node runs this program itself, and knows its files by their own names: for the compiler say "allowImportingTsExtensions": ' +
        'true and "noEmit": true in tsconfig.json',
    );
  }
  if (place.start !== undefined && place.start !== place.entry && !program.loads(place.start, place.entry)) {
    out.warn(`The program does not load these files yet: ${loadedWith(program, place.entry)}`);
  }
}
