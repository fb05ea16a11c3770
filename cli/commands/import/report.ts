import { join, relative } from "node:path";
import { listOf } from "../../../provider/compare";
import type { CheckFailure } from "../../../provider/kind";
import type { Io } from "../../../engine/io";
import { importedKinds } from "../../../provider/imported-kinds";
import { type Block, heading, list, type Report, section, table, text } from "../../report/document";
import { ours, type Phrase } from "../../../common/phrase";
import { counted, few } from "../../../common/text";
import { quoted } from "../../../program/literal";
import type { GeneratedFile } from "../../../program/record-to-declare";
import type { ImportEntry } from "./import-file";
import { isOpen, type PlannedItem } from "./plan";

export interface ImportOutcome {
  readonly dryRun: boolean;
  readonly stack: string | undefined;
  /** Folder that the paths of items and files are relative to. */
  readonly root: string;
  readonly accountGroups: readonly (string | undefined)[];
  readonly items: readonly PlannedItem[];
  readonly files: readonly GeneratedFile[];
  /** Full path of the project file, if the import adds the plugin to the file. */
  readonly projectFile: string | undefined;
  /** Full path of the import file, or undefined after the import. */
  readonly importFile: string | undefined;
  readonly entries: readonly ImportEntry[];
  readonly imported: boolean;
  /** Problems that a preview found, or undefined if the command ran no preview. */
  readonly problems: readonly string[] | undefined;
  /** Names of resources that the import does not contain but that the next update creates, if there are any. */
  readonly alsoCreated?: readonly string[];
  readonly next: readonly string[];
}

/** Returns the report of an import. The report's `data` contains no property values. */
export function importReport(outcome: ImportOutcome, io: Io): Report {
  return { data: dataOf(outcome), blocks: () => blocksOf(outcome, io) };
}

function dataOf({ items, root, files, entries, imported, ...outcome }: ImportOutcome) {
  const dataOfItem = ({ of, id, title, name, stack, variable, path, status, expressed, failures }: PlannedItem) => ({
    kind: of.name,
    id,
    title,
    name,
    stack,
    variable,
    declared: status === "declared" || undefined,
    file: path === undefined ? undefined : join(root, path),
    leftToService: expressed?.left,
    reasons: failures,
  });
  return {
    ...outcome,
    kinds: Object.fromEntries(byKind(items).map(([{ word }, ofKind]) => [word, countsOf(ofKind)])),
    resources: items.filter(isOpen).map(dataOfItem),
    managed: items.filter(({ stack }) => stack !== undefined).map(dataOfItem),
    excluded: items.filter(({ status }) => status === "excluded").map(dataOfItem),
    inexpressible: items.filter(isInexpressible).map(dataOfItem),
    secrets: items.flatMap(({ id, secrets }) =>
      secrets.map(({ key, property, value }) => ({ key, id, property, known: value !== undefined })),
    ),
    files: files.map(({ path, before, added }) => ({
      path: join(root, path),
      isNew: before === undefined,
      declarations: added,
    })),
    imported: imported ? entries.length : 0,
  };
}

function byKind(items: readonly PlannedItem[]) {
  const byType = Map.groupBy(items, ({ of }) => of);
  return importedKinds.flatMap((of) => (byType.has(of) ? [[of, byType.get(of) ?? []] as const] : []));
}

function isInexpressible({ status }: PlannedItem): boolean {
  return status === "inexpressible";
}

