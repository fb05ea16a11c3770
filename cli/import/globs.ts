/** Says of a text whether any of the patterns fits all of it: `*` is any run of characters, `?` one; case does not count. */
export function anyGlob(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map(
    (pattern) =>
      new RegExp(
        `^${pattern
          .replace(/[\\^$.|+()[\]{}/-]/g, "\\$&")
          .replaceAll("*", "[^]*")
          .replaceAll("?", "[^]")}$`,
        "iu",
      ),
  );
  return (text) => expressions.some((expression) => expression.test(text));
}
