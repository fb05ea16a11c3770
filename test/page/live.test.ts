/** Tests parts of a page that update automatically, and the user's actions. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { type Emulator, start } from "../../emulator";
import { minimal, paths, tagOfAgents, tagsPath } from "../emulator/support";
import { amount } from "../support/amount";
import { call } from "../support/call";
import { Browser, chromiumPath, startLimitMs } from "./support";

const browser = new Browser();
let emulator: Emulator;
let testId: string;
let label: string;
let tag: string;

beforeAll(async () => {
  chromiumPath();
  emulator = await start({ agents: 60 });
  label = String((await call(emulator.url, "POST", paths.label, minimal.label))["id"]);
  const tagged = { ...tagOfAgents, key: "team", value: "sre", matchType: "or", filters: minimal.label.filters };
  tag = String((await call(emulator.url, "POST", tagsPath, tagged))["id"]);
  const body = { testName: "Refused", server: "127.0.0.1", port: 1 };
  testId = String((await call(emulator.url, "POST", paths.agentToServer, body))["testId"]);
}, startLimitMs);
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await emulator.close();
});

const open = async (path: string, options: Parameters<Browser["open"]>[1] = {}) => {
  const look = await browser.open(emulator.url, options);
  await look.page.goto(emulator.url + path);
  return look;
};
test("new measurement rounds do not move the keyboard focus", async () => {
  const { page } = await open(`/tests/${testId}`);
  const rounds = page.locator("#test-rounds tbody tr");
  await rounds.first().waitFor();
  const before = await rounds.count();
  await page.locator("#test-rounds tbody a").first().focus();
  await call(emulator.url, "POST", `/v7/endpoint/tests/scheduled-tests/${testId}/run`);
  await rounds.nth(before).waitFor();
  expect(await page.evaluate("document.activeElement.closest('#test-rounds') !== null")).toBe(true);
  await call(emulator.url, "PATCH", `${paths.agentToServer}/${testId}`, { isEnabled: false });
  await page.getByText("The test is disabled.").first().waitFor();
  await call(emulator.url, "PATCH", `${paths.agentToServer}/${testId}`, { isEnabled: true });
});

test("a narrow screen hides the list of rounds until the user opens the list", async () => {
  const wide = await open(`/tests/${testId}`);
  expect(await wide.page.locator(".fold").getAttribute("open")).toBe("");
  const { page } = await open(`/tests/${testId}`, { viewport: { width: 400, height: 800 } });
  await page.locator(".fold:not([open])").waitFor();
  await page.locator(".fold summary").focus();
  await page.keyboard.press("Enter");
  await page.locator("#test-rounds tbody tr").first().waitFor({ state: "visible" });
});

test("a user can add and delete a fault with the keyboard", async () => {
  const { page, complaints } = await open("/emulator");
  await page.getByLabel("Kind").focus();
  await page.keyboard.type("status");
  await page.getByLabel("Operation").focus();
  await page.keyboard.type("labels.list");
  await page.getByLabel("Status", { exact: true }).and(page.locator("input")).focus();
  await page.keyboard.type("502");
  await page.keyboard.press("Enter");
  const row = page.locator("#emulator-faults tbody tr");
  await row.getByText("status 502").waitFor();
  const answer = await fetch(emulator.url + paths.label, { headers: { authorization: "Bearer emulator-token" } });
  expect(answer.status).toBe(502);
  await row.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Add fault" }).press("Enter");
  await page.getByRole("button", { name: "Drop status" }).press("Enter");
  await row.waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.name")).toBe("kind");
  expect(complaints).toEqual([]);
  await page.evaluate("document.querySelector('.fault').noValidate = true");
  await page.getByLabel("Milliseconds").fill("9999999999");
  await page.getByRole("button", { name: "Add fault" }).click();
  await page.getByText("ms must be at most 2147483647").waitFor();
});

/** Opens a folded form, and returns it. */
async function formOf(page: Page, title: string) {
  await page
    .locator("summary")
    .filter({ hasText: new RegExp(`^${title}$`) })
    .click();
  return page.locator("details[open] form");
}

