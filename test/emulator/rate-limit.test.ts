import { Bench, type Exchange, minimal, paths } from "./support";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

let now: number;
let bench: Bench;
beforeEach(async () => {
  now = Date.parse("2026-01-01T00:00:00.500Z");
  bench = await Bench.start({ rateLimit: 5, now: () => now });
});
afterEach(() => bench.close());

const limits = ({ headers }: Exchange) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-organization-rate-limit-${name}`) ?? Number.NaN));

test("each response, even an error, has rate-limit headers", async () => {
  now += 60_000;
  const reset = Math.ceil((now + 60_000) / 1000);
  const made = await bench.call("POST", paths.label, { body: minimal.label });
  now += 10_000;
  const answers = [
    made,
    await bench.call("DELETE", `${paths.label}/${made.body.id}`),
    await bench.call("GET", `${paths.label}/1`),
    await bench.call("POST", paths.label, { body: {} }),
    await bench.call("GET", `${paths.label}?aid=7`),
    await bench.call("GET", paths.label),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 204, 404, 400, 403, 429]);
  expect(answers.map(limits)).toEqual([4, 3, 2, 1, 0, 0].map((remaining) => [5, remaining, reset]));
  expect(answers.at(-1)?.body).toMatchObject({ status: 429, title: "Rate limit used up" });
});

test("a new rate-limit window opens when the previous window ends", async () => {
  for (let n = 0; n < 5; n += 1) await bench.call("GET", paths.dynamic);
  const { headers } = await bench.call("GET", paths.dynamic);
  now += 59_999;
  expect((await bench.call("GET", paths.dynamic)).status).toBe(429);
  now += 1;
  expect((await bench.call("GET", paths.dynamic)).status).toBe(200);
  // The reset time is rounded up to seconds, so a client that waits until then is not early.
  expect(Number(headers.get("x-organization-rate-limit-reset")) * 1000).toBeGreaterThanOrEqual(now);
});

test("an unauthorized request in a new rate-limit window does not consume request budget", async () => {
  const stranger = () => bench.call("GET", paths.dynamic, { token: "wrong" });
  const next = () => Math.ceil((now + 60_000) / 1000);
  for (let n = 0; n < 3; n += 1) await bench.call("GET", paths.dynamic);
  expect(limits(await stranger())).toEqual([5, 2, next()]);
  now += 60_000;
  expect(limits(await stranger())).toEqual([5, 5, next()]);
  expect(limits(await bench.call("GET", paths.dynamic))).toEqual([5, 4, next()]);
});

test("a reset of the emulator opens a new rate-limit window", async () => {
  for (let n = 0; n < 6; n += 1) await bench.call("GET", paths.dynamic);
  bench.emulator.reset();
  expect(limits(await bench.call("GET", paths.dynamic))[1]).toBe(4);
});

test("a write request beyond the rate limit stores nothing", async () => {
  for (let n = 0; n < 5; n += 1) await bench.call("GET", paths.dynamic);
  expect((await bench.call("POST", paths.dynamic, { body: minimal.dynamic })).status).toBe(429);
  expect(await bench.everything()).toEqual([]);
});

test("all users share one request budget", async () => {
  await bench.call("GET", `${paths.dynamic}?aid=1002`, { token: "emulator-read-only-token" });
  for (let n = 0; n < 9; n += 1) {
    expect(limits(await bench.call("GET", paths.dynamic, { token: "wrong" }))[1]).toBe(4);
    const token = await bench.call("POST", "/v7/oauth2/token", { token: null, raw: new URLSearchParams() });
    expect(limits(token)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    await bench.call("GET", "/_emulator/requests");
  }
  expect(limits(await bench.call("GET", paths.dynamic))[1]).toBe(3);
});

test("the option rateLimit: off removes the rate limit and its headers", async () => {
  const free = await Bench.start({ rateLimit: "off" });
  try {
    for (let n = 0; n < 245; n += 1) expect((await free.call("GET", "/v7/account-groups")).status).toBe(200);
    expect(limits(await free.call("GET", "/v7/account-groups"))).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  } finally {
    await free.close();
  }
});
