/**
 * Returns the word that somebody probably meant: the one with the fewest letters added, left out, changed or swapped with the next one.
 * Returns nothing if none is close: one such mistake in three letters.
 */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(given.length / 3));
  const [best] = words
    .filter((word) => Math.abs(word.length - given.length) <= max)
    .map((word) => ({ word, distance: editDistance(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= max)
    .toSorted((a, b) => a.distance - b.distance);
  return best?.word;
}

/** ` (did you mean X?)` if a word is close. */
export function suggestion(given: string, words: readonly string[]): string {
  const word = nearest(given, words);
  return word === undefined ? "" : ` (did you mean ${word}?)`;
}

/** Row by row, with the two rows above: a swap looks two letters back. */
function editDistance(from: string, to: string): number {
  let [twoAbove, above]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: readonly number[] | undefined, column: number): number => row?.[column] ?? Infinity;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const changed = at(above, j - 1) + (isSame ? 0 : 1);
      const swapped = isSwap ? at(twoAbove, j - 2) + 1 : Infinity;
      row.push(Math.min(changed, swapped, at(above, j) + 1, at(row, j - 1) + 1));
    }
    [twoAbove, above] = [above, row];
  }
  return at(above, to.length);
}
