/** A change of a text: what stands from `start` to `end` becomes `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A part of a text that stays, or new text. What lies between two parts that stay goes. */
export type Piece = { from: number; to: number } | string;

export function kept(from: number, to: number): Piece {
  return { from, to };
}

/** What makes pieces of the text from `start` to `end`. Parts that stay are in their order. */
export function editsOf(pieces: readonly Piece[], start: number, end: number): Edit[] {
  const edits: Edit[] = [];
  let at = start;
  let added = "";
  for (const piece of [...pieces, kept(end, end)]) {
    if (typeof piece === "string") {
      added += piece;
      continue;
    }
    if (added !== "" || piece.from > at) edits.push({ start: at, end: piece.from, text: added });
    at = piece.to;
    added = "";
  }
  return edits;
}

/** The text after edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: added } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(at, start), added);
    at = end;
  }
  return parts.join("") + text.slice(at);
}
