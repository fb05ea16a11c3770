/** Pieces of GitHub-flavoured Markdown. GitLab renders the same. */
import { visible } from "./words";

/** Longest comment that GitHub takes is 65,536 characters; a pipeline adds a heading of its own. */
export const commentLimit = 60_000;

/** Text of others as Markdown shows it, character for character: names may hold anything. */
export function plain(text: string): string {
  return (
    visible(text)
      .replace(/[\\`*_{}[\]()#+!|~<>&@$]/g, entity)
      // A comment parts what would become a link or mention a person after the entities have been put back.
      .replace(/&#(35|64);|(https?|ftp|www)(?=[:.])/gi, "$&<!-- -->")
  );
}

/** Text as code, whatever it holds: in sentences, in cells of a table and in HTML. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "";
  // Between backticks nothing is escaped, and a table looks for its bars first: only what is harmless goes there.
  return /^[\w .,:;/*?@=%+-]*$/.test(shown) && shown.trim() === shown
    ? `\`${shown}\``
    : `<code>${shown.replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Join_Control} ,-]/gu, entity)}</code>`;
}

/** Text as code inside HTML, where backticks mean nothing. */
export function htmlCode(text: string): string {
  return `<code>${visible(text).replace(/[&<>"'@#`|\\*_[\]:.]/g, entity)}</code>`;
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), tableRow(head.map(() => "---")), ...rows.map(tableRow)].join("\n");
}

/** A line of a table. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Lines as code of a language, whatever backticks they hold. */
export function block(language: string, lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines.map(visible), fence].join("\n");
}

/** A part that is folded until it is clicked on. */
export function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/**
 * Joins parts into one text within a limit. What does not fit is left out whole, from the end, and the text says how much.
 *
 * @param parts the first is always kept
 * @param left says how many parts were left out
 */
export function bounded(parts: readonly string[], left: (count: number) => string, limit = commentLimit): string {
  const join = (some: readonly string[]): string => `${some.join("\n\n")}\n`;
  const whole = join(parts);
  if (whole.length <= limit) return whole;
  let kept = parts.length - 1;
  for (; kept > 1; kept -= 1) {
    const text = join([...parts.slice(0, kept), left(parts.length - kept)]);
    if (text.length <= limit) return text;
  }
  return join([...parts.slice(0, 1), left(parts.length - 1)]).slice(0, limit);
}
