/**
 * Converts a pattern with wildcards to a regular expression that matches a whole string. The wildcard `*` matches any number of characters,
 * and `?` matches one character.
 *
 * @param flags flags of the regular expression
 */
export function glob(pattern: string, flags = ""): RegExp {
  const escaped = pattern.replace(/[\\^$.|+()[\]{}/]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, `su${flags}`);
}
