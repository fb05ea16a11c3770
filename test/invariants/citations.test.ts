/**
 * Checks the files that comments and pages cite, and the facts about the service in docs/service/. A reader has only a clone.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeSpansOf, pagesBelow } from "../support/markdown";
import { repository } from "../support/imports";

const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: repository, encoding: "utf8" }).split("\0").filter(Boolean);
/** Each tracked path and each of its endings, because comments omit folders that the reader knows. */
const known = new Set(tracked.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(at).join("/"))));

/** Files of users' programs, and files that commands write. */
const ofPrograms = new Set(
  `acceptance/report.md approval.json base.json debug-provider.cjs npm-shrinkwrap.json parts/all.ts parts/one.ts report.json report.md
  STACK.json token.json`.split(/\s+/),
);

/** Returns the comments of a source. */
const commentsOf = (source: string): string[] =>
  source.match(/(?<=^|[\s({;])\/\*[^]*?\*\/|(?<=^|[\s;])\/\/ .*$|^# .*$/gm) ?? [];

/** Returns the paths of files in a text, without `./` and `../`. */
function pathsIn(text: string): string[] {
  const paths =
    text.match(/(?<![\w./:@*-])(?:\.{1,2}\/)*[\w-]+(?:\/[\w.-]+)*\.(?:md|ts|mjs|cjs|json|yml|css)\b(?![./*])/g) ?? [];
  return paths.map((path) => path.replace(/^(?:\.{1,2}\/)+|^node_modules\/pulumi-endpoint-monitoring\//, ""));
}

const isSource = (path: string): boolean =>
  /\.(?:ts|mjs|cjs|js|go|py|sh|yml)$/.test(path) && !path.startsWith("test/fixtures/");
const comments = tracked.filter(isSource).flatMap((file) => commentsOf(read(file)).map((text) => ({ file, text })));

it("comments cite only files that exist", () => {
  const cited = comments.flatMap(({ file, text }) => pathsIn(text).map((path) => ({ file, path })));
  expect(cited.length).toBeGreaterThan(150);
  expect(cited.filter(({ path }) => !known.has(path) && !ofPrograms.has(path))).toEqual([]);
});

it("the documentation cites only files that exist", () => {
  const pages = pagesBelow(repository).filter((page) => tracked.includes(page) && !/^(?:test\/fixtures|examples)\//.test(page));
  const cited = pages.flatMap((page) =>
    codeSpansOf(repository, page).flatMap((text) => pathsIn(text).map((path) => ({ page, path }))),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ path }) => !known.has(path) && !ofPrograms.has(path))).toEqual([]);
});

const factPages = tracked.filter((path) => path.startsWith("docs/service/"));
const topicsOf = (page: string): string[] => [...read(page).matchAll(/^## (.+)$/gm)].map(([, topic = ""]) => topic);

it("each comment that cites docs/service/ names an existing page and topic", () => {
  const texts = comments.map(({ file, text }) => ({ file, text: text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, " ") }));
  const cited = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/(docs\/service\/[a-z]+\.md)(?:, )?(.{0,60})/g)].map(([, page = "", topic = ""]) => ({
      file,
      page,
      topic,
    })),
  );
  expect(cited.length).toBeGreaterThan(60);
  expect(cited.filter(({ page, topic }) => !topicsOf(page).some((name) => topic.startsWith(name)))).toEqual([]);
});

const index = "docs/service/README.md";
const cellsOf = (page: string): string[][] =>
  [...read(page).matchAll(/^\| (?!---)(.+) \|$/gm)].map(([, row = ""]) => row.split(" | ").map((cell) => cell.trim()));

it("the index of docs/service/ lists each page with its topics", () => {
  const rows = cellsOf(index).flatMap(([link = "", topics = ""]) => {
    const [, page] = /\((\w+\.md)\)/.exec(link) ?? [];
    return page === undefined ? [] : [[`docs/service/${page}`, topics.toLowerCase().split(", ")] as const];
  });
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(
      factPages.filter((page) => page !== index).map((page) => [page, topicsOf(page).map((topic) => topic.toLowerCase())]),
    ),
  );
});

it.each(factPages.filter((page) => page !== index))("the page %s classifies each fact and names the fact's source", (page) => {
  const names = new Set(cellsOf(index).map(([name]) => name));
  const facts = cellsOf(page).filter(([fact]) => fact !== "Fact");
  expect(facts.length).toBeGreaterThan(10);
  const hasSource = ([, mark = "", source]: string[]): boolean =>
    mark === "unknown" ? source === "-" : /^(?:documented|recorded|inferred)$/.test(mark) && names.has(source);
  expect(facts.filter((fact) => fact.length !== 3 || !hasSource(fact))).toEqual([]);
});
