import { join, resolve } from "node:path";
import type { Io } from "../io";
import type { Output } from "../output";
import { declaredBy, nothingDeclared, type OwnDeclarations } from "./declared";
import { formatOf } from "./format";
import { generate } from "./generate";
import { entriesOf, holdsSecrets, leftOver, type Entry } from "./import-file";
import { groupsOf, listAll } from "./listing";
import type { ImportOptions } from "./options";
import { placeOf, type Place } from "./place";
import { planImport, type Plan } from "./plan";
import { loadedWith, Program } from "./program";
import { problemsAfter } from "./proof";
import type { Outcome } from "./report";
import type { GivenSecrets } from "./secrets";
import { commandLine, configCommand, configure, filesWritten, importArguments, importInto, typed } from "./steps";
import type { Target } from "./target";
import { located, removeImportFile, writeAll } from "./write";

/** A plan, with what it was made for. */
export interface Planned {
  readonly plan: Plan;
  readonly place: Place;
  readonly own: OwnDeclarations;
  readonly accountGroups: readonly (string | undefined)[];
}

/** Lists what there is and decides what becomes of it. Only the lists are asked of the service. @throws UsageError and the client's */
export async function planFor(
  asked: ImportOptions,
  given: GivenSecrets,
  target: Target,
  out: Output,
  io: Io,
): Promise<Planned> {
  const { session, stack, held, adopts } = target;
  // Read first: what stands in the way is told before the service is asked.
  const place = await placeOf(stack?.project, asked.out, io.cwd);
  const own = stack ? await declaredBy(stack, new Program(place), held, out) : nothingDeclared;
  const accountGroups = await groupsOf(session, asked.accountGroups);
  const listed = await listAll(session, asked.kinds, accountGroups, out);
  const home = { settled: session.settings.accountGroupId, accountGroupId: await session.accountGroupId() };
  const plan = planImport(listed, { ...asked, ...target, home, place, own, given, adopt: adopts });
  for (const name of plan.unusedSecrets)
    out.warn(`--secrets: "${name}" is of a resource that is not imported now, and is not used`);
  return { plan, place, own, accountGroups };
}

/**
 * Writes the files, runs the import and has the engine preview the program, as far as that was asked for.
 *
 * @throws UsageError, InterruptedError
 */
export async function carryOut(
  { plan, place, own, accountGroups }: Planned,
  asked: ImportOptions,
  target: Target,
  out: Output,
  io: Io,
): Promise<Outcome> {
  const { stack, held, adopts } = target;
  const program = new Program(place);
  const importFile = asked.file === undefined ? defaultFile(place, target) : resolve(io.cwd, asked.file);
  const fresh = adopts ? [] : entriesOf(plan);
  const entries = adopts ? [] : [...leftOver(importFile, fresh, held, program), ...fresh];
  const format = await formatOf(place.root, out);
  const files = located(place.root, await generate(plan, { program, held, format, adopts }));
  tellWhatDoesNotLoad(place, program, files.length > 0, out);

  if (!asked.dryRun) {
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
  if (keeps && holdsSecrets(entries))
    out.warn(`${typed(io, importFile)} holds secrets in clear text: remove it after the import`);
  const problems = runs && !adopts ? await problemsAfter({ stack, plan, entries, place, cwd: io.cwd }, asked, out) : undefined;
  return {
    dryRun: asked.dryRun,
    stack: stack?.name,
    root: place.root,
    accountGroups,
    plan,
    files,
    importFile: entries.length === 0 || removes ? undefined : importFile,
    entries,
    adopts,
    imported: imports,
    problems,
    next: asked.dryRun ? [] : nextOf(plan, entries, typed(io, importFile), imports, target, problems),
  };
}

/** Of one stack: another has other records under the same names. */
function defaultFile(place: Place, { stack }: Target): string {
  if (stack === undefined) return join(place.root, place.below, "import.json");
  return join(stack.project.folder, `import.${stack.name.split("/").at(-1) ?? stack.name}.json`);
}

/** The commands that are left to a person. */
function nextOf(
  plan: Plan,
  entries: readonly Entry[],
  importFile: string,
  imported: boolean,
  { stack, adopts }: Target,
  problems: readonly string[] = [],
): string[] {
  const isNew = plan.items.some(({ fate }) => fate === "new" || fate === "declared");
  if (entries.length === 0 && !(adopts && isNew)) return [];
  const name = stack?.name;
  if (imported) return problems.length > 0 ? [commandLine(["preview", "--diff"], name)] : [];
  const secrets = plan.secrets.filter(({ value, configured }) => value !== undefined && !configured);
  const configures = secrets.map(({ key }) => configCommand(key, name));
  if (adopts) return [...configures, commandLine(["up"], name)];
  return [...configures, commandLine(importArguments(importFile), name), commandLine(["preview"], name)];
}

function tellWhatDoesNotLoad(place: Place, program: Program, writes: boolean, out: Output): void {
  if (!writes) return;
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
