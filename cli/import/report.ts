import { join } from "node:path";
import type { CheckFailure } from "../../provider/kind";
import type { Io } from "../io";
import { importedKinds } from "../kinds";
import { type Block, heading, list, type Report, section, table, text } from "../report/document";
import { ours, type Phrase } from "../report/phrase";
import { counted } from "../report/text";
import { quoted } from "../edit/literal";
import type { GeneratedFile } from "./generate";
import type { ImportEntry } from "./import-file";
import { isOpen, type ImportPlan, type ItemStatus, type PlannedItem } from "./plan";
import { typedPath } from "./steps";

/** The result of an import, or of its dry run. */
export interface ImportOutcome {
  readonly dryRun: boolean;
  readonly stack: string | undefined;
  /** Folder that paths of items start from. */
  readonly root: string;
  readonly accountGroups: readonly (string | undefined)[];
  readonly plan: ImportPlan;
  /** Files of the program, by full path. */
  readonly files: readonly (GeneratedFile & { readonly full: string })[];
  /** Full path of the project file if it gets the entry for the plugin. */
  readonly projectFile: string | undefined;
  /** Full path of the import file if one remains. */
  readonly importFile: string | undefined;
  /** Entries of the import file, those of an earlier one included. */
  readonly entries: readonly ImportEntry[];
  /** Whether the engine has imported the resources. */
  readonly imported: boolean;
  /** Problems that a preview found. Absent without a preview. */
  readonly problems: readonly string[] | undefined;
  /** Commands that are left to a person, in order. */
  readonly next: readonly string[];
}

/** The report of an import: no value of a record is in its data. */
export function importReport(outcome: ImportOutcome, io: Io): Report {
  return { data: dataOf(outcome), blocks: () => blocksOf(outcome, io) };
}

function dataOf({ plan, ...outcome }: ImportOutcome) {
  const kinds = importedKinds.filter(({ name }) => plan.items.some(({ of }) => of.name === name));
  return {
    dryRun: outcome.dryRun,
    stack: outcome.stack,
    accountGroups: outcome.accountGroups,
    kinds: Object.fromEntries(kinds.map(({ name, word }) => [word, countsOf(plan.items.filter(({ of }) => of.name === name))])),
    resources: plan.items.filter(isOpen).map((item) => ({
      ...recordOf(item),
      name: item.name,
      variable: item.variable,
      file: item.path === undefined ? undefined : join(outcome.root, item.path),
      declared: item.status === "declared",
      leftToService: item.expressed?.left,
    })),
    managed: plan.items.filter(isManaged).map((item) => ({ ...recordOf(item), name: item.name, stack: item.stack })),
    excluded: withStatus(plan, "excluded").map(recordOf),
    inexpressible: withStatus(plan, "inexpressible").map((item) => ({ ...recordOf(item), reasons: item.failures })),
    secrets: plan.secrets.map(({ key, id, property, value }) => ({ key, id, property, known: value !== undefined })),
    files: outcome.files.map(({ full, before, added }) => ({ path: full, isNew: before === undefined, declarations: added })),
    projectFile: outcome.projectFile,
    importFile: outcome.importFile,
    imported: outcome.imported ? outcome.entries.length : 0,
    problems: outcome.problems,
    next: outcome.next,
  };
}

function recordOf({ of, id, title }: PlannedItem) {
  return { kind: of.name, id, title };
}

function withStatus({ items }: ImportPlan, wanted: ItemStatus): PlannedItem[] {
  return items.filter(({ status }) => status === wanted);
}

function isManaged({ status }: PlannedItem): boolean {
  return status === "managed" || status === "elsewhere";
}

