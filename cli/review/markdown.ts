import { block, bounded, code, commentLimit, folded, table, tableRow } from "../markdown";
import { positionText } from "../engine/state";
import { count, counted, cut } from "../words";
import type { Analysis } from "./analyse";
import type { Names } from "./names";
import { groupStops } from "./groups";
import { inMarkdown } from "./phrase";
import { diffLines } from "./property-text";
import { outcomeOf, type ReviewedResource } from "./report";
import type { Analysed, Stop } from "./stop";
import { agentsLine, done, gist, headline, loadNotes, loadRows, notes, nothingFound, reachText } from "./wording";

/** Characters that parts may take, so that none crowds out the others; what one does not use goes to those after it. */
const shares = { warnings: 5_000, stops: 18_000, resources: 16_000, load: 8_000 };
/** Lines of one resource's properties. */
const longestDiff = 40;
/** Resources whose properties are shown unfolded. */
const unfolded = 5;

/** A review as a comment of GitHub or GitLab: summary first, never longer than a comment may be. */
export function toMarkdown(analysis: Analysis, limit = commentLimit): string {
  const parts = [headOf(analysis)];
  // What a part does not use of its share goes to those after it; the last one takes all that is left.
  let room = 0;
  const add = (share: number, make: (room: number) => string): void => {
    const part = make(room + share).trim();
    room = Math.max(0, room + share - part.length - 2);
    if (part !== "") parts.push(part);
  };
  const scale = limit / commentLimit;
  add(shares.warnings * scale, (most) => warningsOf(analysis, most));
  add(shares.stops * scale, (most) => checklist(analysis.stops, most));
  add(shares.resources * scale, (most) => resourceTable(analysis, most));
  add(shares.load * scale, (most) => loadOf(analysis, most));
  const used = parts.reduce((sum, part) => sum + part.length + 2, 0);
  room = 0;
  add(limit - used, (most) => propertyByProperty(analysis, most));
  return bounded(parts, (number) => `${number} parts more did not fit.`, limit);
}

function headOf(analysis: Analysis): string {
  const { review } = analysis;
  const agents = agentsLine(review);
  const stops = review.summary.stops;
  const facts = [
    ...(review.stack === "" ? [] : [`stack ${code(cut(review.stack, 80))}`]),
    ...(agents === undefined ? [] : [agents]),
    stops === 0 ? nothingFound(analysis) : `**${counted(stops, "thing")} worth stopping for**`,
  ];
  return `### Endpoint monitoring: ${headline(review)}\n\n${capital(facts.join(" · "))}`;
}

function warningsOf({ warnings }: Analysis, room: number): string {
  if (warnings.length === 0) return "";
  const { kept, left } = fitting(warnings, (text) => `> - ${inMarkdown(text)}`, room - 100);
  return ["> [!WARNING]", ...kept, ...(left > 0 ? [`> - … and ${count(left)} more`] : [])].join("\n");
}

/** What is alike in one line. Where that leaves something out, all of it, one by one, is folded below. */
function checklist(stops: readonly Stop[], room: number): string {
  if (stops.length === 0) return "";
  const groups = groupStops(stops);
  const list = ["#### Worth stopping for", "", ...groups.map(({ text }) => `- [ ] ${capital(inMarkdown(text))}`)].join("\n");
  if (!groups.some(({ inPart }) => inPart)) return list;
  const { kept, left } = fitting(stops, ({ text }) => `- ${capital(inMarkdown(text))}`, room - list.length - 200);
  const more = left > 0 ? [`- … and ${counted(left, "thing")} more`] : [];
  return `${list}\n\n${folded(`One by one (${counted(stops.length, "thing")})`, [...kept, ...more].join("\n"))}`;
}

/** One line a resource. */
function resourceTable({ changes, names }: Analysis, room: number): string {
  if (changes.length === 0) return "";
  const reach = changes.some(({ resource }) => resource.reach);
  const row = (one: Analysed): string => {
    const outcome = outcomeOf(one.resource);
    return tableRow([
      outcome === "delete" || outcome === "replace" ? `**${done[outcome]}**` : done[outcome],
      `${one.planned.kind.noun} ${named(one.resource)}`,
      ...(reach ? [reachText(one.resource)] : []),
      inMarkdown(gist(one, names)),
    ]);
  };
  const head = table(["Change", "Resource", ...(reach ? ["Agents"] : []), "What, or why"], []);
  const { kept, left } = fitting(changes, row, room - 250);
  return ["#### Resources", "", head, ...kept, ...(left > 0 ? ["", `… and ${counted(left, "resource")} more.`] : [])].join(
    "\n",
  );
}

function loadOf({ review: { load } }: Analysis, room: number): string {
  if (!load) return "";
  const groups = load.accountGroups.map((aid) => code(cut(aid, 40))).join(", ");
  const { kept } = fitting(loadNotes(load), (text) => `- ${inMarkdown(text)}`, room - 600);
  return [`#### Load (account group ${groups})`, "", table(["", "now", "afterwards"], loadRows(load)), "", ...kept].join("\n");
}

/** Properties of each resource, before and after; folded where there are many. */
function propertyByProperty({ changes, names }: Analysis, room: number): string {
  if (changes.length === 0) return "";
  const { kept, left } = fitting(changes, (change) => `${detail(change, names)}\n`, room - 300);
  const shown = [...kept, ...(left > 0 ? [`… and ${counted(left, "resource")} more.\n`] : [])].join("\n").trimEnd();
  return changes.length > unfolded
    ? folded(`Property by property (${counted(changes.length, "resource")})`, shown)
    : `#### Property by property\n\n${shown}`;
}

function detail({ planned, resource }: Analysed, names: Names): string {
  const lines = diffLines(resource.changes, names).map(({ sign, text }) => `${sign} ${text}`);
  const more = lines.length > longestDiff ? [`  … and ${counted(lines.length - longestDiff, "line")} more`] : [];
  const diff = lines.length > 0 ? `\n\n${block("diff", [...lines.slice(0, longestDiff), ...more])}` : "";
  const facts = notes(resource).map((text) => `\n- ${inMarkdown(text)}`);
  const title = `**${capital(done[outcomeOf(resource)])}** ${planned.kind.noun} ${named(resource)}`;
  return `${title}${diff}${facts.length > 0 ? `\n${facts.join("")}` : ""}`;
}

/** `portal` (Company portal) index.ts:12 */
function named({ name, title, position }: ReviewedResource): string {
  const short = cut(name, 80);
  return [
    code(short),
    ...(title === undefined || title === name ? [] : [`(${code(cut(title, 80))})`]),
    ...(position ? [`<sub>${code(cut(positionText(position), 80))}</sub>`] : []),
  ].join(" ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** As many items as fit, each of a line or more, and how many do not. */
function fitting<T>(items: readonly T[], render: (item: T) => string, room: number): { kept: string[]; left: number } {
  const kept: string[] = [];
  let used = 0;
  for (const item of items) {
    const text = render(item);
    used += text.length + 1;
    if (used > room) break;
    kept.push(text);
  }
  return { kept, left: items.length - kept.length };
}
