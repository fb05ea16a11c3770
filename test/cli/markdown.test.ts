import { rendered } from "../support/render";
import { bounded, code, commentLimit, plain, table } from "../../cli/markdown";

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

/** The text a reader sees of rendered HTML. */
const seen = (html: string): string =>
  html
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#(\d+)|(\w+));/g, (_, point: string | undefined, name: string) =>
      point === undefined ? ({ amp: "&", lt: "<", gt: ">", quot: '"' }[name] ?? "") : String.fromCodePoint(Number(point)),
    )
    .trim();

it.each(hostile)("shows %j as it is, in text and in a cell of a table, and makes nothing of it", async (text) => {
  const wanted = text.replaceAll("\n", "\\n");
  const html = await rendered(table(["name"], [[plain(text)]]));
  expect(seen(html.replace(/.*<td>/s, "").replace(/<\/td>.*/s, ""))).toBe(wanted);
  const paragraph = await rendered(plain(text));
  expect(seen(paragraph)).toBe(wanted);
  expect(paragraph.replace(/<\/?p>|<!-- -->/g, "")).not.toMatch(/<\w/);
});

it.each(hostile)("shows %j as code, in a cell of a table, too", async (text) => {
  const html = await rendered(table(["name"], [[code(text)]]));
  expect(html).toMatch(/<td><code>/);
  expect(html.match(/<td>/g)).toHaveLength(1);
  expect(seen(html.replace(/.*<td>/s, "").replace(/<\/td>.*/s, ""))).toBe(text.replaceAll("\n", "\\n"));
});

it("keeps what fits, from the start, says how much is left out, and never goes over the limit", () => {
  const parts = Array.from({ length: 3_000 }, (_, i) => `part ${i} ${"x".repeat(100)}`);
  const text = bounded(parts, (count) => `${count} more`);
  expect(text.length).toBeLessThanOrEqual(commentLimit);
  expect(text.length).toBeGreaterThan(commentLimit - 300);
  const kept = text.match(/^part \d+/gm) ?? [];
  expect(text).toContain(`${3_000 - kept.length} more`);
  expect(bounded(["a", "b"], () => "never")).toBe("a\n\nb\n");
  expect(bounded(["x".repeat(100), "y"], () => "one more", 50)).toHaveLength(50);
});
