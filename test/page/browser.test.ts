import type { Page } from "playwright-core";
import { type Emulator, start } from "../../emulator";
import { paths } from "../emulator/support";
import { call } from "../support/call";
import { Browser, chromiumPath, type Look, startLimitMs, tagOfAgents, tagsPath } from "./support";

const browser = new Browser();
let emulator: Emulator;
let label: string;
let tag: string;
let scheduled: string;

const hostile = `<img src=x onerror="document.title='taken'"><script>document.title="taken"</script>`;

beforeAll(async () => {
  // Installs a missing browser before the time limit starts.
  chromiumPath();
  emulator = await start({ rateLimit: "off", agents: 10_000 });
  const filters = [{ key: "hostname", values: ["*"] }];
  const made = await call(emulator.url, "POST", paths.label, { name: hostile, matchType: "or", filters });
  label = String(made["id"]);
  const wordy = { ...tagOfAgents, key: hostile, value: "Unbroken".repeat(20), matchType: "or", filters };
  tag = String((await call(emulator.url, "POST", tagsPath, wordy))["id"]);
  const wide = { testName: "Unbroken".repeat(20), url: `https://${"long".repeat(12)}.example/${"path".repeat(40)}` };
  await call(emulator.url, "POST", paths.httpServer, wide);
  const own = {
    testName: hostile,
    server: "127.0.0.1",
    port: 9,
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label],
  };
  scheduled = String((await call(emulator.url, "POST", paths.agentToServer, own))["testId"]);
}, startLimitMs);

afterEach(() => browser.closePages());

afterAll(async () => {
  await browser.close();
  await emulator.close();
});

const all = () => [
  "/",
  "/agents",
  "/labels",
  `/labels/${label}`,
  "/tags",
  `/tags/${tag}`,
  "/tests",
  `/tests/${scheduled}`,
  "/requests",
  "/emulator",
  "/agents/missing",
];

/** Visits every page in one profile. */
async function everywhere(options: Parameters<Browser["open"]>[1], check: (page: Page, path: string) => Promise<void>) {
  const { page, complaints } = await browser.open(emulator.url, options);
  for (const path of all()) {
    await page.goto(emulator.url + path);
    await check(page, path);
  }
  // The browser reports the page that is missing on purpose.
  const unexpected = complaints.filter((complaint) => !complaint.includes("404 (Not Found)"));
  await browser.closePages();
  return unexpected;
}

/** The contrast of each text on a page to its background (WCAG 2.2, relative luminance). Runs in the page. */
const contrasts = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("body *")].filter((element) =>
    !element.closest("svg, script") && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""));
  return texts.map((element) => {
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))].sort((x, y) => y - x);
    return { text: element.textContent.trim().slice(0, 30), ratio: (a + 0.05) / (b + 0.05) };
  });
})()`;

const schemes = ["light", "dark"] as const;

/** Runs a function at its first call. Several tests use the result of one visit of each page. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

const onDesktop = once(async () => {
  const seen: {
    path: string;
    title: string;
    headings: number;
    foreign: number;
    text: Record<string, { text: string; ratio: number }[]>;
  }[] = [];
  const unexpected = await everywhere({}, async (page, path) => {
    const [title, headings] = [await page.title(), await page.locator("h1").count()];
    const foreign = await page.locator("main img, main script").count();
    const text: (typeof seen)[number]["text"] = {};
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      // The script returns this shape.
      text[colorScheme] = await page.evaluate<{ text: string; ratio: number }[]>(contrasts);
    }
    seen.push({ path, title, headings, foreign, text });
  });
  return { seen, unexpected };
});

/** Width of each page's content on phones. */
const onPhones = once(async () => {
  const seen: [path: string, width: number, colorScheme: string, shown: unknown][] = [];
  await everywhere({ viewport: { width: 390, height: 844 } }, async (page, path) => {
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      for (const colorScheme of width === 390 ? schemes : (["light"] as const)) {
        await page.emulateMedia({ colorScheme });
        seen.push([path, width, colorScheme, await page.evaluate("document.documentElement.scrollWidth")]);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
  });
  return seen;
});

test("pages never execute text from users", async () => {
  const { seen, unexpected } = await onDesktop();
  expect(unexpected).toEqual([]);
  const title = expect.stringContaining("Endpoint Monitoring emulator");
  expect(seen).toMatchObject(all().map((path) => ({ path, title, headings: 1, foreign: 0 })));
}, 60_000);

test("a page shows a hostile name literally", async () => {
  const { page } = await browser.open(emulator.url);
  await page.goto(`${emulator.url}/labels/${label}`);
  expect(await page.locator("h1").innerText()).toBe(hostile);
  await page.goto(`${emulator.url}/tags/${tag}`);
  expect(await page.locator("h1").innerText()).toContain(hostile);
  await page.goto(`${emulator.url}/tests/${scheduled}`);
  expect(await page.locator("h1").innerText()).toBe(hostile);
}, 60_000);

test.each([
  [390, "light"],
  [390, "dark"],
  [320, "light"],
] as const)(
  "each page fits into a screen of %i pixels (%s)",
  async (...screen) => {
    const seen = (await onPhones()).filter(([, ...one]) => one.slice(0, 2).join() === screen.join());
    expect(seen).toEqual(all().map((path) => [path, ...screen, screen[0]]));
  },
  60_000,
);

test.each(schemes)(
  "text on pages has a contrast of at least 4.5 to 1 (%s)",
  async (colorScheme) => {
    const { seen } = await onDesktop();
    expect(seen).toHaveLength(all().length);
    for (const { path, text } of seen) {
      const found = text[colorScheme] ?? [];
      expect(found.length).toBeGreaterThan(10);
      expect([path, found.filter(({ ratio }) => !(ratio >= 4.5))]).toEqual([path, []]);
    }
  },
  60_000,
);

/** Presses Tab until the element with this text or id has the focus, and returns it. @throws Error if it never gets the focus */
async function tabTo({ page }: Look, wanted: string): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = String(await page.evaluate("(document.activeElement.id || document.activeElement.textContent).trim()"));
    seen.push(focused);
    if (focused !== wanted) continue;
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    if (outline !== "solid") throw new Error(`${wanted} has the focus, but does not show it`);
    return;
  }
  throw new Error(`Tab never came to ${wanted}, only to ${seen.join(", ")}`);
}

test("a user can reach links and controls with the keyboard", async () => {
  const look = await browser.open(emulator.url);
  const { page } = look;
  await page.goto(emulator.url);
  await tabTo(look, "Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("main");

  await page.goto(emulator.url);
  await tabTo(look, "Agents");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/agents");
  await tabTo(look, "Branch offices");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/agents?aid=1002");

  await tabTo(look, "search");
  await page.keyboard.type("mac");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("search") === "mac" && url.searchParams.get("aid") === "1002");
  await tabTo(look, "Next");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("page") === "2" && url.searchParams.get("search") === "mac");
  expect(await page.locator(".pager").innerText()).toContain("Page 2 of");

  await page.goto(`${emulator.url}/labels`);
  await tabTo(look, hostile);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/labels/${label}`);
}, 60_000);

