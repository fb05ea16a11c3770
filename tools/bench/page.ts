/** Reads and writes the benchmark sections of docs/performance.md. The text before the first section is written by hand. */
import type { Row, Table } from "./row";

export interface Section {
  readonly row: Pick<Row, "title" | "about">;
  readonly pairs: number;
  /** The date, the machine and the versions of the measurement. */
  readonly conditions: string;
  readonly table: Table;
}

export function sectionText({ row, pairs, conditions, table }: Section): string {
  const lines = [table.head, table.head.map(() => "---"), ...table.rows].map((cells) => `| ${cells.join(" | ")} |`);
  const measured = `The figures come from ${pairs === 1 ? "one round" : `${pairs} rounds`} on ${conditions}.`;
  return `## ${row.title}\n\n${row.about} ${measured}\n\n${lines.join("\n")}\n`;
}

/** Adds a section to the page. The new section replaces an older section of the same benchmark. */
export function withSection(page: string, section: Section): string {
  const [introduction = "", ...sections] = page.trimEnd().split(/\n+(?=## )/);
  const text = sectionText(section).trimEnd();
  const at = sections.findIndex((before) => before.startsWith(`## ${section.row.title}\n`));
  const replaced = at < 0 ? [...sections, text] : sections.with(at, text);
  return `${[introduction, ...replaced].join("\n\n")}\n`;
}
