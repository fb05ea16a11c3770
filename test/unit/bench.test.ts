/** The benchmarks' arithmetic and what is drawn of it: what they measure is theirs, and no test waits for it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import { declared, floorOf, shapeOfTest, textOf } from "../../tools/bench/floor";
import { fittedExponent, growthOf, withGrowth, withRows } from "../../tools/bench/growth";
import { compared, eachInTurns, inTurns, timed } from "../../tools/bench/measure";
import { follow } from "../../tools/bench/processes";
import { reasonFor } from "../../tools/bench/reasons";
import { type Line, type Measured, measured, medianOf, type Results } from "../../tools/bench/row";
import { loadRows } from "../../tools/bench/rows";
import { tableOf } from "../../tools/bench/table";
import { repository } from "./support/imports";

const line: Line = { what: "an up", against: "nothing", measure: "CPU time", ratios: [0.5, 0.9, 0.7], goal: { atMost: 0.7 } };

test("a figure is the median of its pairs, with the least and the most of them", () => {
  expect(measured("engine-50", line)).toMatchObject({ row: "engine-50", median: 0.7, least: 0.5, most: 0.9, met: true });
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  expect(() => medianOf([])).toThrow(/no median/);
});

test.each<[Line["goal"], number, boolean | undefined]>([
  [{ atMost: 0.6 }, 0.6, true],
  [{ atMost: 0.6 }, 0.61, false],
  [{ atLeast: 0.9 }, 0.9, true],
  [{ atLeast: 0.9 }, 0.89, false],
  [undefined, 1, undefined],
])("a goal of %j, and a ratio of %d", (goal, ratio, met) => {
  expect(measured("row", { ...line, goal, ratios: [ratio] }).met).toBe(met);
});

test("what is measured in pairs takes turns at being first", async () => {
  const order: string[] = [];
  const take =
    (name: string) =>
    async (pair: number): Promise<string> => {
      order.push(name);
      return `${name}${pair}`;
    };
  const results = await inTurns(3, { a: take("a"), b: take("b") });
  expect(order).toEqual(["a", "b", "b", "a", "a", "b"]);
  expect(results).toEqual({ a: ["a0", "a1", "a2"], b: ["b0", "b1", "b2"] });
});

test("what one function measures takes turns by name, and each is reported", async () => {
  const reported: string[] = [];
  const order = { pairs: 2, progress: (text: string) => void reported.push(text) };
  expect(await eachInTurns(order, ["a", "b"], async (name) => name.toUpperCase())).toEqual({ a: ["A", "A"], b: ["B", "B"] });
  expect(reported).toEqual(["a, 1 of 2", "b, 1 of 2", "b, 2 of 2", "a, 2 of 2"]);
});

test("a ratio is of the same pair, and nothing is divided by nothing", () => {
  const { ratios: _ratios, ...rest } = line;
  expect(compared(rest, [1, 6], [2, 4]).ratios).toEqual([0.5, 1.5]);
  for (const [ours, base] of [
    [[1], [0]],
    [[1], []],
    [[], []],
  ] as [number[], number[]][]) {
    expect(() => compared(rest, ours, base)).toThrow(/an up: there is nothing to divide by/);
  }
});

test("the CPU time of a process has that of its children, and a failure says what the process wrote", async () => {
  const busy = "const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);";
  const child = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`;
  const { cpu } = await timed(process.execPath, ["-e", child]);
  expect(cpu).toBeGreaterThan(0.2);
  await expect(timed(process.execPath, ["-e", 'console.log("no room"); process.exit(3)'])).rejects.toThrow(
    /ended with 3:\nno room/,
  );
  await expect(timed(process.execPath, ["-e", "process.exit(2)"], { codes: [0, 2] })).resolves.toBeDefined();
});

test("what is followed is counted for the process that it is, its helpers for what started them", async () => {
  const busy = (name: string): string =>
    `const end = process.cpuUsage().user + 150_000; while (process.cpuUsage().user < end); /* ${name} */`;
  const nested = busy("pulumi-language-nodejs") + 'require("node:child_process").execFileSync("sh", ["-c", "sleep 0.1"]);';
  let end: ReturnType<typeof follow> | undefined;
  const script = `"$0" -e '${nested}' pulumi-language-nodejs; "$0" -e '${busy("helper")}'`;
  // Not among the arguments: what starts the others would be taken for one of them.
  const env = { ...process.env, SCRIPT: script };
  await timed("bash", ["-c", 'eval "$SCRIPT"', process.execPath], { env, started: (pid) => (end = follow(pid)) });
  const { seconds, memory } = end?.() ?? { seconds: {} as never, memory: 0 };
  expect(seconds["language host"]).toBeGreaterThan(0.1);
  expect(seconds["engine"]).toBeGreaterThan(0.1);
  expect([seconds["program"], seconds["provider"]]).toEqual([0, 0]);
  // Two of Node and their shells; none of them holds as much as a gigabyte.
  expect(memory).toBeGreaterThan(60);
  expect(memory).toBeLessThan(3_000);
});

test("growth is that of each front from its least to its largest size, divided by the floor's", () => {
  const of = (size: number, ours: number[], base: number[]) =>
    measured(`engine-${size}`, { ...line, operation: "up", front: "native", size, ours, base, ratios: [1] });
  // The smallest is left out: the engine writes its state after each resource. 10 times as much of ours, 8 times as much of the floor.
  const lines = growthOf([of(300, [9], [1]), of(3_000, [30, 20, 10], [16]), of(1_000, [2], [2])]);
  expect(lines).toMatchObject([{ row: "growth", median: 10 / 8, met: false }]);
  expect(lines[0]?.what).toBe("CPU time a resource of up, from 1000 to 3000, native front");
  expect(growthOf([of(1_000, [2], [2])])).toEqual([]);
});

test("the page has what large accounts take, one operation a row", () => {
  const of = (operation: string, measure: Line["measure"], ours: number[], unit: "s" | "requests"): Measured =>
    measured("sizes", { ...line, what: operation, operation, measure, ours, base: [1_000, 10_000], unit, ratios: [1.04] });
  const lines = [
    of("preview", "time", [2, 20.4], "s"),
    of("preview", "requests", [4, 40], "requests"),
    of("drift", "time", [1, 8], "s"),
  ];
  const { "performance.md": page = "" } = drawn({ ...sample, lines: [...sample.lines, ...lines] });
  expect(page).toContain("1,000, 10,000 tests and labels");
  expect(page).toContain("\nOperation|time|requests\npreview|2, 20 s (1.04)|4, 40 requests (1.04)\ndrift|1, 8 s (1.04)");
});

test("a row that is measured again takes the place of its last figures, with its day; growth is counted anew", () => {
  const of = (row: string, ratio: number, size: number): Measured =>
    measured(row, { ...line, operation: "up", front: "native", size, ours: [ratio * size], base: [size], ratios: [ratio] });
  const ran = (name: string) => ({ name, what: name, pairs: 1, seconds: 1 });
  const [small, large] = ["engine-1000", "engine-3000"];
  const whole = { ...sample, rows: [ran("client"), ran(small), ran(large)], lines: [of(small, 1, 1_000), of(large, 2, 3_000)] };
  const again = {
    ...sample,
    date: "2026-12-01",
    rows: [ran(large), ran("sizes")],
    lines: [of(large, 1, 3_000), of("sizes", 1, 5)],
  };
  const merged = withRows(withGrowth(whole), again);
  expect(withGrowth(whole).lines.at(-1)).toMatchObject({ row: "growth", median: 2 });
  expect(merged.rows.map(({ name, date }) => [name, date])).toEqual([
    ["client", undefined],
    [small, undefined],
    [large, "2026-12-01"],
    ["sizes", "2026-12-01"],
    ["growth", undefined],
  ]);
  expect(merged.lines.map(({ row, median }) => [row, median])).toEqual([
    [small, 1],
    [large, 1],
    ["sizes", 1],
    ["growth", 1],
  ]);
  expect(merged.date).toBe(sample.date);
});

test.each([
  ["what does not grow has the exponent 0", [7, 7, 7], 0],
  ["what grows as the size does has 1", [10, 30, 100], 1],
  ["what grows by its square has 2", [1, 9, 100], 2],
  ["what never is has 0", [0, 0, 0], 0],
])("%s", (_, figures, exponent) => {
  expect(fittedExponent([1_000, 3_000, 10_000], figures)).toBeCloseTo(exponent, 5);
});

test("rows have names of their own, and the command can choose them by their beginning", () => {
  const rows = loadRows();
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(14);
  for (const { name, what } of rows) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+|-\d+)*$/);
    expect(what).toMatch(/^\S.*[^.]$/);
  }
});

const sample: Results = {
  machine: "2 cores, linux x64",
  versions: { node: "24.0.0" },
  date: "2026-11-22",
  seconds: 5_400,
  rows: [
    { name: "engine-50", what: "operations on 50 tests", pairs: 3, seconds: 10 },
    { name: "client", what: "lists", pairs: 5, seconds: 10 },
    { name: "unheard-of", what: "something", pairs: 1, seconds: 10 },
  ],
  lines: [
    ...(["dynamic", "native"] as const).flatMap((front) =>
      ["preview", "up"].map((operation) => {
        const own = { operation, front, size: 50, ours: [1, 2, 3], base: [2, 2, 2], ratios: [0.5, 1, 1.5] };
        return measured("engine-50", {
          ...line,
          ...own,
          what: `${operation}, 50 resources, ${front} front`,
          goal: { atMost: 1 },
        });
      }),
    ),
    measured("client", {
      ...line,
      measure: "rate",
      what: "GETs <a second>",
      goal: { atLeast: 0.9 },
    }),
    measured("unheard-of", { ...line, what: "something", goal: { atLeast: 0.9 } }),
  ],
};

test("the table has a line for each, and why a goal was missed", () => {
  const lines = tableOf(sample.lines).split("\n");
  expect(lines).toHaveLength(1 + sample.lines.length + 2);
  expect(lines[1]).toMatch(/^preview, 50 resources, dynamic front {2,}nothing .* 1\.00 +0\.50 +1\.50 +<= 1 +met$/);
  expect(lines.at(-2)).toMatch(/^GETs <a second>: in a profile \(2026-/);
  expect(lines.at(-1)).toBe("something: not known yet");
});

test("what does nothing has the methods and the properties of a test, and the text of its provider runs", async () => {
  const shape = await shapeOfTest();
  const { provider } = floorOf(shape);
  expect(Object.keys(provider).toSorted()).toEqual(["check", "create", "delete", "diff", "read", "update"]);
  const { inputs } = (await provider.check?.({}, declared)) ?? {};
  expect(inputs).toMatchObject({
    ...declared,
    agentSelectorType: "all-agents",
    interval: 60,
    isEnabled: true,
    protocol: "icmp",
  });
  const { outs } = await provider.create(inputs);
  // What the emulator answers to a create, counted by hand: ten inputs, six properties that the service adds, the origin of the service, and the time.
  expect(Object.keys(outs as object)).toHaveLength(10 + 6 + 2);
  expect(outs).toMatchObject({
    testId: expect.stringMatching(/^\d+$/),
    links: { self: expect.stringContaining("/agent-to-server/") },
    unmanagedFields: ["ipVersion", "accountGroupId"],
  });
  const { __service, __written, ...properties } = outs as Record<string, unknown>;
  expect(shape.names).toEqual(expect.arrayContaining([...Object.keys(properties), "tagIds"]));
  const loaded = { exports: {} as { handler?: () => typeof provider } };
  compileFunction(await textOf(provider), ["exports"])(loaded.exports);
  expect((await loaded.exports.handler?.().create(inputs))?.outs).toEqual({
    __service,
    ...properties,
    __written: expect.any(String),
  });
});

test("of a command the engine's part is told", () => {
  const of = (what: string, ours: number[], goal?: Line["goal"]): Measured =>
    measured("commands-500", { ...line, measure: "time", what, goal, ours, base: [4], ratios: ours.map((own) => own / 4) });
  const [command, part] = [of("review, 500 tests", [5], { atMost: 1.05 }), of("the engine's part of review, 500 tests", [4.5])];
  expect(reasonFor(command, [command, part])).toMatch(
    /^what it has the engine do takes 4\.5 of its 5\.0 s .* 4\.0 s: 1\.13 of it\./,
  );
  expect(reasonFor(command, [command])).toBeUndefined();
});

test("why an operation is dearer than its goal is said by the figures of its processes, of the nearest size that has them", () => {
  const of = (given: Partial<Line>): Measured =>
    measured("fronts-300", { ...line, measure: "CPU time", operation: "up", size: 300, ratios: [1], ...given });
  const split = [
    of({ what: "native", front: "native", ours: [6], base: [8] }),
    of({ what: "its provider", front: "native", role: "provider", ours: [1], base: [3] }),
    of({ what: "dynamic", front: "dynamic", ours: [8], base: [10] }),
    of({ what: "its provider", front: "dynamic", role: "provider", ours: [3], base: [2] }),
  ];
  const missed = (front: string, row: string, size: number): Measured =>
    measured(row, { ...line, operation: "up", front, size, ratios: [1], goal: { atMost: 0.5 } });
  const reason = (front: string, row: string, size: number): string | undefined => reasonFor(missed(front, row, size), split);
  expect(reason("native", "engine-1000", 1_000)).toBe(
    "at 300 tests the engine, its language host and the program take 0.50 of what it is compared with, and the provider 0.10.",
  );
  expect(reason("native", "fronts-300", 300)).toMatch(/ take 0\.63 of what .*, and the provider 0\.13\.$/);
  expect(reason("dynamic", "engine-300", 300)).toBe(
    "at 300 tests it takes 8.0 s of CPU time, and resources that do nothing 10.0 s. Their provider takes 2.0 s of that and ours 3.0 s.",
  );
  expect(reason("native", "engine-50", 50)).toBeUndefined();
});

/** The page and the plots, drawn by the module of the documentation, which is an ES module. */
function drawn(results: Results): Record<string, string> {
  const script = `
    import { readFileSync } from "node:fs";
    import { performancePages } from ${JSON.stringify(pathToFileURL(join(repository, "tools/docs/performance.mjs")).href)};
    const table = (head, rows) => [head, ...rows].map((row) => row.join("|")).join("\\n");
    console.log(JSON.stringify(performancePages(JSON.parse(readFileSync(0, "utf8")), table)));`;
  const given = { input: JSON.stringify(results), encoding: "utf8" } as const;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], given)) as Record<string, string>;
}

test("the page and its plots have every figure", () => {
  const pages = drawn(sample);
  const {
    "performance.md": page = "",
    "performance-figures.md": all = "",
    "pictures/performance-ratios.svg": ratios = "",
  } = pages;
  for (const { what, met } of sample.lines) expect(all.split(`\n${what}|`)).toHaveLength(met === false ? 3 : 2);
  expect(page).toMatch(/of 6\s+goals 4 are met/);
  expect(page).not.toContain("Large accounts");
  expect(all).toMatch(/\nGETs <a second>\|0\.70\|≥ 0\.9\|In a profile \(2026-/);
  // A dot for each median, and two in the legend.
  expect(ratios.match(/<circle/g)).toHaveLength(4 + 2);
  // Four operations at one size, the floor from the dynamic front's pairs, and three in the legend.
  expect(pages["pictures/performance-growth.svg"]?.match(/<circle/g)).toHaveLength(3 + 3);
  const plots = Object.entries(pages).flatMap(([path, text]) => (path.endsWith(".svg") ? [text] : []));
  expect(plots.filter((text) => /NaN|undefined|Infinity/.test(text))).toEqual([]);
});
