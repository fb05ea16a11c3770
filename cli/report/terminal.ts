import type { Block, ChangeLine, ChangeEntry, Table } from "./document";
import type { Output } from "./output";
import { type Phrase, phraseText } from "../../common/phrase";
import { capitalized, visible } from "../../common/text";
import { columnsOf, padded } from "./width";

/** Most columns of a terminal that a table's column takes: a longer cell pushes the rest of its row, and of no other. */
const maxColumn = 48;

/** A report as text, in colors where the terminal shows them. */
export function toTerminal(blocks: readonly Block[], out: Output): string {
  return blocks
    .map((block, at) => {
      const previous = blocks[at - 1];
      // The title of a report stands apart, that of a section above what it is of.
      const isBelow = previous?.kind === "heading" && previous.level > 2 && block.kind !== "heading";
      const gap = previous === undefined || isBelow ? "" : "\n";
      return gap + linesOf(block, out).join("\n");
    })
    .join("\n");
}

function inText(some: Phrase, out: Output): string {
  return phraseText(some, (place) => out.paint("dim", place));
}

function linesOf(block: Block, out: Output): string[] {
  switch (block.kind) {
    case "heading":
      return [out.paint("bold", phraseText(block.text))];
    case "text":
      return block.lines.map((line) => capitalized(phraseText(line)));
    case "list":
      return block.items.map(({ text, label, mark }) => {
        const box = block.style === "checklist" ? "[ ] " : "";
        const sign = mark === undefined ? "" : `${out.paint(mark.tone, mark.sign)} `;
        return `  ${box}${sign}${label === undefined ? "" : `${out.paint("yellow", label)}: `}${phraseText(text)}`;
      });
    case "table":
      return tableLines(block, out);
    case "entries":
      return block.entries.flatMap((entry) => entryLines(entry, out));
    default:
      return [phraseText(block.summary), ...block.blocks.flatMap((one) => linesOf(one, out))];
  }
}

function tableLines({ head, rows }: Table, out: Output): string[] {
  const titles = head ? [head] : [];
  const texts = rows.map(({ cells }) => cells.map((cell) => phraseText(cell)));
  const widths = [...titles, ...texts].reduce<number[]>(
    (all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, Math.min(maxColumn, columnsOf(cell)))),
    [],
  );
  const layOut = (row: readonly string[]): string =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  const signWidth = rows.reduce((most, { mark }) => Math.max(most, mark === undefined ? 0 : columnsOf(mark.sign) + 2), 0);
  const indent = " ".repeat(Math.max(2, signWidth));
  return [
    ...titles.map((row) => `${indent}${out.paint("dim", layOut(row))}`),
    ...rows.flatMap(({ mark, details = [] }, at) => [
      `${mark === undefined ? indent : out.paint(mark.tone, padded(mark.sign, signWidth))}${layOut(texts[at] ?? [])}`,
      ...details.map((line) => `${indent}${out.paint("dim", phraseText(line))}`),
    ]),
  ];
}

/** `  ~  updated HTTP-server test portal  index.ts:12`, and below what changes. */
function entryLines({ mark, title, facts, changes, notes }: ChangeEntry, out: Output): string[] {
  const head = out.paint(mark.tone, `${mark.sign.padEnd(2)} ${phraseText(title)}`);
  return [
    `  ${[head, ...facts.map((fact) => inText(fact, out))].join("  ")}`,
    ...changes.map((change) => `      ${changeLine(change, out)}`),
    ...notes.map((note) => `      ${phraseText(note)}`),
  ];
}

function changeLine({ property, before, after, note = "" }: ChangeLine, out: Output): string {
  const [sign, tone, value] =
    before !== undefined && after !== undefined
      ? (["~", "yellow", `${before} → ${after}`] as const)
      : before !== undefined
        ? (["-", "red", before] as const)
        : after !== undefined
          ? (["+", "green", after] as const)
          : (["!", "yellow", ""] as const);
  return out.paint(tone, visible(`${sign} ${property}: ${value}${note}`));
}
