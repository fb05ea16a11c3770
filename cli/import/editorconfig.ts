import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Style } from "../edit/style";

/** What `.editorconfig` files above a file ask for: its line ends and its indentation. Nothing where they say nothing of it. */
export function editorStyle(file: string): Partial<Style> {
  const files: { folder: string; lines: string[] }[] = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, ".editorconfig");
    if (existsSync(path)) {
      const lines = readFileSync(path, "utf8").split(/\r?\n/);
      files.unshift({ folder, lines });
      if (lines.some((line) => /^\s*root\s*=\s*true\s*$/i.test(line))) break;
    }
    if (dirname(folder) === folder) break;
  }
  const found = new Map(files.flatMap(({ folder, lines }) => settingsFor(relative(folder, file).split(sep).join("/"), lines)));
  const [eol, indent] = [eols[found.get("end_of_line") ?? ""], indentOf(found)];
  return { ...(eol !== undefined && { eol }), ...(indent !== undefined && { indent }) };
}

const eols: Readonly<Record<string, string | undefined>> = { lf: "\n", crlf: "\r\n" };

function indentOf(found: ReadonlyMap<string, string>): string | undefined {
  if (found.get("indent_style") === "tab") return "\t";
  const size = Number(found.get("indent_size"));
  return Number.isInteger(size) && size > 0 && size <= 8 ? " ".repeat(size) : undefined;
}

/** Settings of the sections that a path is in: of a later one after those of an earlier one. */
function settingsFor(path: string, lines: readonly string[]): [name: string, value: string][] {
  let isOf = false;
  return lines.flatMap((line): [string, string][] => {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) {
      isOf = matches(section, path);
      return [];
    }
    const setting = /^\s*([\w-]+)\s*[=:]\s*([^\s;#]+)/.exec(line);
    return isOf && setting ? [[(setting[1] ?? "").toLowerCase(), (setting[2] ?? "").toLowerCase()]] : [];
  });
}

/** Whether a pattern of a section fits a path; one without a slash fits a name in any folder. */
function matches(pattern: string, path: string): boolean {
  const inAnyFolder = !pattern.includes("/");
  const source = pattern.replace(/^\//, "").replace(/\*\*|\*|\?|\{[^{}]*\}|\[!?[^\]]*\]|[.+^$()|\\{}[\]]/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (/^\{.*,.*\}$/.test(part)) return `(?:${part.slice(1, -1).split(",").map(escaped).join("|")})`;
    if (/^\[.+\]$/.test(part)) return part.replace(/^\[!/, "[^");
    return escaped(part);
  });
  try {
    return new RegExp(`^${inAnyFolder ? "(?:.*/)?" : ""}${source}$`).test(path);
  } catch {
    return false;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^$()|\\{}[\]]/g, (part) => (part === "*" ? "[^/]*" : `\\${part}`));
}
