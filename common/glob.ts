/** Returns the expression of a pattern for a whole text: `*` is any characters, `?` is one. @param flags flags of the expression */
export function glob(pattern: string, flags = ""): RegExp {
  const escaped = pattern.replace(/[\\^$.|+()[\]{}/]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, `su${flags}`);
}
