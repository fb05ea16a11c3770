/** Opens the reviews of prepared changes in a browser. real/review compares them with the command's output. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { visible } from "../../common/text";
import { changes, hostile } from "../real/support/review-changes";
import { Browser, type Look, startLimitMs } from "./support";

const golden = join(__dirname, "../cli/golden/review");

describe("reviews in a browser", () => {
  const browser = new Browser();
  afterAll(() => browser.close());

  let look: Look;
  beforeAll(async () => {
    look = await browser.open("about:blank");
  }, startLimitMs);

  /** Returns the page of a comment: Markdown converted to HTML without sanitizing. */
  async function open(markdown: string) {
    await look.page.goto("about:blank");
    look.complaints.splice(0);
    await look.page.addScriptTag({ path: join(__dirname, "../../node_modules/marked/lib/marked.umd.js") });
    // The script has put `marked` on the page.
    const html = await look.page.evaluate(`marked.parse(${JSON.stringify(markdown)}, { gfm: true })`);
    await look.page.setContent(`<!doctype html><meta charset="utf-8"><title>review</title>${String(html)}`);
    return look;
  }

  test.each(Object.keys(changes))(
    "the page of the review %s contains only the expected elements and attributes",
    async (name) => {
      const { page, complaints } = await open(readFileSync(join(golden, `${name}.md`), "utf8"));
      const elements = await page
        .locator("body *")
        .evaluateAll((all) => [...new Set(all.map((element) => element.tagName.toLowerCase()))]);
      const allowed = "h3 h4 p ul li input strong sub code pre details summary blockquote table thead tbody tr th td".split(
        " ",
      );
      expect(elements.filter((element) => !allowed.includes(element))).toEqual([]);
      const attributes = await page
        .locator("body *")
        .evaluateAll((all) => [
          ...new Set(
            all.flatMap((element) =>
              element.getAttributeNames().map((attribute: string) => `${element.localName} ${attribute}`),
            ),
          ),
        ]);
      const known = new Set(["input type", "input disabled", "input checked", "code class", "details open"]);
      expect(attributes.filter((attribute) => !known.has(attribute))).toEqual([]);
      // A row that a name had broken would have another number of cells.
      const cells = await page
        .locator("table")
        .evaluateAll((tables_) =>
          tables_.map((table) => new Set([...table.querySelectorAll("tr")].map((row) => row.children.length)).size),
        );
      expect(cells.every((widths) => widths === 1)).toBe(true);
      expect([await page.title(), complaints]).toEqual(["review", []]);
    },
  );

  test("a review shows a record name with markup as text", async () => {
    const { page } = await open(readFileSync(join(golden, "hostile.md"), "utf8"));
    const shown = await page.locator("code").allTextContents();
    for (const name of hostile) for (const text of [name, `${name}!`, `t ${name}`]) expect(shown).toContain(visible(text));
    const everything = await page.locator("body").evaluate((body) => body.textContent ?? "");
    expect(/\p{Cc}(?<!\n)|[\u202A-\u202E]/u.test(everything)).toBe(false);
    // Outside code, GitHub would mention users and link issues after decoding the entities.
    const outside = await page.locator("body").evaluate((body) => {
      for (const element of body.querySelectorAll("code, pre, style")) element.remove();
      return body.textContent ?? "";
    });
    expect(/[@#]|www|:tada:/.test(outside)).toBe(false);
  });
});
