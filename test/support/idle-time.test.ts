import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { closeServer, portOf } from "../emulator/loopback";
import { skipIdleTime } from "./idle-time";

const sleepBefore = sleep;
const clocks = (): unknown[] => [
  setTimeout,
  setInterval,
  Date,
  Reflect.get(performance, "now"),
  Reflect.get(AbortSignal, "timeout"),
];
const real = clocks();
/** A timer that is pending when the clock stops. */
let pending: NodeJS.Timeout;
const fired: string[] = [];

describe("a suite that skips idle time", () => {
  const time = skipIdleTime();

  it("all timers run in order although the suite skips idle time", async () => {
    const [date, began] = [Date.now(), performance.now()];
    const seen: [string, number, number][] = [];
    const tens = (ms: number): number => Math.round(ms / 10_000);
    const see = (what: string): void => void seen.push([what, tens(Date.now() - date), tens(performance.now() - began)]);
    const every = setInterval(() => see("every"), 50_000);
    setTimeout(() => see("cleared"), 70_000)[Symbol.dispose]();
    setTimeout((text: string) => see(text), 80_000, "once");
    expect(time.timers()).toBe(2);
    expect(await sleep(120_000, "slept")).toBe("slept");
    clearInterval(every);
    see(new Date().toISOString().slice(0, 4));
    expect(seen).toEqual([
      ["every", 5, 5],
      ["once", 8, 8],
      ["every", 10, 10],
      [new Date(date + 120_000).toISOString().slice(0, 4), 12, 12],
    ]);
    expect(time.timers()).toBe(0);
  });

  it("a sleep ends when its signal aborts", async () => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 1_000);
    const began = Date.now();
    await expect(sleep(60_000, undefined, { signal: ending.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(Date.now() - began).toBeLessThan(30_000);
    await expect(sleep(60_000, undefined, { signal: ending.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("a timeout signal aborts on time although the suite skips the waiting time", async () => {
    const began = Date.now();
    await expect(sleep(60_000, undefined, { signal: AbortSignal.timeout(20_000) })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(Math.round((Date.now() - began) / 10_000)).toBe(2);
  });

  it("the suite skips no time while requests or processes run", async () => {
    let late = 0;
    const timer = setInterval(() => (late += 1), 20_000);
    const server = createServer((_, response) => void response.end("ok"));
    const port = await portOf(server);
    for (let n = 0; n < 50; n += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      expect(Math.abs(Date.parse(answer.headers.get("date") ?? "") - Date.now())).toBeLessThan(2_000);
      await answer.text();
    }
    await promisify(execFile)(process.execPath, ["-e", "setTimeout(() => {}, 50)"]);
    await closeServer(server);
    expect(late).toBe(0);
    clearInterval(timer);
    pending = setTimeout(() => fired.push("pending"), 30);
  });
});

it("clearTimeout clears a timer that a suite set before it restored the clocks", async () => {
  clearTimeout(pending);
  await sleep(60);
  expect(fired).toEqual([]);
});

it("a suite that skips idle time restores the original clocks at the end", () => {
  expect(clocks()).toEqual(real);
  expect(Object.hasOwn(performance, "now")).toBe(false);
  expect(sleepBefore).toBe(sleep);
});
