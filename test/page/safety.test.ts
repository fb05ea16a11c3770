/** Pages of other sites must not change an emulator on the browser's machine. */
import { createServer, type Server } from "node:http";
import { type Emulator, start } from "../../emulator";
import { paths } from "../emulator/support";
import { call } from "../support/call";
import { Browser, chromiumPath, startLimitMs } from "./support";

// The name of another site.
const browser = new Browser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
let emulator: Emulator;
let site: Server;
let sitePort: number;
let testId: string;

beforeAll(async () => {
  chromiumPath();
  emulator = await start({ rateLimit: "off" });
  const body = { testName: "Portal", url: "https://example.com" };
  testId = String((await call(emulator.url, "POST", paths.httpServer, body))["testId"]);
  site = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<p>Another site"));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const address = site.address();
  sitePort = typeof address === "object" && address ? address.port : 0;
}, startLimitMs);

afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await emulator.close();
  site.close();
  site.closeAllConnections();
});

const tests = async () => {
  const answer = await fetch(`${emulator.url}/_emulator/records/http-server-tests`);
  const { records } = (await answer.json()) as { records: { id: string }[] };
  return records.map(({ id }) => id);
};

/** Scripts that try to change the emulator at `url`. Requests that a browser refuses to send count as refused. */
const attacks: Record<string, (url: string) => string> = {
  "a request without consent": (url) => `fetch("${url}/_emulator/reset", { mode: "no-cors", method: "POST" })`,
  "one with a body": (url) =>
    `fetch("${url}/_emulator/reset", { mode: "no-cors", method: "POST", body: "{}", headers: { "content-type": "text/plain" } })`,
  "one with credentials": (url) =>
    `fetch("${url}/_emulator/reset", { mode: "no-cors", method: "POST", credentials: "include" })`,
  "a JSON request": (url) =>
    `fetch("${url}/_emulator/reset", { method: "POST", body: "{}", headers: { "content-type": "application/json" } })`,
  "one with the header": (url) => `fetch("${url}/_emulator/reset", { method: "POST", headers: { "x-emulator-control": "1" } })`,
  "one of the service with the token that is known to all": (url) =>
    `fetch("${url}${paths.httpServer}/${testId}", { method: "DELETE", headers: { authorization: "Bearer emulator-token" } })`,
  "a form for the service": (url) =>
    `fetch("${url}${paths.httpServer}", { mode: "no-cors", method: "POST", body: '{"testName":"x","url":"https://x.example"}' })`,
  "one with the token of the page": (url) => `fetch("${url}/").then((answer) => answer.text()).then((text) =>
    fetch("${url}${paths.httpServer}/${testId}", {
      method: "DELETE", headers: { authorization: "Bearer " + /data-token="([^"]*)"/.exec(text)[1] },
    }))`,
  "a beacon": (url) => `navigator.sendBeacon("${url}/_emulator/reset", "x")`,
  "a form": (url) => `new Promise((done) => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.name = "target";
    const form = document.body.appendChild(document.createElement("form"));
    Object.assign(form, { method: "POST", action: "${url}/_emulator/reset", target: "target" });
    form.submit();
    setTimeout(done, 500);
  })`,
};

test.each(["evil.test", "127.0.0.1", "localhost"])(
  "a page from another origin (%s) cannot change the emulator's records",
  async (host) => {
    const { page } = await browser.open(emulator.url);
    for (const [name, script] of Object.entries(attacks)) {
      await page.goto(`http://${host}:${sitePort}/`);
      // A request that the browser refuses is an error in the page.
      await page.evaluate(
        `(async () => { ${name === "a form" ? "await" : "return"} ${script(emulator.url)} })().catch(() => undefined)`,
      );
      expect([name, await tests()]).toEqual([name, [testId]]);
    }
  },
);

test("the emulator serves its page under each of its own host names", async () => {
  const { page } = await browser.open(emulator.url);
  const { port } = new URL(emulator.url);
  for (const host of ["127.0.0.1", "localhost", "emulator.localhost"]) {
    expect((await page.goto(`http://${host}:${port}/`))?.status()).toBe(200);
    const status = await page.evaluate(
      `fetch("/_emulator/faults/reset", { method: "POST", headers: { "content-type": "application/json" } }).then(({ status }) => status)`,
    );
    expect([host, status]).toEqual([host, 204]);
  }
});
