/** The documentation site as `npm run docs:site` writes it: every page in Chromium, and every link of every page. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { runInNewContext } from "node:vm";
import { inflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { allCommands } from "../../cli/command/list";
import { registry } from "../../provider/registry";
import { amount } from "../support/amount";
import { registryFiles } from "../support/markdown";
import { type Run, repository, runNode } from "../support/process";
import { Browser, chromiumPath, startLimitMs } from "./support";
import { tasks } from "./tasks";

/** Part of TypeDoc, which builds the index with it. */
const lunr = require("lunr") as { Index: { load(index: object): unknown } };

const browser = new Browser();
let folder: string;
let built: Run;
let server: Server;
let origin: string;
/** The text of each page, by its path in the site. */
let pages: Map<string, string>;

const mediaTypes: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

beforeAll(async () => {
  // Gets the browser where it is missing, while there is time.
  chromiumPath();
  folder = mkdtempSync(join(tmpdir(), "site-"));
  built = await runNode(["tools/docs/site/build.mjs", folder], { cwd: repository });
  pages = new Map(globSync("**/*.html", { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const path = pathname === "/" ? "/index.html" : decodeURIComponent(pathname);
    try {
      const body = readFileSync(join(folder, path));
      const type = mediaTypes[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "cache-control": "max-age=600" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address of this form.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, startLimitMs);

afterEach(() => browser.closePages());

afterAll(async () => {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("is built without a warning", () => expect(built).toMatchObject({ code: 0, stderr: "" }));

it("has a page for each page of docs/ and of the examples, and the README as its first", () => {
  const titles = new Set([...pages.values()].map((text) => /<title>(.*?) \| /.exec(text)?.[1]));
  const sources = globSync(["docs/**/*.md", "examples/*/README.md"], { cwd: repository, exclude: registryFiles });
  expect(sources.length).toBeGreaterThan(15);
  const headings = sources.map((path) => /^# (.+)$/m.exec(readFileSync(join(repository, path), "utf8"))?.[1]);
  expect(headings.filter((heading) => !titles.has(heading))).toEqual([]);
  expect(pages.get("index.html")).toContain("Endpoint Monitoring as code");
});

it("has the classes, the functions, the client and the emulator of the API", () => {
  const names = ["classes/pulumi-endpoint-monitoring.Label", "functions/pulumi-endpoint-monitoring_api.createClient"];
  for (const name of [...names, "functions/pulumi-endpoint-monitoring_emulator.start"]) {
    expect([...pages.keys()]).toContain(`${name}.html`);
  }
});

it("has no link to a file or a place that does not exist", () => {
  const withIds = globSync("**/*.{html,svg}", { cwd: folder }).map(
    (path) => [path, readFileSync(join(folder, path), "utf8")] as const,
  );
  const ids = new Map(
    withIds.map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id))]),
  );
  const files = new Set(globSync("**/*", { cwd: folder }));
  let links = 0;
  const dead = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return [];
      links += 1;
      const [target = "", anchor] = link.split("#");
      const file = target === "" ? path : normalize(join(dirname(path), decodeURIComponent(target)));
      const isThere = files.has(file) && (!anchor || ids.get(file)?.has(decodeURIComponent(anchor)) === true);
      return isThere ? [] : [`${path}: ${link}`];
    }),
  );
  expect([...new Set(dead)]).toEqual([]);
  expect(links).toBeGreaterThan(1000);
});

it("describes each guide to search engines by what its reader can do", () => {
  const described = [...pages].flatMap(([path, text]) => {
    const [, description = ""] = /<meta name="description" content="(.*?)"/.exec(text) ?? [];
    return [{ path, description }];
  });
  expect(described.filter(({ description }) => description.length < 20 || description.startsWith("Documentation for"))).toEqual(
    [],
  );
  expect(described.filter(({ description }) => description.includes("ThousandEyes")).length).toBeGreaterThan(10);
});

it("leads to other sites by HTTPS alone", () => {
  const targets = / (?:href|src)="([a-z]+:[^"]*)"/g;
  const links = [...pages.values()].flatMap((text) => [...text.matchAll(targets)].map(([, link = ""]) => link));
  expect([...new Set(links)].filter((link) => !link.startsWith("https://"))).toEqual([]);
});

const isLong = amount(0, 1) === 1;
const isPerType = (path: string): boolean => /^(?:interfaces|types|variables)\//.test(path);
/** The pages that are looked at. Those of types are alike: in the short form, some of them stand for all. */
const looked = (): string[] => [...pages.keys()].filter((path, at) => isLong || !isPerType(path) || at % 40 === 0);

it("opens a page of each folder without an error", async () => {
  const { page, complaints } = await browser.open(origin);
  // They have the same scripts and styles.
  const oneEach = [...Map.groupBy(looked(), dirname).values()].flatMap(([first = ""]) => first);
  for (const path of isLong ? looked() : oneEach) await page.goto(`${origin}/${path}`, { waitUntil: "domcontentloaded" });
  expect(complaints).toEqual([]);
}, 120_000);

/** Takes the contents of pages one after the other into the one that is open, and returns those that are wider than the window. */
const wider = `((paths) => {
  const parser = new DOMParser();
  window.parsed ??= Promise.all(paths.map(async (path) => [path, parser.parseFromString(await (await fetch("/" + path)).text(), "text/html").body]));
  return window.parsed.then((pages) => pages.flatMap(([path, body]) => {
    document.body.replaceChildren(...document.importNode(body, true).children);
    const { scrollWidth } = document.documentElement;
    return scrollWidth > window.innerWidth ? [path + ": " + scrollWidth + " of " + window.innerWidth] : [];
  }));
})`;

