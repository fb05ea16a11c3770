/** A pattern for all of a text: `*` is any run of characters, `?` is one. @param flags those of a regular expression */
export function glob(pattern: string, flags = ""): RegExp {
  const escaped = pattern.replace(/[\\^$.|+()[\]{}/]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, `su${flags}`);
}
