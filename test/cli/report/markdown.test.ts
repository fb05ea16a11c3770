import { rendered } from "../../support/render";
import { list, table, text } from "../../../cli/report/document";
import { code, commentLimit, inMarkdown, plain, toMarkdown } from "../../../cli/report/markdown";
import { errorText, type Phrase, word } from "../../../common/phrase";

const hostile = [
  "a | b",
  "`code`",
  "``two``",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "line\nbreak",
  "@everyone #1 !2",
  "[link](https://example.com)",
  "https://example.com",
  "*bold* _it_ ~~gone~~",
  "&amp; $x$ \\",
  "www.example.com",
  "😀 ünïcode",
  "`",
];

const tableOf = (cell: Phrase): string => toMarkdown([table("row", ["name"], [[cell]])]);

/** The visible text of rendered HTML. */
const seen = (html: string): string =>
  html
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (_, point: string | undefined, name: string) =>
      point === undefined ? ({ amp: "&", lt: "<", gt: ">", quot: '"' }[name] ?? "") : String.fromCodePoint(Number(point)),
    )
    .trim();

it.each(hostile)("a Markdown report shows %j literally, in text and in a table cell", async (hostileText) => {
  const wanted = hostileText.replaceAll("\n", "\\n");
  const html = await rendered(tableOf([errorText(hostileText)]));
  expect(seen(html.replace(/.*<td>/s, "").replace(/<\/td>.*/s, ""))).toBe(wanted);
  const paragraph = await rendered(plain(hostileText));
  expect(seen(paragraph)).toBe(wanted);
  expect(paragraph.replace(/<\/?p>|<!-- -->/g, "")).not.toMatch(/<\w/);
});

it.each(hostile)("a Markdown report shows %j as code, also in a table cell", async (hostileText) => {
  const html = await rendered(tableOf([word(hostileText)]));
  expect(inMarkdown([word(hostileText)])).toBe(code(hostileText));
  expect(html).toMatch(/<td><code>/);
  expect(html.match(/<td>/g)).toHaveLength(1);
  expect(seen(html.replace(/.*<td>/s, "").replace(/<\/td>.*/s, ""))).toBe(hostileText.replaceAll("\n", "\\n"));
});

it("a Markdown report fits its maximum length and counts the omitted items", () => {
  const long = list(
    "part",
    Array.from({ length: 1_000 }, (_, i) => [`part ${i} ${"x".repeat(100)}`]),
  );
  const whole = toMarkdown([long]);
  expect(whole.length).toBeLessThanOrEqual(commentLimit);
  expect(whole.length).toBeGreaterThan(commentLimit - 300);
  const kept = (markdown: string): number => markdown.match(/^- part \d+/gm)?.length ?? 0;
  expect(whole).toContain(`- … and ${(1_000 - kept(whole)).toLocaleString("en-US")} more parts`);
  expect(toMarkdown([text(["A"], ["b"])])).toBe("A\n\nB\n");
  expect(toMarkdown([text(["x".repeat(100)]), text(["y"])], 50).length).toBeLessThanOrEqual(50);
});

it("a Markdown report divides its maximum length evenly between lists", () => {
  const items = (number: number, mark: string) =>
    list(
      "item",
      Array.from({ length: number }, (_, i) => [`${mark} ${i} ${"x".repeat(100)}`]),
    );
  const kept = (shown: string, mark: string): number => shown.match(new RegExp(`^- ${mark} \\d+`, "gm"))?.length ?? 0;
  const even = toMarkdown([items(1_000, "a"), items(1_000, "b")]);
  expect(even.length).toBeLessThanOrEqual(commentLimit);
  expect(Math.abs(kept(even, "a") - kept(even, "b"))).toBeLessThanOrEqual(2);
  const uneven = toMarkdown([items(10, "a"), items(1_000, "b")]);
  expect(kept(uneven, "a")).toBe(10);
  expect(kept(uneven, "b")).toBeGreaterThan(450);
});