it("has no page whose content is wider than the window, in four widths", async () => {
  const { page } = await browser.open(origin);
  await page.goto(origin);
  const wide: string[] = [];
  for (const width of [400, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate("window.innerWidth")).toBe(width);
    // All pages have the same styles, and a navigation takes ten times as long. In one go, nothing of them is drawn.
    wide.push(...(await page.evaluate<string[]>(`${wider}(${JSON.stringify(looked())})`)));
  }
  expect(wide).toEqual([]);
}, 240_000);

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
/** One page of each kind: guides, commands, a class. */
const kinds = ["Get_started", "Declare", "Gate_on_measurements", "Commands", "HttpServerTest"];

/** Leaves of the tree of all pages what is around the current one: it is the same on each page, and nine tenths of their elements. */
const lessTree = 'for (const item of document.querySelectorAll("nav.tsd-navigation li:not(:has(.current))")) item.remove()';
/** The rules that colors have an effect on, except those that nobody asks for. */
const ofColors = 'axe.getRules(["cat.color"]).filter(({ tags }) => !tags.includes("wcag2aaa")).map(({ ruleId }) => ruleId)';

it("axe-core finds nothing on pages of each kind, light and dark", async () => {
  const { page } = await browser.open(origin, { colorScheme: "light" });
  await page.addInitScript({ content: axe });
  const found = async (options: string): Promise<string[]> => {
    // The script returns what axe-core documents.
    const run = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(`axe.run(${options})`);
    return run.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };
  for (const [at, kind] of kinds.entries()) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${origin}/documents/${kind}.html`);
    await page.locator("nav.tsd-navigation .current").first().waitFor({ state: "attached" });
    if (at > 0) await page.evaluate(lessTree);
    expect([kind, "light", await found("{}")]).toEqual([kind, "light", []]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect([kind, "dark", await found(`{ runOnly: ${ofColors} }`)]).toEqual([kind, "dark", []]);
  }
}, 60_000);

/** Brightness of the page's background, 0 to 255. */
async function brightness(page: Page): Promise<number> {
  const color = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return (red + green + blue) / 3;
}

it("is light or dark as the reader's system is", async () => {
  const { page, complaints } = await browser.open(origin, { colorScheme: "light" });
  await page.goto(origin);
  expect(await brightness(page)).toBeGreaterThan(200);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await brightness(page)).toBeLessThan(80);
  expect(complaints).toEqual([]);
});

interface Row {
  name: string;
  parent?: string;
  url: string;
}

type Search = (text: string) => Row[];

/** Returns the site's search, with its index and its code, in this process. */
function searchOf(): Search {
  const [, packed = ""] = /"(.*)"/.exec(readFileSync(join(folder, "assets/search.js"), "utf8")) ?? [];
  // TypeDoc writes this form; the tests below fail if it is another one.
  const { rows, index } = JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString()) as { rows: Row[]; index: object };
  const scope = { siteSearch: (_index: unknown, _rows: Row[], _text: string): { ref: string }[] => [] };
  runInNewContext(readFileSync(join(folder, "assets/custom.js"), "utf8"), scope);
  const loaded = lunr.Index.load(index);
  return (text) => scope.siteSearch(loaded, rows, text).flatMap(({ ref }) => rows[Number(ref)] ?? []);
}

it("finds the page of each task among its first three results", () => {
  const search = searchOf();
  const results = Object.entries(tasks).map(([query, page]) => ({
    query,
    page,
    names: search(query)
      .slice(0, 3)
      .map(({ name }) => name),
  }));
  expect(results.filter(({ page, names }) => !names.includes(page))).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(30);
  expect(search("the")).not.toEqual([]);
  expect([search(""), search("?!"), search("qwxyz")]).toEqual([[], [], []]);
});

it("each command and each resource type is the first result of its name", () => {
  const search = searchOf();
  const commands = allCommands().map(({ name }) => name);
  const types = Object.values(registry).map(({ name }) => name);
  const names = [...commands, ...types];
  expect(Object.fromEntries(names.map((name) => [name, search(name)[0]?.name]))).toEqual(
    Object.fromEntries(names.map((name) => [name, name])),
  );
});

it("the search knows no member of the client, no type of a record and no source", () => {
  const search = searchOf();
  const found = Object.keys(tasks).flatMap((query) => search(query));
  expect(found.length).toBeGreaterThan(1000);
  expect(
    found.filter(
      ({ name, url }) => name === "Records" || /_(?:api|emulator|native|policy|testing)\b|^(?:interfaces|types)\//.test(url),
    ),
  ).toEqual([]);
});

it("is navigated by its tree and by search", async () => {
  const { page, complaints } = await browser.open(origin);
  await page.goto(origin);
  await page.locator("nav summary", { hasText: "Declare" }).click();
  await page
    .locator("nav a", { hasText: /^HttpServerTest$/ })
    .first()
    .click();
  expect(await page.locator("h1").textContent()).toContain("HttpServerTest");

  await page.locator("#tsd-search-trigger").click();
  await page.locator("#tsd-search-input").fill("adoption was interrupted");
  const found = page.locator("#tsd-search-results a", { hasText: "Recovery" }).first();
  await found.click();
  expect(await page.locator("h1").first().textContent()).toContain("Recovery");
  expect(complaints).toEqual([]);
});
