import fc from "fast-check";
import { plot, sparkline, summary } from "../../../emulator/page/plot";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);

test("a plot has a text summary", () => {
  expect(summary([], "Latency")).toBe("Latency: 0 rounds");
  expect(summary([{ at, value: 12 }], "Latency")).toBe("Latency: 1 round, all 12 ms");
  expect(summary([{ at, value: 0.5 }, { at: at + 1 }, { at: at + 2, value: 1204 }], "Latency")).toBe(
    "Latency: 3 rounds, 1 failed, 0.5 ms to 1,204 ms",
  );
  expect(sparkline([{ at, value: 12 }], `"><b>`).toString()).toContain('aria-label="&quot;&gt;&lt;b&gt;: 1 round, all 12 ms"');
});

test("a plot shows a failed measurement round as a gap with a mark", () => {
  const points = [1, 2, undefined, 4, 5].map((value, minute) => ({ at: at + minute * 60_000, value }));
  const markup = sparkline(points, "Latency").toString();
  expect(markup.match(/class="line"/g)).toHaveLength(2);
  expect(markup.match(/class="fail"/g)).toHaveLength(1);
});

test("plot() returns nothing without measurements", () => {
  expect(plot([], "Latency", at)).toBeUndefined();
});

test("every point of a plot is inside the picture", () => {
  const point = fc.record({
    at: fc.integer({ min: 0, max: 2 ** 43 }),
    value: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), (unordered) => {
      const points = unordered.toSorted((a, b) => a.at - b.at);
      const markup = sparkline(points, "Latency").toString();
      const drawn = [...markup.matchAll(/ (?:points|d)="([^"]*)"/g)].map(([, path]) => path).join(" ");
      const pairs = [...drawn.matchAll(/(-?[\d.e+-]+),(-?[\d.e+-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
      expect(markup).not.toMatch(/NaN|Infinity/);
      for (const [x = -1, y = -1] of pairs) expect(x >= 0 && x <= 1000 && y >= 0 && y <= 100).toBe(true);
    }),
  );
});