function countsOf(items: readonly PlannedItem[]) {
  const counts = { listed: items.length, new: 0, declared: 0, managed: 0, elsewhere: 0, excluded: 0, inexpressible: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
}

function blocksOf(outcome: ImportOutcome, io: Io): Block[] {
  const { dryRun, root, items, imported, entries, stack, projectFile, importFile, problems, alsoCreated = [] } = outcome;
  const groups = outcome.accountGroups.map((id) => id ?? "of the token").join(", ");
  const where = `account group${outcome.accountGroups.length > 1 ? "s" : ""} ${groups}`;
  if (items.length === 0) return [text([`There is nothing to import in ${where}.`])];
  const open = items.filter(isOpen);
  const fileItem = (path: string | undefined, what: string): Phrase[] =>
    path === undefined ? [] : [[`${relative(io.cwd, path)}  ${what}`]];
  const written = [
    ...fileItem(projectFile, "now lists the native plugin"),
    ...outcome.files.flatMap(({ path, before, added }) => {
      const declarations = `${counted(added, "declaration")}${before === undefined ? "" : " added"}`;
      return fileItem(join(root, path), added > 0 ? declarations : "loads them");
    }),
    ...fileItem(importFile, `${counted(entries.length, "resource")} for the engine`),
  ];
  const done = [
    ...(imported ? [ours(`Imported ${counted(entries.length, "resource")} into stack ${stack ?? ""}, protected.`)] : []),
    ...(imported && problems?.length === 0 ? [["A preview shows no change of the imported resources."]] : []),
    ...(imported && alsoCreated.length > 0
      ? [
          [
            `The next update also creates ${counted(alsoCreated.length, "other resource")} of the program: ${few(alsoCreated, 3)}.`,
          ],
        ]
      : []),
  ];
  return [
    heading([`${dryRun ? "Would import" : "Import"} from ${where}${stack === undefined ? "" : ` into stack ${stack}`}:`]),
    list(
      "kind",
      byKind(items).map(([{ kind }, ofKind]): Phrase => kindText(kind.noun, ofKind)),
    ),
    ...(open.length > 0 || items.some(isInexpressible) ? [] : [text(["Nothing is new."])]),
    ...(dryRun ? planBlocks(items) : []),
    ...secretBlocks(items, dryRun),
    ...section(
      ["Not imported, because a program cannot express them:"],
      list(
        "record",
        items.filter(isInexpressible).flatMap((item) => failureItem(item, item.failures)),
      ),
    ),
    ...section(
      ["Omitted from the program, because a declaration cannot express the values:"],
      list(
        "record",
        open.flatMap((item) => failureItem(item, item.expressed?.left)),
      ),
    ),
    ...section(
      [
        "Unknown values, because the service never returns them. The values stay unchanged until the program or the configuration sets them:",
      ],
      list(
        "property",
        byKind(open).flatMap(([{ kind }, ofKind]) => unknownItems(kind.noun, ofKind)),
      ),
    ),
    ...section([dryRun ? "Would write:" : "Written:"], list("file", written)),
    ...(done.length > 0 ? [text(...done)] : []),
    ...(importFile === undefined || dryRun
      ? []
      : [text(["Nothing was imported yet: the program declares these records, but no stack manages them."])]),
    ...section(["Next:"], list("command", shortened(outcome.next).map(ours))),
  ];
}

function shortened(next: readonly string[]): string[] {
  const secrets = next.filter((command) => command.startsWith("pulumi config set --secret "));
  const others = next.filter((command) => !secrets.includes(command));
  const remaining = secrets.length - 3;
  return [
    ...secrets.slice(0, 3),
    ...(remaining > 0
      ? [`pulumi config set --secret …, for ${counted(remaining, "more key")} of passwords in the program`]
      : []),
    ...others,
  ];
}

/** Returns a phrase such as `200 labels: 198 new, 2 managed already`. */
function kindText(noun: string, items: readonly PlannedItem[]): Phrase {
  const counts = countsOf(items);
  const stacks = [...new Set(items.flatMap(({ status, stack }) => (status === "elsewhere" ? (stack ?? []) : [])))];
  const parts: [number, string][] = [
    [counts.new, "new"],
    [counts.declared, "declared already, not imported yet"],
    [counts.managed, "managed already"],
    [counts.elsewhere, `managed by stack ${stacks.join(", ")}`],
    [counts.excluded, "left out"],
    [counts.inexpressible, "that a program cannot express"],
  ];
  const shown = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [`${counted(items.length, noun)}: ${shown.join(", ")}`];
}

function rowsOf(noun: string, rows: readonly string[][]): Block {
  return table(
    noun,
    undefined,
    rows.map((row) => row.map(ours)),
  );
}

function planBlocks(items: readonly PlannedItem[]): Block[] {
  return [...Map.groupBy(items.filter(isOpen), ({ path = "" }) => path)].flatMap(([path, inFile]) => {
    const rows = inFile.map((item) => {
      const note = item.status === "declared" ? "declared already" : "";
      return [item.variable ?? "", item.name, titleOf(item), note];
    });
    return section([`${path}:`], rowsOf("resource", rows));
  });
}

/**
 * Lists the secrets that the declarations read from the configuration.
 * @param includesKnown whether to list the secrets that already have a value
 */
function secretBlocks(items: readonly PlannedItem[], includesKnown: boolean): Block[] {
  const needed = items.flatMap(({ name, secrets }) =>
    secrets.flatMap(({ key, property, value, configured }) => {
      if (value !== undefined && !includesKnown) return [];
      const source = configured ? "in the configuration" : "from --secrets";
      return [[key, `${property} of ${name}`, value === undefined ? "not known" : source]];
    }),
  );
  return section(["Secrets, by their key in the configuration:"], rowsOf("secret", needed));
}

function failureItem(item: PlannedItem, failures: readonly CheckFailure[] = []): Phrase[] {
  if (failures.length === 0) return [];
  const reasons = failures.map(({ path, reason }) => (path === "" ? reason : `${path} ${reason}`)).join("; ");
  return [[`${item.of.kind.noun} ${titleOf(item)}: ${reasons}`]];
}

/** Lists properties that the service never returns, such as `password of 3 tests`. */
function unknownItems(noun: string, items: readonly PlannedItem[]): Phrase[] {
  const unknown = items.flatMap(({ of, secrets, expressed }) => {
    // Not every record has every secret. For example, a test without authentication does not have a password.
    const asked = new Set(secrets.map(({ property }) => property));
    const fields = listOf(expressed?.outputs["unknownFields"]);
    return fields.filter((property) => asked.has(property) || !of.kind.secrets.includes(property));
  });
  const byProperty = Map.groupBy(unknown, (property) => property);
  return [...byProperty].map(([property, resources]): Phrase => [`${property} of ${counted(resources.length, noun)}`]);
}

function titleOf({ id, title }: PlannedItem): string {
  return title === undefined ? id : `${quoted(title)} (${id})`;
}
