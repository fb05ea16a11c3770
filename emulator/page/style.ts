/**
 * Style sheet of the page, with colors for light and dark mode. Text has a contrast ratio of at least 4.5:1 on every
 * background.
 */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #14181d);
  --raised: light-dark(#f5f7f9, #1b2127);
  --line: light-dark(#dde2e8, #2e363f);
  --text: light-dark(#1b2026, #e3e8ed);
  --quiet: light-dark(#586270, #9ca8b5);
  --accent: light-dark(#0a5a9c, #82bdf5);
  --accent-ground: light-dark(#e6f0f9, #1c3247);
  --good: light-dark(#17693d, #6fd09a);
  --good-ground: light-dark(#e3f3e9, #17352a);
  --bad: light-dark(#ab2318, #ff9d92);
  --bad-ground: light-dark(#fbe9e7, #43211e);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
html { font: 15px/1.5 -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
bdi, dd, code, .small, .under, .why { overflow-wrap: anywhere; }
time, .whole { white-space: nowrap; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 1; padding: .5rem 1rem; background: var(--ground); border: 1px solid var(--line); }
.skip:focus { top: .5rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top, main, footer { padding: 0 max(1.5rem, (100% - 75rem) / 2); }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding-top: .6rem; padding-bottom: .6rem; border-top: 3px solid var(--accent); border-bottom: 1px solid var(--line); background: var(--raised); }
.brand { margin: 0; font-weight: 650; }
.brand a { color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }
.brand span { color: var(--quiet); font-weight: 400; }
.top ul { display: flex; flex-wrap: wrap; gap: .15rem; margin: 0; padding: 0; list-style: none; }
.sections { flex: 1 0 auto; }
.sections a, .groups a { display: block; padding: .3rem .65rem; border-radius: 5px; color: var(--text); text-decoration: none; }
.sections a:hover, .groups a:hover { text-decoration: underline; }
.sections a[aria-current] { background: var(--accent-ground); color: var(--accent); }
.groups { display: flex; flex-wrap: wrap; align-items: center; gap: .1rem .5rem; font-size: .87rem; }
.groups > span { color: var(--quiet); }
.groups a { padding: .2rem .5rem; }
.groups a[aria-current] { box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent); }

main { padding-top: 1.5rem; padding-bottom: 2.5rem; }
h1 { margin: 0 0 .35rem; font-size: 1.6rem; line-height: 1.25; font-weight: 650; letter-spacing: -.012em; }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.07rem; line-height: 1.3; font-weight: 650; }
h2 + .lead { margin-top: -.25rem; }
.lead, .empty, .note { margin: 0 0 1rem; max-width: 46rem; color: var(--quiet); }
.crumb { margin: 0 0 .35rem; font-size: .87rem; }
footer { padding-top: 1rem; padding-bottom: 2rem; color: var(--quiet); font-size: .87rem; }
footer p { margin: 0; max-width: 62rem; }
code, .mono { font-family: var(--mono); font-size: .87em; }
.quiet { color: var(--quiet); }
.small { font-size: .87rem; }

.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1px; margin: 1.25rem 0 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--line); }
.stats li { position: relative; padding: .75rem 1rem; background: var(--ground); }
.stats li:hover { background: var(--raised); }
.stats a::after { content: ""; position: absolute; inset: 0; }
.stats a { font-weight: 600; text-decoration: none; margin-right: .4em; }
.stats strong { display: block; font-size: 1.75rem; line-height: 1.2; font-weight: 600; letter-spacing: -.02em; }

table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { padding-top: 0; color: var(--quiet); font-size: .8rem; white-space: nowrap; vertical-align: bottom; }
tbody th a { font-weight: 600; text-decoration: none; }
tbody th a:hover { text-decoration: underline; }
tbody tr:hover { background: var(--raised); }
td.number, th.number { text-align: right; white-space: nowrap; }
.under { display: block; color: var(--quiet); font-size: .87rem; }
.requests td, .requests th { padding-top: .28rem; padding-bottom: .28rem; }
.requests tbody time, .requests td.number { font-size: .87rem; }
.copy { margin-bottom: .75rem; }
.requests tbody tr.new { animation: arrive 1.6s ease-out; }
@keyframes arrive { from { background: var(--accent-ground); } }

.badge { display: inline-block; padding: 0 .5em; border-radius: 4px; font-size: .8rem; line-height: 1.55; white-space: nowrap; }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.badge.accent { background: var(--accent-ground); color: var(--accent); }
.badge.quiet { background: var(--raised); color: var(--quiet); }
.named { display: inline-flex; align-items: baseline; gap: .45em; }
.swatch { flex: none; width: .8em; height: .8em; stroke: var(--quiet); stroke-width: 1; }
.rule { margin: 0; padding: 0; list-style: none; }
.rule .word { color: var(--quiet); }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 2rem; margin: 1rem 0 0; }
.facts dt { color: var(--quiet); font-size: .8rem; }
.facts dd { margin: 0; }


.search { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .6rem; margin: 1rem 0; }
.search label { color: var(--quiet); }
.filter { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem 1rem; margin: 1rem 0; }
.filter label { display: flex; flex-direction: column; color: var(--quiet); font-size: .8rem; }
.filter select, .filter input { font-size: .93rem; }
.filter > a, .filter > p { margin: 0; padding-bottom: .45rem; }
.filter select { max-width: 100%; min-width: 0; }
.filter input { width: 7.5rem; }
.filter input[name=operation] { width: 14rem; }
.filter textarea { width: 17rem; max-width: 100%; font: .87em var(--mono); }
:root:not(.scripted) .edit { display: none; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: .75rem 0; }
details.edit { margin: .5rem 0; }
details.edit > summary { width: fit-content; cursor: pointer; color: var(--accent); }
pre { margin: .5rem 0; padding: .75rem 1rem; max-height: 32rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); }
pre code { overflow-wrap: normal; font-size: .82rem; line-height: 1.5; }
a.plain { color: inherit; font-weight: 400; }
.long { font-size: 1.2rem; overflow-wrap: anywhere; }
.why { margin: 0 0 1rem; padding: .5rem .9rem; max-width: 46rem; border-left: 3px solid var(--bad); background: var(--bad-ground); }
.fold > summary { cursor: pointer; margin-top: 2rem; width: fit-content; }
.fold > summary h2 { display: inline; margin: 0; }
input, textarea, select, button { min-height: 2.2rem; padding: .3rem .7rem; border: 1px solid var(--quiet); border-radius: 5px; background: var(--ground); color: var(--text); font: inherit; }
input[type=search] { flex: 0 1 22rem; min-width: 0; }
.live button { min-height: 2rem; min-width: 5rem; padding: .15rem .7rem; }
button { cursor: pointer; background: var(--raised); }
button:hover { border-color: var(--accent); }
.pager { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.1rem; margin: 1rem 0 0; }
.pager a, .pager .off { padding: .3rem 0; }
.pager .off { color: var(--quiet); }
[hidden] { display: none !important; }
.live { float: right; display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: .3rem 1rem; margin: 0 0 .5rem 1.5rem; font-size: .87rem; }
.live p { order: -1; }
.live p { margin: 0; color: var(--quiet); }

.spark { display: inline-block; width: 9rem; height: 1.75rem; overflow: visible; vertical-align: middle; }
.value { display: inline-block; min-width: 4.2rem; padding-left: .6rem; }
.line { fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.area { fill: var(--accent-ground); }
.dot { stroke: var(--accent); stroke-width: 5; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.fail { stroke: var(--bad); stroke-width: 2; vector-effect: non-scaling-stroke; }
.base { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.plot { margin: .75rem 0 1.25rem; display: grid; grid-template-columns: 3.4rem minmax(0, 1fr); gap: .2rem .6rem; color: var(--quiet); font-size: .8rem; }
.plot svg { width: 100%; height: 9rem; overflow: visible; }
.plot .y { white-space: nowrap; display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -.6rem 0; }
.plot .x { grid-column: 2; display: flex; justify-content: space-between; }
.plot figcaption { grid-column: 1 / -1; margin-bottom: .4rem; font-size: .87rem; }

@media screen and (max-width: 46rem) {
  .top, main, footer { padding-left: 1rem; padding-right: 1rem; }
  .search label { flex-basis: 100%; }
  input[type=search] { flex: 1; }
  .brand { flex-basis: 100%; }
  .sections { flex: 1 1 100%; }
  .sections ul { margin-left: -.5rem; }
  .sections a { padding: .45rem .5rem; }
  .groups { margin-left: -.4rem; }
  .groups > span { position: absolute; clip-path: inset(50%); }
  .groups a { padding: .35rem .4rem; }
  .live { float: none; justify-content: flex-start; margin: 0 0 .75rem; }
  .filter label { flex: 1 1 9rem; min-width: 0; }
  .filter input, .filter input[name=operation], .filter select, .filter textarea { width: 100%; }
  .stats { grid-template-columns: 1fr 1fr; }
  .facts { grid-template-columns: 1fr; gap: .6rem; }
  .wide { display: none; }
  table, tbody { display: block; }
  thead { display: none; }
  tbody tr { display: flex; flex-wrap: wrap; gap: .1rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td, .requests tbody th, .requests tbody td { display: block; padding: 0; border: 0; }
  tbody th { flex-basis: 100%; }
  td.number { text-align: left; }
  tbody td[data-name]:not(:empty, .plain)::before { content: attr(data-name) " "; color: var(--quiet); font-size: .8rem; }
  tbody td:empty { display: none; }
}
@media (prefers-reduced-motion: reduce) { .requests tbody tr.new { animation: none; } }
@media print {
  :root { color-scheme: light; }
  html { font-size: 10pt; }
  .skip, .sections, .groups, .pager, .search, .edit, .live, button { display: none; }
  .top, main, footer { padding-left: 0; padding-right: 0; border: 0; background: none; }
  a { color: inherit; text-decoration: none; }
  tr, .plot, .facts div { break-inside: avoid; }
  h2 { break-after: avoid; }
  .badge { border: 1px solid; background: none; }
}
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0a5a9c"/>
<path d="M4 17h6l3-9 5 16 3-7h7" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
