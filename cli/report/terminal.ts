import type { Block, ChangeLine, ChangeEntry, Table } from "./document";
import type { styleText } from "node:util";
import { type Phrase, phraseText } from "../../common/phrase";
import { capitalized, visible } from "../../common/text";
import { columnsOf, linesOf as wrapped, padded } from "./width";

export interface Painter {
  paint(style: Parameters<typeof styleText>[0], text: string): string;
  /** Maximum width of a line, in columns. If undefined, the renderer does not break long lines. */
  readonly columns?: number | undefined;
}

/** Maximum width of a table column, in characters. If a cell is longer, only the rest of its row moves to the right. */
const maxColumn = 48;

export function toTerminal(blocks: readonly Block[], painter: Painter): string {
  return blocks
    .map((block, at) => {
      const previous = blocks[at - 1];
      // A report's title has an empty line below it, but a section's title is directly above its content.
      const isBelow = previous?.kind === "heading" && previous.level > 2 && block.kind !== "heading";
      const gap = previous === undefined || isBelow ? "" : "\n";
      return gap + linesOf(block, painter).join("\n");
    })
    .join("\n");
}

function inText(content: Phrase, painter: Painter): string {
  return phraseText(content, (place) => painter.paint("dim", place));
}

function linesOf(block: Block, painter: Painter): string[] {
  switch (block.kind) {
    case "heading":
      return wrapped(phraseText(block.text), painter.columns ?? Infinity).map((line) => painter.paint("bold", line));
    case "text":
      return block.lines.flatMap((line) => wrapped(capitalized(phraseText(line)), painter.columns ?? Infinity));
    case "list":
      return block.items.flatMap(({ text, label, mark }) => {
        const [sign, start] = [mark === undefined ? "" : `${mark.sign} `, label === undefined ? "" : `${label}: `];
        const [first = "", ...lines] = wrapped(`  ${sign}${start}${phraseText(text)}`, painter.columns ?? Infinity, 4);
        const painted = `${mark === undefined ? "" : `${painter.paint(mark.tone, mark.sign)} `}${label === undefined ? "" : `${painter.paint("yellow", label)}: `}`;
        return [`  ${painted}${first.slice(2 + sign.length + start.length)}`, ...lines];
      });
    case "table":
      return tableLines(block, painter);
    case "entries":
      return block.entries.flatMap((entry) => entryLines(entry, painter));
    default:
      return [phraseText(block.summary), ...block.blocks.flatMap((inner) => linesOf(inner, painter))];
  }
}

function tableLines({ head, rows }: Table, painter: Painter): string[] {
  const titles = head ? [head] : [];
  const texts = rows.map(({ cells }) => cells.map((cell) => phraseText(cell)));
  const widths = [...titles, ...texts].reduce<number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 0, Math.min(maxColumn, columnsOf(cell)))),
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
    ...titles.map((row) => `${indent}${painter.paint("dim", layOut(row))}`),
    ...rows.flatMap(({ mark, details = [] }, at) => [
      `${mark === undefined ? indent : painter.paint(mark.tone, padded(mark.sign, signWidth))}${layOut(texts[at] ?? [])}`,
      ...details.map((line) => `${indent}${painter.paint("dim", phraseText(line))}`),
    ]),
  ];
}

/** Returns an entry as a title line and indented lines with its changes. */
function entryLines({ mark, title, facts, changes, notes }: ChangeEntry, painter: Painter): string[] {
  const head = painter.paint(mark.tone, `${mark.sign.padEnd(2)} ${phraseText(title)}`);
  return [
    `  ${[head, ...facts.map((fact) => inText(fact, painter))].join("  ")}`,
    ...changes.map((change) => `      ${changeLine(change, painter)}`),
    ...notes.flatMap((note) => wrapped(`      ${phraseText(note)}`, painter.columns ?? Infinity, 6)),
  ];
}

function changeLine({ property, before, after, note = "" }: ChangeLine, painter: Painter): string {
  const [sign, tone, value] =
    before !== undefined && after !== undefined
      ? (["~", "yellow", `${before} → ${after}`] as const)
      : before !== undefined
        ? (["-", "red", before] as const)
        : after !== undefined
          ? (["+", "green", after] as const)
          : (["!", "yellow", ""] as const);
  return painter.paint(tone, visible(`${sign} ${property}: ${value}${note}`));
}
