/** The page of the benchmarks and its plots, from tools/bench/results.json, which `npm run bench` writes. */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
require("../../test/setup/typescript.cjs");
const { reasonFor } = require("../bench/reasons.ts");

const sentence = (text) => text[0].toUpperCase() + text.slice(1);
const width = 820;
const font = 'font-family="system-ui, sans-serif" font-size="13"';
/** Colors that both a light and a dark page leave readable; the rest follows the scheme that the reader prefers. */
const colors = { floor: "#8b949e", dynamic: "#2f81f7", native: "#d29922" };
const style = `<style>
    text { fill: #1f2328 } .muted { fill: #59636e } .line { stroke: #d1d9e0 } .even { stroke: #59636e }
    @media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .muted { fill: #9198a1 } .line { stroke: #3d444d } .even { stroke: #9198a1 } }
  </style>`;

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const svg = (height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ${font}>
  <title>${escape(title)}</title>
  ${style}
  ${parts.join("\n  ")}
</svg>
`;
const label = (x, y, text, { anchor = "start", muted = false } = {}) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${muted ? ' class="muted"' : ""}>${escape(text)}</text>`;
const rule = (x1, y1, x2, y2, kind = "line") =>
  `<line class="${kind}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;
const legend = (fronts, y) =>
  fronts.flatMap((front, at) => [
    `<circle cx="${170 + at * 150}" cy="${y - 4}" r="5" fill="${colors[front]}"/>`,
    label(182 + at * 150, y, front === "floor" ? "do nothing" : `${front} front`),
  ]);

const figure = (number) => number.toLocaleString("en-US");
export const ratioText = (ratio) => (ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2));

/** Ratios to resources that do nothing: a dot is the median, its line goes from the least to the most of all pairs. */
function ratiosPlot(lines) {
  const sizes = [...new Set(lines.map(({ size }) => size))];
  const operations = [...new Set(lines.map(({ operation }) => operation))];
  const most = Math.max(1.2, ...lines.map((line) => line.most));
  const [left, right] = [170, width - 20];
  const x = (ratio) => left + ((right - left) * ratio) / most;
  const parts = [...legend(["dynamic", "native"], 20)];
  let y = 52;
  for (const size of sizes) {
    parts.push(label(10, y, `${figure(size)} resources`));
    y += 8;
    for (const operation of operations) {
      y += 18;
      parts.push(label(left - 12, y + 4, operation, { anchor: "end", muted: true }), rule(left, y, right, y));
      for (const [front, off] of [
        ["dynamic", -4],
        ["native", 4],
      ]) {
        const line = lines.find((one) => one.size === size && one.operation === operation && one.front === front);
        if (!line) continue;
        parts.push(
          `<line x1="${x(line.least).toFixed(1)}" y1="${y + off}" x2="${x(line.most).toFixed(1)}" y2="${y + off}" stroke="${colors[front]}" stroke-width="2"/>`,
          `<circle cx="${x(line.median).toFixed(1)}" cy="${y + off}" r="4" fill="${colors[front]}"><title>${escape(line.what)}: ${ratioText(line.median)}</title></circle>`,
        );
      }
    }
    y += 34;
  }
  for (let ratio = 0; ratio <= most; ratio += 0.25)
    parts.push(label(x(ratio), y, ratio.toFixed(2), { anchor: "middle", muted: true }));
  parts.push(rule(x(1), 32, x(1), y - 16, "even"));
  return svg(y + 14, "CPU time of each operation, divided by that of resources that do nothing", parts);
}

/** Milliseconds of CPU time for each resource, by the number of resources: a level line grows no faster than what it counts. */
function growthPlot(lines, operation) {
  const own = lines.filter((line) => line.operation === operation);
  const points = own.flatMap(({ front, size, ours, base }) => [
    { front, size, ms: (1_000 * middle(ours)) / size },
    ...(front === "dynamic" ? [{ front: "floor", size, ms: (1_000 * middle(base)) / size }] : []),
  ]);
  const sizes = [...new Set(points.map(({ size }) => size))].toSorted((a, b) => a - b);
  const [left, right, top, bottom] = [60, width - 30, 44, 300];
  const most = Math.max(...points.map(({ ms }) => ms)) * 1.1;
  const spread = Math.log(sizes.at(-1) / sizes[0]) || 1;
  const x = (size) => left + ((right - left) * Math.log(size / sizes[0])) / spread;
  const y = (ms) => bottom - ((bottom - top) * ms) / most;
  const step = 10 ** Math.floor(Math.log10(most)) / (most / 10 ** Math.floor(Math.log10(most)) < 3 ? 2 : 1);
  const parts = [...legend(["floor", "dynamic", "native"], 20)];
  for (let ms = 0; ms <= most; ms += step)
    parts.push(rule(left, y(ms), right, y(ms)), label(left - 8, y(ms) + 4, `${ms} ms`, { anchor: "end", muted: true }));
  for (const size of sizes) parts.push(label(x(size), bottom + 20, figure(size), { anchor: "middle", muted: true }));
  for (const front of Object.keys(colors)) {
    const line = points.filter((point) => point.front === front).toSorted((a, b) => a.size - b.size);
    if (line.length === 0) continue;
    const path = line.map(({ size, ms }) => `${x(size).toFixed(1)},${y(ms).toFixed(1)}`).join(" ");
    parts.push(`<polyline points="${path}" fill="none" stroke="${colors[front]}" stroke-width="2"/>`);
    parts.push(
      ...line.map(
        ({ size, ms }) => `<circle cx="${x(size).toFixed(1)}" cy="${y(ms).toFixed(1)}" r="4" fill="${colors[front]}"/>`,
      ),
    );
  }
  parts.push(label((left + right) / 2, bottom + 42, "resources", { anchor: "middle", muted: true }));
  return svg(bottom + 54, `Milliseconds of CPU time for each resource of a ${operation}`, parts);
}

function middle(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2;
}

/** The table of what the largest accounts take, from the row `sizes`: each figure of its lines is in their text. */
function grown(lines, table) {
  const own = lines.filter(({ row }) => row === "sizes");
  if (own.length === 0) return "";
  const rows = Object.entries(Object.groupBy(own, ({ operation }) => operation)).map(([operation, of]) => [
    operation,
    ...of.map(
      ({ ours, median, unit }) =>
        `${ours.map((one) => figure(one < 10 ? Number(one.toFixed(1)) : Math.round(one))).join(", ")} ${unit} (${ratioText(median)})`,
    ),
  ]);
  const heads = own.filter(({ operation }) => operation === own[0].operation).map(({ measure }) => measure);
  const sizes = own[0].base.map(figure).join(", ");
  return `
## Large accounts

${sizes} tests and labels, and five agents beside each. In parentheses is the exponent by which the figures grow: 1 is as the size does, 0 not at all.

${table(["Operation", ...heads], rows)}
`;
}

/** @returns the pages and their plots, by their paths from docs/ */
export function performancePages(results, table) {
  const { lines } = results;
  const onEngine = lines.filter(({ row, measure }) => row.startsWith("engine-") && measure === "CPU time");
  const missed = lines.filter(({ met }) => met === false);
  const goals = lines.filter(({ goal }) => goal !== undefined);
  const goalText = (goal) => (goal === undefined ? "" : "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`);
  const metText = ({ met }) => (met === undefined ? "" : met ? "met" : "missed");
  const sections = results.rows.map(({ name, what, pairs }) => {
    const own = lines.filter(({ row }) => row === name);
    const rows = own.map((line) => [
      line.what,
      line.against,
      line.measure,
      `**${ratioText(line.median)}**`,
      line.ratios.length > 1 ? `${ratioText(line.least)} to ${ratioText(line.most)}` : "",
      goalText(line.goal),
      metText(line),
    ]);
    const times = pairs === 1 ? "once" : `${pairs} pairs`;
    return `### ${name}\n\n${what[0].toUpperCase()}${what.slice(1)}: ${times}.\n\n${table(["What", "Against", "Of", "Ratio", "From, to", "Goal", ""], rows)}\n`;
  });
  const generated = "<!-- Generated by `npm run generate` from tools/bench/results.json, which `npm run bench` writes. -->";
  const machine = `${results.machine}, ${Object.entries(results.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ")}`;
  const again = results.rows.flatMap(({ name, date }) => (date === undefined ? [] : [`\`${name}\` ${date}`]));
  const page = `${generated}

# Performance

See how long operations of the engine and commands take, and how time, memory and requests grow up to 10,000 records. Measured on the real Pulumi engine and the
emulator: ${results.date}, ${machine}. Seconds differ from machine to machine, so each figure is a ratio of two things measured in turns in
one run, the median of all pairs. [All figures](performance-figures.md) has the rest: of ${goals.length}
goals ${goals.length - missed.length} are met, and it says why the others are missed.

![CPU time of each operation, divided by that of resources that do nothing](pictures/performance-ratios.svg)

The floor, 1.00, is dynamic resources that do nothing: what the engine and its host cost whatever a provider does.
${grown(lines, table)}`;
  const figures = `${generated}

# Performance: all figures

Look up every row of the benchmarks, and why goals are missed. The figures of [Performance](performance.md) are from one run of \`npm run bench\`: ${results.date}, ${machine}; ${Math.round(results.seconds / 60)} minutes.
${again.length === 0 ? "" : `Measured again since: ${again.join(", ")}.\n`}
The floor is written by hand: all six methods, and the properties of a test with values that are constants. Pulumi's SDK keeps the text of
such a provider with each of its resources, where ours keeps a line. The row \`least-300\` has ours beside the least that a resource can
be, with one method and two properties, which no test has.

![Milliseconds of CPU time for each resource of a preview](pictures/performance-growth.svg)

${
  missed.length === 0
    ? ""
    : `## What is missed\n\n${table(
        ["What", "Ratio", "Goal", "Why"],
        missed.map((line) => [
          line.what,
          ratioText(line.median),
          goalText(line.goal),
          sentence(reasonFor(line, lines) ?? "why is not known yet."),
        ]),
      )}\n`
}
## Row by row

${sections.join("\n")}
\`npm run bench -- --only ROW\` measures one of them again, \`--keep\` puts it on this page; \`--list\` names them.
`;
  return {
    "performance.md": page,
    "performance-figures.md": figures,
    "pictures/performance-ratios.svg": ratiosPlot(onEngine),
    "pictures/performance-growth.svg": growthPlot(onEngine, "preview"),
  };
}
