import { counted } from "../words";
import { join } from "node:path";
import type { CheckFailure } from "../../provider/kind";
import { sensitiveProperties } from "../held";
import { quoted } from "../source/literal";
import type { Entry } from "./import-file";
import type { GeneratedFile } from "./generate";
import { importedKinds } from "../kinds";
import { isOpen, type Fate, type Item, type Plan } from "./plan";
import type { Io } from "../io";
import { typed } from "./steps";

/** What an import has done, or would do. */
export interface Outcome {
  readonly dryRun: boolean;
  readonly stack: string | undefined;
  /** Folder that paths of items start from. */
  readonly root: string;
  readonly accountGroups: readonly (string | undefined)[];
  readonly plan: Plan;
  /** Files of the program, by full path. */
  readonly files: readonly (GeneratedFile & { readonly full: string })[];
  /** Full path of the import file, where one is there at the end. */
  readonly importFile: string | undefined;
  /** What the import file holds, entries of an earlier one included. */
  readonly entries: readonly Entry[];
  readonly adopts: boolean;
  /** Whether the engine has taken the resources over. */
  readonly imported: boolean;
  /** What the preview after the import has to say against it; empty for nothing, absent where there was no preview. */
  readonly problems: readonly string[] | undefined;
  /** Commands that are left to a person, in order. */
  readonly next: readonly string[];
}

/** The result for programs. No value of a record is in it. */
export function dataOf({ plan, ...outcome }: Outcome): unknown {
  const kinds = importedKinds.filter(({ name }) => plan.items.some(({ of }) => of.name === name));
  return {
    dryRun: outcome.dryRun,
    stack: outcome.stack,
    accountGroups: outcome.accountGroups,
    kinds: Object.fromEntries(kinds.map(({ name, word }) => [word, countsOf(plan.items.filter(({ of }) => of.name === name))])),
    resources: plan.items.filter(isOpen).map((item) => ({
      ...named(item),
      name: item.name,
      variable: item.variable,
      file: item.path === undefined ? undefined : join(outcome.root, item.path),
      declared: item.fate === "declared",
      leftToService: item.expressed?.left,
    })),
    managed: plan.items.filter(isManaged).map((item) => ({ ...named(item), name: item.name, stack: item.stack })),
    excluded: plan.items.filter(({ fate }) => fate === "excluded").map(named),
    inexpressible: plan.items
      .filter(({ fate }) => fate === "inexpressible")
      .map((item) => ({ ...named(item), reasons: item.failures })),
    secrets: plan.secrets.map(({ key, id, property, value }) => ({ key, id, property, known: value !== undefined })),
    files: outcome.files.map(({ full, before, added }) => ({ path: full, isNew: before === undefined, declarations: added })),
    importFile: outcome.importFile,
    adopts: outcome.adopts,
    imported: outcome.imported ? outcome.entries.length : 0,
    problems: outcome.problems,
    next: outcome.next,
  };
}

function named({ of, id, title }: Item) {
  return { kind: of.name, id, title };
}

function isManaged({ fate }: Item): boolean {
  return fate === "managed" || fate === "elsewhere";
}

function countsOf(items: readonly Item[]): Record<Fate, number> & { listed: number } {
  const count = (fate: Fate): number => items.filter((item) => item.fate === fate).length;
  return {
    listed: items.length,
    new: count("new"),
    declared: count("declared"),
    managed: count("managed"),
    elsewhere: count("elsewhere"),
    excluded: count("excluded"),
    inexpressible: count("inexpressible"),
  };
}

/** The result for people. */
export function textOf(outcome: Outcome, io: Io): string {
  const { plan, dryRun, files, adopts, imported, entries, stack } = outcome;
  const groups = outcome.accountGroups.map((aid) => aid ?? "of the token").join(", ");
  const where = `account group${outcome.accountGroups.length > 1 ? "s" : ""} ${groups}`;
  if (plan.items.length === 0) return `There is nothing to import in ${where}.\n`;
  const parts = [
    `${dryRun ? "Would import" : "Import"} from ${where}${stack === undefined ? "" : ` into stack ${stack}`}:`,
    ...kindLines(plan),
    ...(plan.items.some((item) => isOpen(item) || item.fate === "inexpressible") ? [] : ["", "Nothing is new."]),
    ...(dryRun ? planLines(outcome) : []),
    ...inexpressibleLines(plan),
    ...leftLines(plan),
    ...unknownLines(plan),
    ...section(dryRun ? "Would write:" : "Written:", [
      ...files.map(({ full, before, added }) => {
        const what = added > 0 ? `${counted(added, "declaration")}${before === undefined ? "" : " added"}` : "loads them";
        return `${typed(io, full)}  ${what}`;
      }),
      ...(outcome.importFile === undefined
        ? []
        : [`${typed(io, outcome.importFile)}  ${counted(entries.length, "resource")} for the engine`]),
    ]),
    ...(imported ? ["", `Imported ${counted(entries.length, "resource")} into stack ${stack ?? ""}, protected.`] : []),
    ...(imported && outcome.problems?.length === 0 ? ["The engine previews no change of what is imported."] : []),
    ...(adopts && plan.items.some(isOpen)
      ? ["", "The declarations say adopt: true: the next update takes the records over."]
      : []),
    ...section("Next:", outcome.next),
  ];
  return `${parts.join("\n")}\n`;
}