test("a user can create, change and delete a tag", async () => {
  const { page, complaints } = await open("/tags");
  const created = await formOf(page, "New tag");
  const rule = "hostname: *\nnot platform: Mac, Linux\ncustom Büro: Köln";
  await created.getByLabel("key").fill("site");
  await created.getByLabel("value").fill("\u202eHQ");
  await created.getByLabel("filters").fill(rule);
  await created.getByRole("button").click();
  await page.waitForURL("**/tags/*");
  const stored = () => call(emulator.url, "GET", `${tagsPath}/${page.url().split("/").at(-1)}`);
  const filters = [
    { key: "hostname", values: ["*"] },
    { key: "platform", mode: "not-in", values: ["Mac", "Linux"] },
    { key: "Büro", scope: "custom", values: ["Köln"] },
  ];
  expect(await stored()).toMatchObject({ ...tagOfAgents, key: "site", value: "\u202eHQ", filters });

  const changed = await formOf(page, "Change");
  expect(await changed.getByLabel("filters").inputValue()).toBe(rule);
  await changed.getByLabel("color").fill("#123456");
  await changed.getByLabel("description").fill("Changed by hand");
  await changed.getByRole("button").click();
  await page.locator("dd", { hasText: "#123456" }).waitFor();
  const now = { key: "site", value: "\u202eHQ", color: "#123456", description: "Changed by hand", filters };
  expect(await stored()).toMatchObject({ ...tagOfAgents, ...now });

  const path = new URL(page.url()).pathname;
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/tags");
  await expect(call(emulator.url, "GET", `/v7${path}`)).rejects.toThrow("404");
  expect(complaints).toEqual([]);
});

test("a user can create, change, disable, run and delete a test that uses a label", async () => {
  const { page } = await open("/tests");
  const created = await formOf(page, "New agent-to-server test");
  await created.getByLabel("testName").fill("By hand");
  await created.getByLabel("server", { exact: true }).fill("127.0.0.1");
  await created.getByLabel("port").fill("1");
  await created.getByLabel("agentSelectorType").selectOption("agent-labels");
  await created.getByLabel("endpointAgentLabels").selectOption([label]);
  await created.getByRole("button").click();
  await page.waitForURL("**/tests/*");
  const id = page.url().split("/").at(-1) ?? "";
  const stored = () => call(emulator.url, "GET", `${paths.agentToServer}/${id}`);
  expect(await stored()).toMatchObject({ port: 1, agentSelectorConfig: { endpointAgentLabels: [label] } });

  const changed = await formOf(page, "Change");
  await changed.getByLabel("interval").selectOption("300");
  await changed.getByLabel("port").fill("99999");
  await changed.getByRole("button").click();
  await changed.getByText("port : must be at most 65535").waitFor();
  await changed.getByLabel("port").fill("1");
  await changed.getByRole("button").click();
  await page.getByText("every 5 min").waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  expect(await stored()).toMatchObject({ testName: "By hand", interval: 300, isEnabled: false });
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByText("Done.").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/tests");
  await expect(stored()).rejects.toThrow("404");
});

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Each width and each color scheme once. The long form runs all four combinations. */
const looks = [
  [1280, "light"],
  [400, "dark"],
  [1280, "dark"],
  [400, "light"],
] as const;

describe.each(looks.slice(0, amount(2, looks.length)))("pages at a width of %i pixels, %s", (width, colorScheme) => {
  test("the tool axe-core finds no accessibility problem on any page", async () => {
    await call(emulator.url, "POST", "/_emulator/faults", { kind: "status", operation: "labels.update" });
    const { page } = await browser.open(emulator.url, { viewport: { width, height: 900 }, colorScheme });
    await page.addInitScript({ content: axe });
    await page.goto(`${emulator.url}/requests`);
    const request = String(await page.locator("[data-live] a").last().getAttribute("href"));
    const sections = "/ /agents /labels /tags /tests /requests /emulator /requests?search=nothing /agents?search=nobody";
    const records = `/labels/${label} /tags/${tag} /tests/${testId} /tests/7 ${request}`;
    for (const path of `${sections} ${records}`.split(" ")) {
      await page.goto(emulator.url + path);
      await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
      // The script returns axe-core's documented result.
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>("axe.run()");
      expect([path, violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual([path, []]);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
    }
  });
});