function countsOf(items: readonly PlannedItem[]): Record<ItemStatus, number> & { listed: number } {
  const counts = { listed: items.length, new: 0, declared: 0, managed: 0, elsewhere: 0, excluded: 0, inexpressible: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
}

function blocksOf(outcome: ImportOutcome, io: Io): Block[] {
  const { plan, dryRun, files, imported, entries, stack, projectFile, importFile } = outcome;
  const groups = outcome.accountGroups.map((id) => id ?? "of the token").join(", ");
  const where = `account group${outcome.accountGroups.length > 1 ? "s" : ""} ${groups}`;
  if (plan.items.length === 0) return [text([`There is nothing to import in ${where}.`])];
  const hasNews = plan.items.some((item) => isOpen(item) || item.status === "inexpressible");
  const written = [
    ...(projectFile === undefined ? [] : [ours(`${typedPath(io, projectFile)}  names the native plugin`)]),
    ...files.map(({ full, before, added }): Phrase => {
      const what = added > 0 ? `${counted(added, "declaration")}${before === undefined ? "" : " added"}` : "loads them";
      return [`${typedPath(io, full)}  ${what}`];
    }),
    ...(importFile === undefined
      ? []
      : [ours(`${typedPath(io, importFile)}  ${counted(entries.length, "resource")} for the engine`)]),
  ];
  const done = [
    ...(imported ? [ours(`Imported ${counted(entries.length, "resource")} into stack ${stack ?? ""}, protected.`)] : []),
    ...(imported && outcome.problems?.length === 0 ? [["The engine previews no change of what is imported."]] : []),
  ];
  return [
    heading([`${dryRun ? "Would import" : "Import"} from ${where}${stack === undefined ? "" : ` into stack ${stack}`}:`]),
    list("kind", kindItems(plan)),
    ...(hasNews ? [] : [text(["Nothing is new."])]),
    ...(dryRun ? planBlocks(plan) : []),
    ...section(["Cannot be expressed, and are not imported:"], list("record", inexpressibleItems(plan))),
    ...section(["Left to the service, since a declaration cannot express what it has:"], list("record", leftItems(plan))),
    ...section(
      ["Never returned by the service, so not known, and left as it is until the program or the configuration has it:"],
      list("property", unknownItems(plan)),
    ),
    ...section([dryRun ? "Would write:" : "Written:"], list("file", written)),
    ...(done.length > 0 ? [text(...done)] : []),
    ...section(["Next:"], list("command", outcome.next.map(ours))),
  ];
}

/** `200 labels: 198 new, 2 managed already`. */
function kindItems({ items }: ImportPlan): Phrase[] {
  return importedKinds.flatMap(({ name, kind }) => {
    const own = items.filter(({ of }) => of.name === name);
    if (own.length === 0) return [];
    const counts = countsOf(own);
    const stacks = [...new Set(own.filter(({ status }) => status === "elsewhere").map(({ stack }) => stack))].join(", ");
    const parts: [number, string][] = [
      [counts.new, "new"],
      [counts.declared, "declared already, not imported yet"],
      [counts.managed, "managed already"],
      [counts.elsewhere, `managed by stack ${stacks}`],
      [counts.excluded, "left out"],
      [counts.inexpressible, "that cannot be expressed"],
    ];
    const shown = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    return [[`${counted(own.length, kind.noun)}: ${shown.join(", ")}`]];
  });
}

/** New declarations by their names, and the records that are managed already. */
function planBlocks(plan: ImportPlan): Block[] {
  const columns = (noun: string, rows: readonly string[][]) =>
    table(
      noun,
      undefined,
      rows.map((row) => row.map(ours)),
    );
  const byFile = Map.groupBy(plan.items.filter(isOpen), ({ path = "" }) => path);
  const declared = [...byFile].flatMap(([path, items]) => {
    const rows = items.map((item) => [
      item.variable ?? "",
      item.name,
      titleOf(item),
      item.status === "declared" ? "declared already" : "",
    ]);
    return section([`${path}:`], columns("resource", rows));
  });
  const managed = plan.items.filter(isManaged).map((item) => [item.name, titleOf(item), `stack ${item.stack ?? ""}`]);
  const secrets = plan.secrets.map(({ key, property, name, value, configured }) => [
    key,
    `${property} of ${name}`,
    value === undefined ? "not known" : configured ? "in the configuration" : "from --secrets",
  ]);
  return [
    ...declared,
    ...section(["Managed already:"], columns("resource", managed)),
    ...section(["Secrets, by their key in the configuration:"], columns("secret", secrets)),
  ];
}

function inexpressibleItems(plan: ImportPlan): Phrase[] {
  return withStatus(plan, "inexpressible").map((item) => failureItem(item, item.failures ?? []));
}

/** Values that no declaration takes, of properties that are left to the service. */
function leftItems({ items }: ImportPlan): Phrase[] {
  const open = items.filter((item) => isOpen(item) && (item.expressed?.left ?? []).length > 0);
  return open.map((item) => failureItem(item, item.expressed?.left ?? []));
}

function failureItem(item: PlannedItem, failures: readonly CheckFailure[]): Phrase {
  const reasons = failures.map(({ path, reason }) => (path === "" ? reason : `${path} ${reason}`)).join("; ");
  return [`${item.of.kind.noun} ${titleOf(item)}: ${reasons}`];
}

/** Values that the service never returns, so that nothing can compare them with the program's. */
function unknownItems({ items }: ImportPlan): Phrase[] {
  return importedKinds.flatMap(({ name, kind }) => {
    const open = items.filter((item) => isOpen(item) && item.of.name === name);
    const unknown = open.flatMap(({ keys, expressed }) => {
      const fields = expressed?.outputs["unknownFields"];
      const properties = Array.isArray(fields) ? fields.map(String) : [];
      // A secret that the record does not have is not asked for.
      return properties.filter((property) => property in keys || !kind.secrets.includes(property));
    });
    const byProperty = Map.groupBy(unknown, (property) => property);
    return [...byProperty].map(([property, all]): Phrase => [`${property} of ${counted(all.length, kind.noun)}`]);
  });
}

function titleOf({ id, title }: PlannedItem): string {
  return title === undefined ? id : `${quoted(title)} (${id})`;
}
