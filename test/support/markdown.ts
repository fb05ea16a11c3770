/** The Markdown pages of a folder as readers of a repository or of npm see them: their links and code. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

type Marked = typeof import("marked", { with: { "resolution-mode": "import" } });
type Token = import("marked", { with: { "resolution-mode": "import" } }).Token;

// An ES module, which tests compile (jest.config.cjs).
const { Lexer, walkTokens } = require("marked") as Marked;

/** A piece of code of a page. */
export interface CodeBlock {
  /** Path of its page. */
  page: string;
  line: number;
  language: string;
  text: string;
}

/** The pages of Pulumi's registry, which are not part of the package and the site. test/invariants/registry-requirements checks them. */
export const registryFiles = ["docs/_index.md", "docs/installation-configuration.md"];

/** A link of a page. */
export interface Link {
  page: string;
  target: string;
}

/** Returns the pages below `root` that match `patterns`, without installed packages. */
export function pagesBelow(root: string, patterns: readonly string[] = ["**/*.md"]): string[] {
  const exclude = (path: string) => path.split("/").includes("node_modules");
  return globSync(patterns, { cwd: root, exclude }).toSorted();
}

const text = (root: string, page: string): string => readFileSync(join(root, page), "utf8");

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  void walkTokens(Lexer.lex(source), (token) => void tokens.push(token));
  return tokens;
}

/** Returns each link and picture of a page, including those in its HTML. */
export function linksOf(root: string, page: string): Link[] {
  const targets = tokensOf(text(root, page)).flatMap((token) => {
    if (token.type === "link" || token.type === "image") return [String(token["href"])];
    if (token.type !== "html") return [];
    return [...token.raw.matchAll(/\b(?:href|src|srcset)="([^" ]*)/g)].map(([, target = ""]) => target);
  });
  return targets.map((target) => ({ page, target }));
}

/** Returns the anchors of a page, as repository hosts derive them from its headings. */
export function anchorsOf(root: string, page: string): Set<string> {
  const anchors = new Set<string>();
  for (const token of tokensOf(text(root, page))) {
    if (token.type !== "heading") continue;
    const slug = String(token["text"])
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns the fault of a relative link, or undefined if its file and anchor exist below `root`. */
export function faultOf(root: string, { page, target }: Link): string | undefined {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (file.startsWith("..") || !existsSync(join(root, file))) return `${page}: ${target} does not exist`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  return anchorsOf(root, file).has(anchor) ? undefined : `${page}: ${file} has no #${anchor}`;
}

export const isRelative = ({ target }: Link): boolean => !/^[a-z]+:/.test(target);

/** Returns the code of a page, or in the comments of a source file, in order. */
export function codeOf(root: string, page: string): CodeBlock[] {
  const source = page.endsWith(".ts") ? text(root, page).replaceAll(/^ *\* ?/gm, "") : text(root, page);
  let from = 0;
  return tokensOf(source).flatMap((token) => {
    if (token.type !== "code") return [];
    const at = source.indexOf(token.raw.trimEnd(), from);
    from = at + 1;
    const [language = ""] = String(token["lang"] ?? "").split(/\s/);
    return [{ page, line: source.slice(0, at).split("\n").length, language, text: String(token["text"]) }];
  });
}

/** Returns the texts between backticks on a page. */
export function codeSpansOf(root: string, page: string): string[] {
  return tokensOf(text(root, page)).flatMap((token) => (token.type === "codespan" ? [String(token["text"])] : []));
}
