import {
  type Block,
  type ChangeEntry,
  type ChangeLine,
  type Countable,
  type List,
  type ListItem,
  restText,
  type Table,
  type TableRow,
} from "./document";
import type { Phrase, Span } from "../../common/phrase";
import { counted, cut, visible, withoutCommands } from "../../common/text";
import { maxErrorSpan, maxSpan } from "../../common/phrase";

/**
 * Maximum length of a Markdown report, in characters. GitHub accepts comments with up to 65,536 characters, and the pipeline adds a heading
 * to the report.
 */
export const commentLimit = 60_000;
const maxChangeLines = 30;
/** Length of the markup around a folded block, in characters. */
const foldLength = 150;
/** Maximum length that is reserved for a folded block, in characters. */
const maxFoldReserve = 2_000;
/** Share of a table's maximum length that its rows may use, if details follow the rows. */
const rowShare = 0.6;

/**
 * Returns a report as GitHub-flavored Markdown, which GitLab also renders. Long lists, tables and entries get equal shares of the available
 * length. Later blocks get the length that earlier blocks do not use. Each shortened block shows the number of omitted items.
 */
export function toMarkdown(blocks: readonly Block[], limit = commentLimit): string {
  return `${rendered(blocks, limit - 1)}\n`;
}

function rendered(blocks: readonly Block[], limit: number): string {
  const bounded = blocks.filter(isBounded);
  const folds = bounded.filter(({ kind }) => kind === "folded");
  const reserve = folds.length * Math.min(maxFoldReserve, Math.floor(limit / 10));
  const parts = new Map(blocks.map((block) => [block, isBounded(block) ? "" : fixedText(block)]));
  let available =
    limit - reserve - blocks.reduce((sum, block) => sum + (isBounded(block) ? 0 : (parts.get(block) ?? "").length + 2), 0);
  const render = (group: readonly BoundedBlock[]): void => {
    for (const [at, block] of group.entries()) {
      const part = boundedText(block, Math.floor(available / (group.length - at)) - 2);
      available -= part.length + 2;
      parts.set(block, part);
    }
  };
  render(bounded.filter(({ kind }) => kind !== "folded"));
  // Folded blocks get the length that the other blocks do not use.
  available += reserve;
  render(folds);
  const text = [...parts.values()].filter((part) => part !== "").join("\n\n");
  return text.length > limit ? text.slice(0, Math.max(0, limit)).trimEnd() : text;
}

type BoundedBlock = Exclude<Block, { kind: "heading" | "text" }>;

function isBounded(block: Block): block is BoundedBlock {
  return block.kind !== "heading" && block.kind !== "text";
}

