/**
 * Returns a regular expression for a pattern that must match the whole text: `*` matches any characters, `?` matches one
 * character. @param flags flags of the expression
 */
export function glob(pattern: string, flags = ""): RegExp {
  const escaped = pattern.replace(/[\\^$.|+()[\]{}/]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, `su${flags}`);
}
