import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { operations } from "../../api/schemas";
import { handle } from "../../emulator/handler";
import { settle } from "../../emulator/options";
import { Server } from "../../emulator/server";
import { Store } from "../../emulator/store";
import { Tokens } from "../../emulator/tokens";

const reported: { stack: string; activity: string }[] = [];
let store: Store;
let url: string;
const http = createServer((request, response) => void server.respond(request, response, ""));
let server: Server;

beforeAll(async () => {
  const settings = settle({
    rateLimit: "off",
    onError: (error, activity) => reported.push({ stack: inspect(error), activity }),
  });
  store = new Store();
  const broken = handle(operations.labels.get, () => {
    throw new TypeError("s3cret detail of the code");
  });
  server = new Server({ settings, store, tokens: new Tokens(settings) }, new AbortController().signal, [broken]);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address. Only a pipe has a name.
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(() => reported.splice(0));
afterAll(() => {
  http.close();
  http.closeAllConnections();
});

const get = (path: string, accept = "*/*") =>
  fetch(url + path, { headers: { authorization: "Bearer emulator-token", accept } });

test("the response to a handler's exception contains no stack trace", async () => {
  const answer = await get("/v7/endpoint/labels/7");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([500, "application/problem+json"]);
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ status: 500, instance: "/v7/endpoint/labels/7" });
  expect(text).not.toContain("s3cret");
  expect(reported).toEqual([
    { activity: "GET /v7/endpoint/labels/7 (labels.get)", stack: expect.stringMatching(/^TypeError: s3cret[^\n]*\n +at /) },
  ]);
  expect(server.log.entries()).toMatchObject([{ operation: "labels.get", status: 500 }]);
});

test("the emulator returns status 500 after an exception in the control API or in a page", async () => {
  store.close();
  const control = await get("/_emulator/records/labels");
  expect([control.status, control.headers.get("content-type")]).toEqual([500, "application/problem+json"]);
  const page = await get("/labels", "text/html");
  expect([page.status, await page.text()]).toEqual([500, expect.stringContaining("The page failed")]);
  expect(reported.map(({ activity }) => activity)).toEqual(["GET /_emulator/records/labels", "The page /labels"]);
  for (const { stack } of reported) expect(stack).toContain("database is not open");
});