function fixedText(block: Exclude<Block, BoundedBlock>): string {
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${inMarkdown(block.text)}`;
  return block.lines.map((line) => capitalized(inMarkdown(line))).join("\n\n");
}

function boundedText(block: BoundedBlock, available: number): string {
  switch (block.kind) {
    case "list":
      return listText(block, available);
    case "table":
      return tableText(block, available);
    case "entries":
      return fitting(block.entries, entryText, block.noun, available, "\n\n", (more) => `${more}.`);
    default:
      return folded(inHtml(block.summary), rendered(block.blocks, available - foldLength));
  }
}

function listText({ items, noun, style = "bullets" }: List, available: number): string {
  const bullet = { bullets: "- ", warnings: "> - " }[style];
  const lineOf = ({ text, mark }: ListItem): string => {
    const line = `${mark === undefined ? "" : `${plain(mark.sign)} `}${inMarkdown(text)}`;
    return bullet + (style === "bullets" ? line : capitalized(line));
  };
  const shown = fitting(items, lineOf, noun, available, "\n", (more) => `${bullet}${more}`);
  return style === "warnings" && shown !== "" ? `> [!WARNING]\n${shown}` : shown;
}

function tableText({ head = [], rows, noun, detailsTitle = "Details" }: Table, available: number): string {
  if (rows.length === 0) return "";
  const marked = rows.some(({ mark }) => mark);
  const titles = marked ? ["", ...head] : head;
  const lineOf = ({ mark, cells }: TableRow): string =>
    tableRow([...(marked ? [mark?.sign ?? ""] : []), ...cells.map(inMarkdown)]);
  const details = rows.flatMap(({ cells: [name = []], details: ofRow = [] }) =>
    ofRow.map((line) => ({ label: undefined, text: `- ${inMarkdown(name)}: ${inMarkdown(line)}` })),
  );
  const top = [tableRow(titles), tableRow(titles.map(() => "---"))].join("\n");
  const availableForRows = (details.length > 0 ? available * rowShare : available) - top.length - 1;
  const shown = `${top}\n${fitting(rows, lineOf, noun, availableForRows, "\n", (more) => `\n${more}.`)}`;
  if (details.length === 0) return shown;
  return `${shown}\n\n${folded(
    detailsTitle,
    fitting(
      details,
      ({ text }) => text,
      "line",
      available - shown.length - foldLength,
      "\n",
      (more) => `- ${more}`,
    ),
  )}`;
}

function entryText({ title, facts, changes, notes }: ChangeEntry): string {
  const lines = changes.flatMap(diffLines);
  const more = lines.length > maxChangeLines ? [`  … and ${counted(lines.length - maxChangeLines, "more line")}`] : [];
  return [
    capitalized([title, ...facts].map(inMarkdown).join(" ")),
    ...(lines.length > 0 ? [codeBlock("diff", [...lines.slice(0, maxChangeLines), ...more])] : []),
    ...(notes.length > 0 ? [notes.map((note) => `- ${inMarkdown(note)}`).join("\n")] : []),
  ].join("\n\n");
}

function diffLines({ property, before, after, note = "" }: ChangeLine): string[] {
  if (before === undefined && after === undefined) return [`! ${property}: ${note}`];
  return [
    ...(before === undefined ? [] : [`- ${property}: ${before}${after === undefined ? note : ""}`]),
    ...(after === undefined ? [] : [`+ ${property}: ${after}${note}`]),
  ];
}

/** Returns the first items that fit, and a last line that counts the omitted items. */
function fitting<T extends Countable>(
  items: readonly T[],
  textOf: (item: T) => string,
  noun: string,
  available: number,
  gap: string,
  tail: (more: string) => string,
): string {
  const texts = items.map(textOf);
  const whole = texts.join(gap);
  if (items.length === 0 || whole.length <= available) return whole;
  // The line that counts omitted items is longest if it counts all items.
  let used = tail(restText(items, noun)).length;
  let kept = 0;
  for (const text of texts) {
    used += text.length + gap.length;
    if (used > available) break;
    kept += 1;
  }
  return [...texts.slice(0, kept), tail(restText(items.slice(kept), noun))].join(gap);
}

/** Returns a sentence with a capital first letter, unless the sentence begins with text that this package did not write. */
function capitalized(sentence: string): string {
  return sentence.replace(/^(\*\*)?[a-z]/, (start) => start.toUpperCase());
}

/**
 * Converts a phrase to Markdown. This package's own phrases contain no special Markdown characters, so the function escapes only text from
 * other sources.
 */
export function inMarkdown(formatted: Phrase): string {
  return formatted.map(spanText).join("");
}

function spanText(span: Span): string {
  if (typeof span === "string") return span;
  const text = cut(span.text, span.as === "error" ? maxErrorSpan : maxSpan);
  switch (span.as) {
    case "strong":
      return `**${span.text}**`;
    case "error":
      return plain(text);
    case "place":
      return `<sub>${code(text)}</sub>`;
    default:
      return code(text);
  }
}

function inHtml(formatted: Phrase): string {
  return formatted
    .map((span) => {
      if (typeof span === "string") return span;
      const text = cut(span.text, span.as === "error" ? maxErrorSpan : maxSpan);
      if (span.as === "strong") return `<b>${span.text}</b>`;
      return span.as === "error" ? plain(text) : `<code>${inCode(text)}</code>`;
    })
    .join("");
}

/** Escapes text that this package did not write, so that Markdown shows the text unchanged. */
export function plain(text: string): string {
  return (
    withoutCommands(visible(text))
      .replace(/[\\`*_{}[\]()#+!|~<>&@$]/g, entity)
      // An HTML comment within the text prevents links and mentions if a renderer decodes HTML entities first.
      .replace(/&#(35|64);|(https?|ftp|www)(?=[:.])/gi, "$&<!-- -->")
  );
}

/** Returns text as code, for sentences, table cells and HTML. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "";
  // Markdown does not unescape text between backticks, and tables split cells even inside backticks. Therefore, the function puts only
  // harmless text between backticks.
  return /^[\w .,:;/*?@=%+-]*$/.test(shown) && shown.trim() === shown ? `\`${shown}\`` : `<code>${inCode(shown)}</code>`;
}

function inCode(text: string): string {
  return visible(text).replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Join_Control} ,-]/gu, entity);
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The fence of a code block has more backticks than any sequence of backticks in the code. */
function codeBlock(language: string, lines: readonly string[]): string {
  const longest = lines.flatMap((line) => line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines.map(visible), fence].join("\n");
}

function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
