import { interval, milliseconds, moment } from "../../../emulator/page/format";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);

test("pages show times and numbers in a short format", () => {
  expect([0.126, 1.26, 12.6, 12_600].map(milliseconds)).toEqual(["0.13 ms", "1.3 ms", "13 ms", "12,600 ms"]);
  expect([60, 120, 3600, 45].map(interval)).toEqual(["1 min", "2 min", "1 h", "45 s"]);
  expect(moment(at, at).toString()).toContain(">03:04:05</time>");
  expect(moment(at, at + 86_400_000).toString()).toContain(">2026-01-02 03:04</time>");
  expect(moment("never", at).toString()).toBe("never");
});
