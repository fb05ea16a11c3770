let segmenter: Intl.Segmenter | undefined;

/** Loading `Intl.Segmenter` takes 15 ms, so the function does not use it for ASCII text. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/**
 * Returns the width of text on a terminal, in columns. East Asian characters and emoji take two columns. Marks and joiners take no column.
 * The text must not contain control characters.
 */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemesOf(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Breaks text between words into lines of at most `columns` columns.
 * @param indent number of spaces before each line except the first line
 */
export function linesOf(text: string, columns: number, indent = 0): string[] {
  if (columnsOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/ *[^ ]+/g) ?? []) {
    if (line.trim() === "" || columnsOf(line + word) <= columns) line += word;
    else {
      lines.push(line);
      line = " ".repeat(indent) + word.trimStart();
    }
  }
  return [...lines, line];
}

export function cutToColumns(text: string, columns: number): string {
  let [remaining, fitting] = [columns, ""];
  for (const { segment } of graphemesOf(text)) {
    remaining -= columnsOfGrapheme(segment);
    if (remaining < 0) break;
    fitting += segment;
  }
  return fitting;
}

/** A mark without a base character takes no column. */
function columnsOfGrapheme(grapheme: string): number {
  if (/^(?:\p{Default_Ignorable_Code_Point}|\p{M})/u.test(grapheme)) return 0;
  return /^\p{Emoji_Presentation}|\ufe0f/u.test(grapheme) || wide.test(grapheme) ? 2 : 1;
}

/** Characters with the Unicode property East_Asian_Width `Wide` or `Fullwidth`, except emoji. */
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
