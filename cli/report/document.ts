import type { Position } from "../../common/position";
import type { Phrase } from "../../common/phrase";

/** The reader of a report: a person at a terminal or a page, or a machine, which takes the findings alone. */
export type Medium = "terminal" | "markdown" | "machine";

/** An item of a report as machines take it: a result of code scanning, or a test case. */
export interface Finding {
  /** A word that stays the same, such as `drift/changed`. */
  readonly rule: string;
  readonly level: "error" | "warning" | "note" | "passed" | "skipped";
  /** The resource or stack that the item is about. */
  readonly name: string;
  /** Its place in the program; the file from the project's folder. */
  readonly position?: Position | undefined;
}

/** The content of a report as plain data: each medium has one renderer, which escapes, lays out, and cuts what is too long. */
export type Block =
  | { readonly kind: "heading"; readonly text: Phrase; readonly level: 2 | 3 | 4 }
  | { readonly kind: "text"; readonly lines: readonly Phrase[] }
  | List
  | Table
  | { readonly kind: "entries"; readonly entries: readonly ChangeEntry[]; readonly noun: string }
  /** Hidden until a reader opens it, if the medium can do that. */
  | { readonly kind: "folded"; readonly summary: Phrase; readonly blocks: readonly Block[] };

export interface List {
  readonly kind: "list";
  readonly items: readonly ListItem[];
  /** Noun of an item in the singular, to count the items that do not fit. */
  readonly noun: string;
  readonly style?: "bullets" | "checklist" | "warnings";
}

export interface ListItem {
  readonly text: Phrase;
  /** Stands before the text on a terminal. */
  readonly label?: string;
  readonly mark?: TextMark;
  readonly finding?: Finding;
}

export interface Table {
  readonly kind: "table";
  /** Absent if the table is shown only on a terminal. */
  readonly head?: readonly string[];
  readonly rows: readonly TableRow[];
  readonly noun: string;
  /** Title of the details of rows, such as `Agents`. */
  readonly detailsTitle?: string;
}

export interface TableRow {
  readonly mark?: TextMark;
  readonly cells: readonly Phrase[];
  readonly details?: readonly Phrase[];
  readonly finding?: Finding;
}

export interface ChangeEntry {
  readonly mark: TextMark;
  readonly title: Phrase;
  readonly facts: readonly Phrase[];
  readonly changes: readonly ChangeLine[];
  readonly notes: readonly Phrase[];
  readonly finding?: Finding;
}

/** A property that changes: both sides, one of them, or only a note. Values are cut already. */
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

/** The report of a command: data for programs, and blocks for people. */
export interface Report {
  readonly data: unknown;
  blocks(medium: Medium): readonly Block[];
}

export function heading(title: Phrase, level: 2 | 3 | 4 = 3): Block {
  return { kind: "heading", text: title, level };
}

export function text(...lines: readonly Phrase[]): Block {
  return { kind: "text", lines };
}

/** A heading with its content; nothing if the content is empty. */
export function section(title: Phrase, content: Block, level?: 2 | 3 | 4): Block[] {
  return isEmpty(content) ? [] : [heading(title, level), content];
}

export function list<T = Phrase>(noun: string, items: readonly T[], phraseOf?: (item: T) => Phrase): List {
  // Without a function the items are phrases.
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