test("the list of requests adds new requests until the user pauses the updates", async () => {
  const look = await browser.open(emulator.url);
  const { page } = look;
  await page.goto(`${emulator.url}/requests`);
  const newest = page.locator("[data-live] tr:first-child");
  const said = page.locator(".live p");
  const get = (id: string) =>
    fetch(`${emulator.url}${paths.label}/${id}`, { headers: { authorization: "Bearer emulator-token" } });

  await get("live-1");
  await newest.getByText("live-1").waitFor();
  expect([await said.getAttribute("aria-live"), await said.innerText()]).toEqual(["off", "Live"]);

  await tabTo(look, "Pause");
  await page.keyboard.press("Enter");
  await get("live-2");
  await said.getByText("Paused").waitFor();
  // Longer than the interval of the script.
  await page.waitForTimeout(1500);
  expect(await newest.innerText()).toContain("live-1");
  await page.keyboard.press("Enter");
  await newest.getByText("live-2").waitFor();

  await call(emulator.url, "POST", "/_emulator/requests/reset");
  await page.locator("#no-requests").waitFor({ state: "visible" });
  await get("live-4");
  await newest.getByText("live-4").waitFor();
  expect(await page.locator("[data-live] tr").count()).toBe(1);
  expect(look.complaints).toEqual([]);
}, 60_000);

test("the list of requests continues after a restart of the emulator", async () => {
  const short = await start({ rateLimit: "off" });
  const { page } = await browser.open(short.url);
  await page.goto(`${short.url}/requests`);
  await short.close();
  await page.locator(".live p").getByText("does not answer").waitFor();
  const again = await start({ rateLimit: "off", port: Number(new URL(short.url).port) });
  await fetch(`${again.url}${paths.label}/back`, { headers: { authorization: "Bearer emulator-token" } });
  await page.locator("[data-live] tr").getByText("back").waitFor();
  expect(await page.locator(".live p").innerText()).toBe("Live");
  await again.close();
}, 60_000);

test("all pages work without JavaScript, except the live list of requests", async () => {
  const unexpected = await everywhere({ javaScriptEnabled: false }, async (page) => {
    expect(await page.locator("h1").isVisible()).toBe(true);
    expect(
      await page
        .locator(".live")
        .isVisible()
        .catch(() => false),
    ).toBe(false);
  });
  expect(unexpected).toEqual([]);
  const { page } = await browser.open(emulator.url, { javaScriptEnabled: false });
  await page.goto(`${emulator.url}/agents`);
  await page.fill("#search", "london");
  await page.click(".search button");
  await page.waitForURL("**/agents?search=london");
  await page.click("text=Next");
  await page.waitForURL("**/agents?search=london&page=2");
  expect(await page.locator("tbody tr").count()).toBe(50);
}, 60_000);

test("printed pages omit navigation, search and page controls", async () => {
  const { page } = await browser.open(emulator.url, { colorScheme: "dark" });
  await page.goto(`${emulator.url}/agents`);
  await page.emulateMedia({ media: "print" });
  for (const gone of [".sections", ".search", ".pager"])
    expect([gone, await page.locator(gone).isVisible()]).toEqual([gone, false]);
  expect(await page.locator("thead").isVisible()).toBe(true);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
}, 60_000);
