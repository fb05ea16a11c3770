import { readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { z } from "zod";
import { hasUnknown } from "../../../provider/values";
import { ask, canAsk } from "../../ask";
import { type ExitCode, listOf, type Invocation } from "../../command";
import type { ImportOptionName, ImportValues } from "./options";
import { replaceFile } from "../../../program/edit-files";
import { changingSteps, previewStack } from "../../../engine/preview";
import { type ProjectStack, shortName } from "../../../engine/stack";
import { parseJson, reasonOf } from "../../../common/files";
import { generate } from "../../../program/generate";
import { entriesOf, holdsSecrets, type ImportEntry, refuseOthersFiles, writeAll } from "./import-file";
import { placeOf } from "../../../program/program-place";
import { isOpen, type PlannedItem, planImport } from "./plan";
import { ExistingProgram } from "../../../program/existing-program";
import { afterImport, createdIn, hasReportedOnly, problemsIn } from "./preview-after-import";
import { importReport } from "./report";
import { commandLine, configArguments, configure, filesWritten, importArguments, importInto, lackingSecrets } from "./steps";
import { createdBy, listAll, namesOfReferred, targetOf } from "./target";
import type { Io } from "../../../engine/io";
import { wordsOnRequest } from "../../generated/kind-words";
import { chosenKinds } from "../../kinds";
import { type ImportedKind } from "../../../provider/imported-kinds";
import { pluginEdit, projectNamesPlugin } from "../../plugin-lines";
import type { Output } from "../../report/output";
import { counted } from "../../../common/text";
import { recreatedWarnings } from "./recreated";
import { UsageError } from "../../../common/errors";

/** Lists records, writes the program and the import file, and imports the records if the user agrees. */
export async function run(values: ImportValues, { out, io }: Invocation): Promise<ExitCode> {
  const kinds = askedKinds(values);
  const secrets = values.secrets === undefined ? {} : readSecrets(values.secrets, io.cwd);
  const target = await targetOf(values, out, io);
  const { session, stack, managed } = target;
  const dryRun = values["dry-run"] ?? false;

  // The command reads the project first, so that it reports problems in the project before its first request to the service.
  const isShared = stack !== undefined && (await stack.project.stackNames()).length > 1;
  const program = new ExistingProgram(await placeOf(stack?.project, io.cwd, isShared ? shortName(stack.name) : undefined));
  const { root } = program.place;
  const front = values.native ? "native" : program.front(stack !== undefined && projectNamesPlugin(root));
  const projectFile = values.native && stack ? pluginEdit(stack.project) : undefined;
  const created = stack ? await createdBy(stack, program, managed, out) : new Map<string, never>();

  const defaultGroup = await session.accountGroupId();
  const named = [...new Set(listOf(values["account-group"]))];
  const everywhere = values["all-account-groups"] ? (await session.accountGroups()).map(({ aid }) => aid) : named;
  const accountGroups = everywhere.length > 0 ? everywhere : [defaultGroup];
  const unread: string[] = [];
  const listed = await listAll(session, kinds, accountGroups, out, (reason) => unread.push(reason));
  const { match = [], exclude = [] } = values;
  const home = { settled: session.settings.accountGroupId, accountGroupId: defaultGroup };
  const items = planImport(listed, { ...target, home, program, created, match, exclude, secretValues: secrets });
  for (const warning of recreatedWarnings(items, managed, accountGroups, unread.length > 0)) out.warn(warning);
  const needed = items.flatMap((item) => item.secrets);
  for (const key of Object.keys(secrets).filter((name) => !needed.some((secret) => secret.key === name))) {
    out.warn(
      `--secrets: "${key}" is not the key of an imported secret, so it is ignored. Set it with \`pulumi config set --secret ${key}\` if the program reads it`,
    );
  }
  const nameOf = await namesOfReferred(session, items, listed, accountGroups, out);

  const importFile = join(root, stack ? `import.${shortName(stack.name)}.json` : "import.json");
  const entries = entriesOf(items, front);
  out.progress("Writing the program", "terminal");
  const files = generate(items, { program, managed, front, nameOf });
  refuseOthersFiles(root, files, importFile);
  if (!dryRun) {
    // The program does not run without the plugin entry, so the command writes the project file first.
    if (projectFile) replaceFile(projectFile.full, projectFile.before, projectFile.text);
    writeAll(root, files, importFile, entries, created);
    out.doneSoFar = filesWritten;
  }

  const isOver = dryRun || entries.length === 0;
  const wanted = stack && !isOver && (values.run || (await isWanted(entries.length, stack, out, io)));
  const importing = wanted ? await importProven(stack, items, entries, importFile, program, out) : undefined;
  const { imported = false, problems, created: alsoCreated = [] } = importing ?? {};
  const typed = relative(io.cwd, importFile);
  if (!isOver && !imported && holdsSecrets(entries)) {
    out.warn(`${typed} contains secrets in clear text: delete it after the import`);
  }
  const lacking = lackingSecrets(needed).map(({ key }) => configArguments(key));
  const unset = needed
    .filter(({ value, configured }) => value === undefined && !configured)
    .map(({ key }) => configArguments(key));
  const toImport = [...lacking, importArguments(typed), ["preview"]];
  const next = isOver ? [] : problems?.length ? [["preview", "--diff"]] : imported ? unset : toImport;
  const outcome = {
    dryRun,
    stack: stack?.name,
    root,
    accountGroups,
    items,
    files,
    projectFile: projectFile?.full,
    importFile: entries.length === 0 || imported ? undefined : importFile,
    entries,
    imported,
    problems,
    ...(alsoCreated.length > 0 && { alsoCreated }),
    next: next.map((args) => commandLine(args, stack?.name)),
  };
  out.report(importReport(outcome, io));
  const failures = [...unread, ...(problems ?? [])];
  for (const failure of failures) out.error(failure);
  if (failures.length > 0) return 1;
  return items.some(({ status }) => status === "inexpressible") ? 2 : 0;
}

async function isWanted(count: number, { name }: ProjectStack, out: Output, io: Io): Promise<boolean> {
  if (out.json || !canAsk(io)) return false;
  const question = `The program now declares ${counted(count, "record")}. Import them into stack ${name}?`;
  return (await ask(out, io, question, ["yes", "no"])) === "yes";
}

/**
 * Imports the records with the engine, if a preview shows that the next update will not change the imported resources. If unknown ids make
 * the preview unreliable, the command previews the stack again after the import.
 *
 * @throws UsageError, InterruptedError
 */
async function importProven(
  stack: ProjectStack,
  items: readonly PlannedItem[],
  entries: readonly ImportEntry[],
  importFile: string,
  { place }: ExistingProgram,
  out: Output,
): Promise<{ imported: boolean; problems: string[]; created: string[] }> {
  const open = items.filter(isOpen);
  let created: string[] = [];
  const preview = async (what: string, pending: readonly ImportEntry[] = []): Promise<string[]> => {
    out.progress(`Previewing stack ${stack.name}`);
    const steps = afterImport(changingSteps(await previewStack(stack, what)), pending);
    created = createdIn(steps);
    return problemsIn(steps, open, place.entry);
  };
  await configure(
    stack,
    items.flatMap(({ secrets }) => secrets),
    out,
  );
  const failed = "The files are written, but nothing was imported, because the program cannot be previewed";
  const isReported = entries.some(hasReportedOnly);
  const isKnown = !isReported && !open.some(({ declared }) => hasUnknown(declared?.inputs));
  const problems = isReported ? [] : await preview(failed, entries);
  if (problems.length > 0) return { imported: false, problems, created };
  await importInto(stack, importFile, entries.length, out);
  out.doneSoFar = `The records are imported into stack ${stack.name}.`;
  rmSync(importFile, { force: true });
  const later = isKnown ? problems : await preview("The preview after the import failed");
  return { imported: true, problems: later, created };
}

/**
 * Returns the resource types to import.
 * @throws UsageError for an unknown type, or for options that exclude each other
 */
export function askedKinds(values: ImportValues): ImportedKind[] {
  const excludeEachOther: [ImportOptionName, ImportOptionName][] = [
    ["all-account-groups", "account-group"],
    ["dry-run", "run"],
  ];
  for (const [a, b] of excludeEachOther) {
    if (values[a] !== undefined && values[b] !== undefined) throw new UsageError(`--${a} and --${b} cannot be used together`);
  }
  for (const name of ["only", "account-group"] as const) {
    if (values[name] && listOf(values[name]).length === 0) throw new UsageError(`--${name} requires at least one name`);
  }
  const flagged = wordsOnRequest.filter((word) => Object.entries(values).some(([name, set]) => name === word && set === true));
  return chosenKinds(listOf(values.only), flagged);
}

const secretsFile = z.record(z.string(), z.string().min(1));

/** Reads a file that contains secrets by configuration key. Messages must not contain secrets from the file. @throws UsageError */
export function readSecrets(path: string, cwd: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, path), "utf8");
  } catch (error) {
    throw new UsageError(`The secrets in ${path} cannot be read (${reasonOf(error)})`, "work");
  }
  const { data } = secretsFile.safeParse(parseJson(text));
  if (data) return data;
  throw new UsageError(
    `${path} must contain a JSON object that maps configuration keys to non-empty strings, such as { "portalPassword": "…" }`,
    "work",
  );
}
