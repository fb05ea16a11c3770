import { milliseconds, moment } from "./format";
import { type Html, html } from "./html";

export interface Point {
  /** Time in milliseconds since 1970. */
  readonly at: number;
  /** Measured milliseconds, or undefined for a failed round. */
  readonly value?: number;
}

const width = 1000;
const height = 100;

/** Returns a sparkline of rounds, with a text summary for screen readers. */
export function sparkline(points: readonly Point[], what: string): Html {
  return html`<svg
    class="spark"
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${summary(points, what)}"
  >
    ${drawing(points)}
  </svg>`;
}

export function plot(points: readonly Point[], what: string, now: number): Html | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  const top = ceiling(points);
  const grid = [0, 50, 100].map((y) => html`<line class="base" x1="0" x2="${width}" y1="${y}" y2="${y}" />`);
  return html`<figure class="plot">
    <figcaption>${summary(points, what)}</figcaption>
    <div class="y" aria-hidden="true"><span>${milliseconds(top)}</span><span>${milliseconds(top / 2)}</span><span>0</span></div>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${summary(points, what)}">
      ${grid}${drawing(points)}
    </svg>
    <div class="x">${moment(first.at, now)}${last !== first && moment(last.at, now)}</div>
  </figure>`;
}

export function summary(points: readonly Point[], what: string): string {
  const values = valuesOf(points);
  const failed = points.length - values.length;
  const rounds = `${points.length} round${points.length === 1 ? "" : "s"}`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  if (values.length === 0) return `${what}: ${rounds}${failures}`;
  const low = milliseconds(values.reduce((least, value) => Math.min(least, value)));
  const high = milliseconds(values.reduce((most, value) => Math.max(most, value)));
  const range = low === high ? `all ${low}` : `${low} to ${high}`;
  return `${what}: ${rounds}${failures}, ${range}`;
}

function drawing(points: readonly Point[]): readonly Html[] {
  const first = points[0]?.at ?? 0;
  const span = Math.max(1, (points.at(-1)?.at ?? 0) - first);
  const top = ceiling(points);
  const x = (at: number) => rounded(((at - first) / span) * width);
  const y = (value: number) => rounded(height - (value / top) * height);
  const failures = points.filter(({ value }) => value === undefined);
  // A failed round appears as a gap in the line and as a mark on the axis.
  const shapes = runs(points).map((run) => {
    const [start, end] = [run[0]?.at ?? 0, run.at(-1)?.at ?? 0];
    const line = run.map(({ at, value }) => `${x(at)},${y(value)}`).join(" ");
    if (start === end) return html`<path class="dot" d="M${line}h0" />`;
    return html`<polygon class="area" points="${x(start)},${height} ${line} ${x(end)},${height}" /><polyline
        class="line"
        points="${line}"
      />`;
  });
  const marks = failures.map(({ at }) => html`<line class="fail" x1="${x(at)}" x2="${x(at)}" y1="55" y2="${height}" />`);
  const last = points.at(-1);
  const dot = last?.value !== undefined && html`<path class="dot" d="M${x(last.at)},${y(last.value)}h0" />`;
  return [html`<line class="base" x1="0" x2="${width}" y1="${height}" y2="${height}" />`, ...shapes, ...marks, html`${dot}`];
}

function runs(points: readonly Point[]): { at: number; value: number }[][] {
  const lines: { at: number; value: number }[][] = [[]];
  for (const { at, value } of points) {
    if (value === undefined) lines.push([]);
    else lines.at(-1)?.push({ at, value });
  }
  return lines.filter((run) => run.length > 0);
}

function valuesOf(points: readonly Point[]): number[] {
  return points.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

function ceiling(points: readonly Point[]): number {
  const most = valuesOf(points).reduce((highest, value) => Math.max(highest, value), 0.1);
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 4, 5, 10].find((step) => step * power >= most) ?? 10);
}

function rounded(n: number): number {
  return Math.round(n * 10) / 10;
}
