/** Reviews prepared changes on the real engine. A person has checked the golden files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Review } from "../../plan/judge/review";
import { visible } from "../../common/text";
import { thisMachineId } from "../../emulator/fleet/make";
import { Browser, type Look, startLimitMs } from "../page/support";
import { changes, Fleet, type FleetAgent, hostile, secrets } from "./support/review-changes";
import { frontsWithinTime, Stack } from "./support/stack";

const golden = join(__dirname, "../cli/golden/review");
/** Writes the golden files instead of comparing with them. Check them afterwards. */
const update = process.env["UPDATE_GOLDEN"] === "1";
/** Folder for pictures of the rendered reviews. */
const pictures = process.env["REVIEW_PICTURES"];

/** A program with a line for each resource, so that each has its own position. */
const program = (module: string, lines: readonly string[], advantage: readonly string[]): string =>
  [
    'const pulumi = require("@pulumi/pulumi");',
    `const em = require("${module}");`,
    "const config = new pulumi.Config();",
    ...lines.map((line) => line.replace(/\$advantage\[(\d)\]/, (_, n: string) => advantage[Number(n)] ?? "")),
    "",
  ].join("\n");

/** Replaces the service's identifiers with the names of their resources, because ids depend on the order of creation. */
async function stable(text: string, stack: Stack): Promise<string> {
  const state = Object.values(stack.state());
  const address = text.replaceAll(new URL(stack.emulator.url).host, "{emulator}");
  return state.reduce((shown, { id, name }) => (id === "" ? shown : shown.replaceAll(id, `{id of ${name}}`)), address);
}

describe.each(frontsWithinTime)("reviews of prepared changes with %s resources", (front) => {
  let stack: Stack;
  let fleet: Fleet;
  /** The program of the current state, unless a change happened meanwhile. */
  let current: string | undefined;
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 50 });
    // The first agent is this machine, which differs everywhere.
    await stack.api("DELETE", `/v7/endpoint/agents/${thisMachineId}?aid=1001`);
    for (const [key, value] of Object.entries(secrets)) await stack.secret(key, value);
    const listed = await stack.api("GET", "/v7/endpoint/agents?useAllPermittedAids=true&max=1000");
    fleet = new Fleet(((await listed.json()) as { agents: FleetAgent[] }).agents);
  }, 120_000);
  afterAll(() => stack.end());

  test.each(Object.entries(changes))(
    'the review of "%s" matches its golden file',
    async (name, { before, after, meanwhile, findings, check, afterwards }) => {
      const advantage = fleet.licensed("advantage").map(({ id }) => id);
      const first = program(stack.module, before, advantage);
      stack.write(first);
      if (first !== current) await stack.up();
      current = first;
      const made = (await meanwhile?.(stack, fleet.agents)) ?? [];
      const second = program(stack.module, after, advantage);
      stack.write(second);
      await stack.requests();

      const file = join(stack.folder, "review.md");
      const run = await stack.cli("review", "--json", "--markdown", file, "--fail-on", "any");
      const { data: review, warnings = [] } = JSON.parse(run.stdout) as { data: Review; warnings?: string[] };
      expect([...new Set(review.findings.map(({ rule }) => rule))]).toEqual(findings);
      expect({ code: run.code, warnings }).toEqual({ code: findings.length > 0 ? 2 : 0, warnings: [] });
      check?.(review, fleet);
      const requests = Object.entries(await stack.requests());
      expect(requests.filter(([operation]) => !/^account\.|\.(list|filter)$/.test(operation))).toEqual([]);
      if (afterwards) {
        await afterwards(stack);
        current = second;
      }
      compare(`${name}.md`, await stable(readFileSync(file, "utf8"), stack));

      for (const path of made) await stack.api("DELETE", path);
      if (before.some((line) => line.includes("protect"))) {
        await stack.must("state", "unprotect", "--all", "--yes");
        current = undefined;
      }
    },
    120_000,
  );

  test("the output and the files of the reviews contain no secret", () => {
    const written = Object.keys(changes).map((name) => readFileSync(join(golden, `${name}.md`), "utf8"));
    for (const secret of [...Object.values(secrets), "s3cret-path", "psst-name", "emulator-token"]) {
      expect(stack.output.includes(secret)).toBe(false);
      expect(written.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});

function compare(file: string, text: string): void {
  const path = join(golden, file);
  if (update) writeFileSync(path, text);
  if (!existsSync(path)) throw new Error(`There is no ${file}: make it with UPDATE_GOLDEN=1, and look at it`);
  expect(text).toBe(readFileSync(path, "utf8"));
}

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
    await look.page.setContent(
      `<!doctype html><meta charset="utf-8"><title>review</title><style>${style}</style>${String(html)}`,
    );
    return look;
  }

  test.each(Object.keys(changes))(
    "the page of the review %s contains only the expected elements and attributes",
    async (name) => {
      const { page, complaints } = await open(readFileSync(join(golden, `${name}.md`), "utf8"));
      const elements = await page
        .locator("body *")
        .evaluateAll((all) => [...new Set(all.map((one) => one.tagName.toLowerCase()))]);
      const allowed = [
        "h3",
        "h4",
        "p",
        "ul",
        "li",
        "input",
        "strong",
        "sub",
        "code",
        "pre",
        "details",
        "summary",
        "blockquote",
      ];
      const tables = ["table", "thead", "tbody", "tr", "th", "td"];
      expect(elements.filter((element) => ![...allowed, ...tables].includes(element))).toEqual([]);
      const attributes = await page
        .locator("body *")
        .evaluateAll((all) => [
          ...new Set(all.flatMap((one) => one.getAttributeNames().map((attribute: string) => `${one.localName} ${attribute}`))),
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
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
        await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
      }
    },
    60_000,
  );

  test("a review shows a record name with markup as text", async () => {
    const { page } = await open(readFileSync(join(golden, "hostile.md"), "utf8"));
    const shown = await page.locator("code").allTextContents();
    for (const name of hostile) for (const text of [name, `${name}!`, `t ${name}`]) expect(shown).toContain(visible(text));
    const everything = await page.locator("body").evaluate((body) => body.textContent ?? "");
    expect(/\p{Cc}(?<!\n)|[\u202A-\u202E]/u.test(everything)).toBe(false);
    // Outside code, GitHub would mention users and link issues after decoding the entities.
    const outside = await page.locator("body").evaluate((body) => {
      for (const one of body.querySelectorAll("code, pre, style")) one.remove();
      return body.textContent ?? "";
    });
    expect(/[@#]|www|:tada:/.test(outside)).toBe(false);
  }, 60_000);
});

const style = `
  body { font: 14px/1.5 "Segoe UI", Helvetica, Arial, sans-serif; color: #1f2328; max-width: 900px; margin: 16px auto }
  code { background: #eff1f3; border-radius: 6px; padding: .15em .35em; font: 85% Menlo, monospace }
  pre { background: #f6f8fa; padding: 12px; border-radius: 6px; overflow: auto } pre code { background: none; padding: 0 }
  table { border-collapse: collapse } td, th { border: 1px solid #d1d9e0; padding: 6px 13px }
  li:has(> input) { list-style: none; margin-left: -1.2em } h3, h4 { margin: 20px 0 10px }`;
