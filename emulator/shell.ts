/** A value as a shell takes it: in quotes where it has a character that means something there. */
export function shellQuoted(value: string): string {
  return /^[\w.:/@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
