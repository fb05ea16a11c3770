import { connect } from "node:net";
import { type EmulatorOptions, start } from "../../emulator";
import { Bench, minimal, paths } from "./support";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.close());

const create = (headers?: Record<string, string>) =>
  fetch(bench.url + paths.label, {
    method: "POST",
    headers: { authorization: "Bearer emulator-token", "content-type": "application/json", ...headers },
    body: JSON.stringify(minimal.label),
  });
const withFault = (fault: string) => create({ "x-emulator-fault": fault });
const ask = (body: object) => bench.call("POST", "/_emulator/faults", { body });
const stored = async () => (await bench.stored("labels")).length;

describe("faults in a request header", () => {
  test.each([
    ["drop-before", 0],
    ["drop-after", 1],
  ])("the fault %s closes the connection, and the emulator stores %i records", async (fault, count) => {
    await expect(withFault(fault)).rejects.toThrow("fetch failed");
    expect(await stored()).toBe(count);
    expect((await create()).status).toBe(201);
    const { body } = await bench.call("GET", "/_emulator/requests?log=true");
    expect(body.log.map(({ status }: { status: number }) => status)).toEqual([0, 201]);
    expect(bench.emulator.requests()).toEqual({ "labels.create": 2 });
  });

  test('the "status" fault returns the named status and stores nothing', async () => {
    const answer = await withFault("status=502");
    expect([answer.status, await stored()]).toEqual([502, 0]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ status: 502 });
  });

  test('the "half-close" fault ends only the emulator\'s side of the connection', async () => {
    const { hostname, port } = new URL(bench.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write(
      `GET ${paths.label} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer emulator-token\r\nx-emulator-fault: half-close\r\n\r\n`,
    );
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    await new Promise((resolve) => socket.once("end", resolve));
    expect(text).toBe("");
    const error = await new Promise((resolve) => socket.write("more", resolve));
    expect([error ?? undefined, socket.writable]).toEqual([undefined, true]);
    socket.destroy();
  });

  test('the "redirect" fault redirects a request to the same path on another host', async () => {
    const headers = { authorization: "Bearer emulator-token", "x-emulator-fault": "redirect" };
    const answer = await fetch(`${bench.url}${paths.label}?max=3`, { headers, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([307, `http://elsewhere.invalid${paths.label}?max=3`]);
  });

  test('the "truncate" fault ends the response in the middle of its body', async () => {
    const answer = await withFault("truncate");
    expect(answer.status).toBe(201);
    await expect(answer.text()).rejects.toThrow("terminated");
    expect(await stored()).toBe(1);
  });

  test('the "truncate" fault sends exactly half of the response body', async () => {
    const { hostname, port } = new URL(bench.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${paths.label} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer emulator-token\r\nx-emulator-fault: truncate\r\n\r\n`,
    );
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const announced = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body).toHaveLength(Math.floor(announced / 2));
  });

  test('the "content-type" fault labels a JSON body as text/html', async () => {
    const answer = await withFault("content-type");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([201, "text/html"]);
    expect(await answer.json()).toMatchObject({ name: "Office" });
  });

  test('the "trickle" and "latency" faults delay a response without changing it', async () => {
    for (const [fault, ms] of [
      ["trickle=5", 40],
      ["latency=50", 45],
    ] as const) {
      const begin = performance.now();
      expect(await (await withFault(fault)).json()).toMatchObject({ name: "Office" });
      expect(performance.now() - begin).toBeGreaterThan(ms);
    }
  });

  test.each(["explode", "status=abc", "status=99", "latency=-1", ""])(
    "the emulator rejects a request with an invalid fault: %p",
    async (fault) => {
      expect([(await withFault(fault)).status, await stored()]).toEqual([400, 0]);
    },
  );
});

describe("scheduled faults", () => {
  test("scheduled faults apply only to the next n matching requests", async () => {
    await ask({ operation: "labels.create", kind: "status", status: 500, n: 2 });
    await ask({ method: "post", kind: "status", status: 502 });
    await bench.call("GET", paths.label);
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await create()).status);
    expect(statuses).toEqual([500, 500, 502, 201]);
  });

  test('the "status" fault with after: true stores the record before the error response', async () => {
    await ask({ kind: "status", status: 504, after: true });
    expect([(await create()).status, await stored()]).toEqual([504, 1]);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])('the "half-close" fault with after: %s stores %i records', async (after, count) => {
    await ask({ operation: "labels.create", kind: "half-close", after });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(await stored()).toBe(count);
  });

  test('the "redirect" fault accepts a target URL', async () => {
    await ask({ kind: "redirect", to: "http://127.0.0.1:9" });
    const answer = await fetch(bench.url + paths.label, { redirect: "manual" });
    expect(answer.headers.get("location")).toBe(`http://127.0.0.1:9${paths.label}`);
    expect([(await ask({ kind: "redirect", to: "nowhere" })).status, await stored()]).toEqual([400, 0]);
  });

  test.each([
    ["drop-before", undefined],
    ["drop-after", undefined],
    ["truncate", undefined],
    ["status", 503],
  ])("the fault %s with storedAfterMs delays the record until after the end of the request", async (kind, status) => {
    await ask({ operation: "labels.create", kind, storedAfterMs: 150 });
    const answered = await create()
      .then((answer) => answer.text().then(() => answer.status))
      .catch(() => undefined);
    expect(answered).toBe(status);
    expect(await stored()).toBe(0);
    while ((await stored()) === 0) await new Promise(setImmediate);
    expect(await stored()).toBe(1);
  });

  test('the "latency" fault with storedAfterMs stores the record before or after the response', async () => {
    await ask({ operation: "labels.create", kind: "latency", ms: 300, storedAfterMs: 0 });
    await ask({ operation: "labels.create", kind: "latency", ms: 0, storedAfterMs: 150 });
    let answered = false;
    const first = create().finally(() => (answered = true));
    while ((await stored()) === 0) await new Promise(setImmediate);
    expect(answered).toBe(false);
    expect((await first).status).toBe(201);
    expect([(await create()).status, await stored()]).toEqual([201, 2]);
  });

  test('the "stale" fault repeats the last response that the emulator sent before the fault', async () => {
    const names = async () => (await bench.call("GET", paths.label)).body.labels.map(({ name }: { name: string }) => name);
    await ask({ operation: "labels.list", kind: "stale" });
    // Without an earlier request, no older answer exists.
    expect(await names()).toEqual([]);
    await ask({ operation: "labels.list", kind: "stale", n: 2 });
    await create();
    // The first response was under a fault.
    expect(await names()).toEqual(["Office"]);
    await bench.call("POST", "/_emulator/faults/reset");
    expect(await names()).toEqual(["Office"]);
    await ask({ operation: "labels.list", kind: "stale", n: 2 });
    await create();
    expect([await names(), await names(), await names()]).toEqual([["Office"], ["Office"], ["Office", "Office"]]);
    // A reset also discards the stored responses.
    await bench.call("POST", "/_emulator/reset");
    await ask({ operation: "labels.list", kind: "stale" });
    expect(await names()).toEqual([]);
  });

  test('the "status" fault accepts a custom body and custom headers', async () => {
    await ask({ kind: "status", status: 412, body: { errors: ["old"] }, headers: { "content-type": "application/json" } });
    await ask({ kind: "status", status: 500, body: "<html>", headers: { "content-type": "text/html" } });
    await ask({ kind: "status", status: 503, body: null, headers: { "retry-after": "7" } });
    const answers = [await create(), await create(), await create()];
    expect(answers.map(({ status, headers }) => [status, headers.get("content-type"), headers.get("retry-after")])).toEqual([
      [412, "application/json", null],
      [500, "text/html", null],
      [503, null, "7"],
    ]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['{"errors":["old"]}', "<html>", ""]);
  });

  test("a scheduled fault also affects requests for tokens", async () => {
    await ask({ operation: "token.issue", kind: "status", status: 500 });
    const token = () => fetch(`${bench.url}/v7/oauth2/token`, { method: "POST", body: new URLSearchParams() });
    expect([(await token()).status, (await token()).status]).toEqual([500, 400]);
  });

  test("the control API lists and removes scheduled faults", async () => {
    await ask({ kind: "drop-after", n: 3 });
    expect((await bench.call("GET", "/_emulator/faults")).body.faults).toMatchObject([{ kind: "drop-after", n: 3 }]);
    await bench.call("POST", "/_emulator/faults/reset");
    expect((await create()).status).toBe(201);
  });

  test.each([{}, { kind: "x" }, { kind: "latency", ms: "1" }, { kind: "status", n: 0 }, { kind: "status", colr: 1 }])(
    "the control API rejects the invalid fault %j",
    async (body) => expect((await ask(body)).status).toBe(400),
  );
});

test("start() schedules the faults in its option faults", async () => {
  const emulator = await start({ faults: [{ kind: "status", status: 503 }] });
  const list = async () => (await fetch(`${emulator.url}/v7/account-groups`)).status;
  expect([await list(), await list()]).toEqual([503, 401]);
  await emulator.close();
  const wrong = { faults: [{ kind: "x" }] } as unknown as EmulatorOptions;
  await expect(start(wrong)).rejects.toMatchObject({ code: "INVALID_OPTION" });
});

test("close() does not wait for a delayed response", async () => {
  const failed = withFault("latency=60000").then(
    () => "answered",
    (error: unknown) => String(error),
  );
  while (bench.emulator.requests()["labels.create"] === undefined) await new Promise(setImmediate);
  const begin = performance.now();
  await bench.close();
  // Requests in progress get a second.
  expect(performance.now() - begin).toBeLessThan(900);
  expect(await failed).toBe("TypeError: fetch failed");
});