/** `  200 labels: 198 new, 2 managed already`. */
function kindLines({ items }: Plan): string[] {
  return importedKinds.flatMap(({ name, kind }) => {
    const own = items.filter(({ of }) => of.name === name);
    if (own.length === 0) return [];
    const counts = countsOf(own);
    const stacks = [...new Set(own.filter(({ fate }) => fate === "elsewhere").map((item) => item.stack))].join(", ");
    const parts: [number, string][] = [
      [counts.new, "new"],
      [counts.declared, "declared already, not imported yet"],
      [counts.managed, "managed already"],
      [counts.elsewhere, `managed by stack ${stacks}`],
      [counts.excluded, "left out"],
      [counts.inexpressible, "that cannot be expressed"],
    ];
    const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
    return [`  ${counted(own.length, kind.noun)}: ${told.join(", ")}`];
  });
}

/** What would be declared under which name, and what is managed already. */
function planLines({ plan }: Outcome): string[] {
  const byFile = Map.groupBy(plan.items.filter(isOpen), ({ path = "" }) => path);
  const declared = [...byFile].flatMap(([path, items]) =>
    section(
      `${path}:`,
      columns(
        items.map((item) => [
          item.variable ?? "",
          item.name,
          titleOf(item),
          item.fate === "declared" ? "declared already" : "",
        ]),
      ),
    ),
  );
  const managed = plan.items.filter(isManaged).map((item) => [item.name, titleOf(item), `stack ${item.stack ?? ""}`]);
  const secrets = plan.secrets.map(({ key, property, name, value, configured }) => [
    key,
    `${property} of ${name}`,
    value === undefined ? "not known" : configured ? "in the configuration" : "from --secrets",
  ]);
  return [
    ...declared,
    ...section("Managed already:", columns(managed)),
    ...section("Secrets, by their key in the configuration:", columns(secrets)),
  ];
}

function inexpressibleLines({ items }: Plan): string[] {
  const lines = items
    .filter(({ fate }) => fate === "inexpressible")
    .map((item) => `${item.of.kind.noun} ${titleOf(item)}: ${reasonsText(item.failures ?? [])}`);
  return section("Cannot be expressed, and are not imported:", lines);
}

/** Values that no declaration takes, where the property can be left to the service. */
function leftLines({ items }: Plan): string[] {
  const lines = items.flatMap((item) => {
    const left = isOpen(item) ? (item.expressed?.left ?? []) : [];
    return left.length > 0 ? [`${item.of.kind.noun} ${titleOf(item)}: ${reasonsText(left)}`] : [];
  });
  return section("Left to the service, since a declaration cannot say what it has:", lines);
}

/** What the service never returns: nobody can say whether the program has it right. */
function unknownLines({ items }: Plan): string[] {
  const open = items.filter(isOpen);
  const lines = importedKinds.flatMap(({ name, kind }) => {
    const unknown = open
      .filter(({ of }) => of.name === name)
      .flatMap(({ keys, expressed }) => {
        const fields = expressed?.outputs["unknownFields"];
        const properties = Array.isArray(fields) ? fields.map(String) : [];
        // A secret that the record does not have is not asked for.
        return properties.filter((property) => property in keys || !sensitiveProperties(kind).includes(property));
      });
    return [...Map.groupBy(unknown, (property) => property)].map(
      ([property, all]) => `${property} of ${counted(all.length, kind.noun)}`,
    );
  });
  return section(
    "Never returned by the service, so not known, and left as it is until the program or the configuration says it:",
    lines,
  );
}

function reasonsText(failures: readonly CheckFailure[]): string {
  return failures.map(({ path, reason }) => (path === "" ? reason : `${path} ${reason}`)).join("; ");
}

function titleOf({ id, title }: Item): string {
  return title === undefined ? id : `${quoted(title)} (${id})`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", title, ...lines.map((line) => `  ${line}`)] : [];
}

/** Widest column: a longer cell pushes the rest of its row, and of no other. */
const widest = 32;

/** Rows in columns, each as wide as its widest cell, up to a bound. */
function columns(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.min(widest, Math.max(...rows.map((row) => Array.from(row[i] ?? "").length))),
  );
  return rows.map((row) =>
    row
      .map((cell, i) => cell + " ".repeat(Math.max(0, (widths[i] ?? 0) - Array.from(cell).length)))
      .join("  ")
      .trimEnd(),
  );
}
