import type { Finding } from "../../common/finding";
import { type Phrase, phraseText } from "../../common/phrase";
import { counted, tallyText } from "../../common/text";

export type Medium = "terminal" | "markdown";

/** The content of a report as plain data. The renderer of each output medium escapes, lays out and shortens the content. */
export type Block =
  | { readonly kind: "heading"; readonly text: Phrase; readonly level: 2 | 3 | 4 }
  | { readonly kind: "text"; readonly lines: readonly Phrase[] }
  | List
  | Table
  | { readonly kind: "entries"; readonly entries: readonly ChangeEntry[]; readonly noun: string }
  /** A collapsed block that a reader can open, if the medium supports such blocks. */
  | { readonly kind: "folded"; readonly summary: Phrase; readonly blocks: readonly Block[] };

export interface List {
  readonly kind: "list";
  readonly items: readonly ListItem[];
  /** Singular noun for counting omitted items, such as `finding`. */
  readonly noun: string;
  readonly style?: "bullets" | "warnings";
}

/** An item that may not fit into a report. A report counts omitted items by their labels. */
export interface Countable {
  /** A word such as the name of a check. A terminal shows the label before the text of the item. */
  readonly label?: string | undefined;
  /** Number of findings or resources that the item describes. @defaultValue 1 */
  readonly count?: number;
}

export interface ListItem extends Countable {
  readonly text: Phrase;
  readonly mark?: TextMark;
}

export interface Table {
  readonly kind: "table";
  /** Titles of the columns. A table that only terminals show does not need titles. */
  readonly head?: readonly string[];
  readonly rows: readonly TableRow[];
  readonly noun: string;
  /** Title of the details that follow a table, such as `Agents`. */
  readonly detailsTitle?: string;
}

export interface TableRow extends Countable {
  readonly mark?: TextMark;
  readonly cells: readonly Phrase[];
  readonly details?: readonly Phrase[];
}

export interface ChangeEntry extends Countable {
  readonly mark: TextMark;
  readonly title: Phrase;
  readonly facts: readonly Phrase[];
  readonly changes: readonly ChangeLine[];
  readonly notes: readonly Phrase[];
}

export interface ChangeLine {
  readonly property: string;
  readonly before?: string;
  readonly after?: string;
  readonly note?: string;
}

export interface TextMark {
  readonly sign: string;
  readonly tone: "green" | "red" | "yellow" | "magenta" | "cyan" | "dim";
}

/** A command's report in three formats: data, findings for SARIF and JUnit, and blocks for readers. */
export interface Report {
  readonly data: unknown;
  /** Findings for `--sarif` and `--junit`, if the command has these options. */
  readonly findings?: readonly Finding[];
  blocks(medium: Medium): readonly Block[];
}

/** Returns a count of omitted items, such as `… and 51 more findings: deletes (40), secrets (11)`. */
export function restText(items: readonly Countable[], noun: string): string {
  const byLabel = new Map<string, number>();
  let total = 0;
  for (const { label, count = 1 } of items) {
    total += count;
    if (label !== undefined) byLabel.set(label, (byLabel.get(label) ?? 0) + count);
  }
  return `… and ${counted(total, `more ${noun}`)}${byLabel.size === 0 ? "" : `: ${tallyText(byLabel)}`}`;
}

export function heading(title: Phrase, level: 2 | 3 | 4 = 3): Block {
  return { kind: "heading", text: title, level };
}

export function text(...lines: readonly Phrase[]): Block {
  return { kind: "text", lines };
}

/** Returns a heading with its content, or no blocks if the content is empty. */
export function section(title: Phrase, content: Block, level?: 2 | 3 | 4): Block[] {
  return isEmpty(content) ? [] : [heading(title, level), content];
}

export function list<T = Phrase>(noun: string, items: readonly T[], phraseOf?: (item: T) => Phrase): List {
  // If `phraseOf` is omitted, the items themselves are phrases.
  return { kind: "list", noun, items: items.map((item) => ({ text: phraseOf ? phraseOf(item) : (item as Phrase) })) };
}

export function table(noun: string, head: readonly string[] | undefined, rows: readonly (readonly Phrase[])[]): Table {
  return { kind: "table", noun, ...(head && { head }), rows: rows.map((cells) => ({ cells })) };
}

function isEmpty(block: Block): boolean {
  if (block.kind === "list") return block.items.length === 0;
  if (block.kind === "table") return block.rows.length === 0;
  return block.kind === "entries" && block.entries.length === 0;
}

/** Returns a change as the text of a finding, with a line for each property, fact and note. */
export function entryText({ title, changes, facts, notes }: ChangeEntry): Phrase {
  const lines = changes.map(({ property, before = "", after = "", note = "" }) => {
    const sides = [before, after].filter((side) => side !== "").join(" → ");
    return [`${property}:`, sides, note].filter((part) => part !== "").join(" ");
  });
  return [[phraseText(title), ...lines, ...[...facts, ...notes].map((fact) => phraseText(fact))].join("\n")];
}

/** Returns a table row as the text of a finding, with the cells in one line. */
export function rowText({ cells, details = [] }: TableRow): Phrase {
  const texts = cells.map((cell) => phraseText(cell)).filter((cell) => cell !== "");
  return [[texts.join(", "), ...details.map((detail) => phraseText(detail))].join("\n")];
}
