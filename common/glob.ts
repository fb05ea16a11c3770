/**
 * Returns a regular expression that matches the whole text. In the pattern, `*` means any characters, and `?` means one
 * character.
 *
 * @param flags flags of the regular expression
 */
export function glob(pattern: string, flags = ""): RegExp {
  const escaped = pattern.replace(/[\\^$.|+()[\]{}/]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, `su${flags}`);
}
