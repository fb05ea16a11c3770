import type { Page } from "playwright-core";
import { type Emulator, start } from "../../emulator";
import { paths, tagOfAgents, tagsPath } from "../emulator/support";
import { call } from "../support/call";
import { Browser, chromiumPath, type Look, startLimitMs } from "./support";

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
  const ownTest = {
    testName: hostile,
    server: "127.0.0.1",
    port: 9,
    agentSelectorType: "agent-labels",
    endpointAgentLabels: [label],
  };
  scheduled = String((await call(emulator.url, "POST", paths.agentToServer, ownTest))["testId"]);
}, startLimitMs);

afterEach(() => browser.closePages());

afterAll(async () => {
  await browser.close();
  await emulator.close();
});

const all = () =>
  `/ /agents /labels /labels/${label} /tags /tags/${tag} /tests /tests/${scheduled} /requests /emulator /agents/missing`.split(
    " ",
  );

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

test("pages never execute text from users, and show hostile names literally", async () => {
  const seen: { path: string; title: string; headings: string[]; foreign: number }[] = [];
  const unexpected = await everywhere({}, async (page, path) => {
    const [title, headings] = [await page.title(), await page.locator("h1").allInnerTexts()];
    seen.push({ path, title, headings, foreign: await page.locator("main img, main script").count() });
  });
  expect(unexpected).toEqual([]);
  const title = expect.stringContaining("Endpoint Monitoring emulator");
  const named: Record<string, unknown> = { [`/labels/${label}`]: hostile, [`/tests/${scheduled}`]: hostile };
  named[`/tags/${tag}`] = expect.stringContaining(hostile);
  const any: unknown = expect.any(String);
  expect(seen).toMatchObject(all().map((path) => ({ path, title, headings: [named[path] ?? any], foreign: 0 })));
});

test("each page fits into screens with a width of 390 or 320 pixels", async () => {
  const seen: [path: string, width: number, shown: unknown][] = [];
  const widths = [390, 320];
  await everywhere({}, async (page, path) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      seen.push([path, width, await page.evaluate("document.documentElement.scrollWidth")]);
    }
  });
  expect(seen).toEqual(all().flatMap((path) => widths.map((width) => [path, width, width])));
});

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
});

test("counters and the list of requests update until the user pauses the updates", async () => {
  const look = await browser.open(emulator.url);
  const { page } = look;
  await page.goto(emulator.url);
  const newest = page.locator("[data-live] tr:first-child");
  const message = page.locator(".live p");
  const labels = page.locator(".stats li", { hasText: "Labels" }).locator("strong");
  const create = async (name: string) =>
    String((await call(emulator.url, "POST", `${paths.label}?${name}`, { name, matchType: "or", filters: [] }))["id"]);

  const [first, second] = [await create("live-1"), await create("live-2")];
  await newest.getByText("live-2").waitFor();
  await labels.getByText("3").waitFor();
  expect([await message.getAttribute("aria-live"), await message.innerText()]).toEqual(["off", "Live"]);

  await tabTo(look, "Pause");
  await page.keyboard.press("Enter");
  for (const id of [first, second]) await call(emulator.url, "DELETE", `${paths.label}/${id}`);
  await message.getByText("Paused").waitFor();
  // Longer than the interval of the script.
  await page.waitForTimeout(3000);
  expect([await newest.getByText("live-2").count(), await labels.innerText()]).toEqual([1, "3"]);
  await page.keyboard.press("Enter");
  await newest.getByText(second).waitFor();
  await labels.getByText("1").waitFor();

  await call(emulator.url, "POST", "/_emulator/requests/reset");
  await page.locator("#no-requests").waitFor({ state: "visible" });
  await call(emulator.url, "GET", `${paths.label}/${label}`);
  await newest.getByText(label).waitFor();
  expect(await page.locator("[data-live] tr").count()).toBe(1);
  expect(look.complaints).toEqual([]);
});

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
});

test("all pages work without JavaScript, except the live list of requests", async () => {
  const unexpected = await everywhere({ javaScriptEnabled: false }, async (page) => {
    expect(await page.locator("h1").isVisible()).toBe(true);
    expect(await page.locator(".live:visible").count()).toBe(0);
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
});

test("printed pages omit navigation, search and page controls", async () => {
  const { page } = await browser.open(emulator.url, { colorScheme: "dark" });
  await page.goto(`${emulator.url}/agents`);
  await page.emulateMedia({ media: "print" });
  for (const gone of [".sections", ".search", ".pager"])
    expect([gone, await page.locator(gone).isVisible()]).toEqual([gone, false]);
  expect(await page.locator("thead").isVisible()).toBe(true);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
});
