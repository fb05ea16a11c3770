import { count, counted } from "../words";
import { type Step, stepsOf } from "../changes";
import { nameOfUrn } from "../held";
import type { Analysis } from "./analyse";
import type { Names } from "./names";
import { few, joined, ours, phrase, type Phrase, word } from "./phrase";
import type { Op } from "./planned";
import type { Load, LoadThen, Reach, Reached, Review, ReviewedResource, Touched } from "./report";
import { oneOf, onlySecrets, reasonsOf, whyReplaced } from "./stops";
import type { ReviewedChange } from "./verdict";

/** What the terminal and Markdown say alike: sentences, and text of others in them. */

/** What has happened to a resource when it is done. */
export const done: Record<Exclude<Op, "same">, string> = {
  delete: "deleted",
  replace: "replaced",
  update: "updated",
  create: "created",
};

/** `2 created, 1 replaced`, and how many of other providers. */
export function headline({ summary }: Review): string {
  const own = partsOf(summary);
  const others = partsOf(summary.others);
  const what = own === "" ? "nothing changes" : own;
  return others === "" ? what : `${what} (and of other providers ${others})`;
}

function partsOf(numbers: Record<(typeof done)[keyof typeof done], number> | Review["summary"]): string {
  const all: [string, number][] = [
    ["created", numbers.created],
    ["updated", numbers.updated],
    ["replaced", numbers.replaced],
    ["deleted", numbers.deleted],
  ];
  return all.flatMap(([what, number]) => (number > 0 ? [`${count(number)} ${what}`] : [])).join(", ");
}

/** `12 → 25 agents reached` */
export function agentsLine({ summary: { agents } }: Review): string | undefined {
  return agents && `agents reached: ${count(agents.before)} → ${count(agents.after)}`;
}

/** What is said where nothing was found: whatever a warning tells of was not looked at. */
export function nothingFound({ warnings }: Analysis): string {
  return `nothing worth stopping for${warnings.length > 0 ? ", as far as it can be told" : ""}`;
}

/** `12 → 25`, with what is not there as a dash and what is not known as a question mark. */
export function reachText({ op, reach }: ReviewedResource): string {
  if (!reach) return "";
  const side = (reached: Reached | undefined, there: boolean): string => {
    if (!there) return "–";
    if (!reached) return "?";
    return reached.of === undefined ? count(reached.count) : `${count(reached.count)} of ${count(reached.of)}`;
  };
  const { gained, lost } = reach;
  const [before, after] = [side(reach.before, op !== "create"), side(reach.after, op !== "delete")];
  if (before === after && !gained && !lost) return after;
  // Else the numbers might hide that they are others.
  return gained && lost ? `${before} → ${after} (+${count(gained.count)}, −${count(lost.count)})` : `${before} → ${after}`;
}

/** In a few words why a resource is in the list: what of it changes. */
export function gist(resource: ReviewedResource): Phrase {
  const { op, changes, hidden, asked } = resource;
  if (op === "replace") return asked ? ours("somebody asked for it") : reasonsOf(resource);
  if (op !== "update") return [];
  if (changes.length === 0) return onlySecrets(resource) ? oneOf(hidden) : ours("the last update of it did not finish");
  return joined(
    changes.map(({ property }) => phrase`${word(property)}`),
    ", ",
  );
}

/** A line of what changes, with the sign of a diff. */
export interface DiffLine {
  sign: "+" | "-" | "!";
  text: string;
}

/** The properties of a resource before and after, line by line. Ids are told with the names of what they are of. */
export function diffLines(changes: readonly ReviewedChange[], names: Names): DiffLine[] {
  return changes.flatMap((change) => {
    const { property, how, secret, unknown, from = [], recordsOnly } = change;
    const note = recordsOnly ? " (recorded only)" : "";
    if (secret) return [{ sign: "!" as const, text: `${property}: secret, ${how}${note}` }];
    const lines = stepsOf(byItem(withNames(change, names))).flatMap((step) => linesOf(property, step, note));
    const ids = from.map((urn) => `the new id of ${nameOfUrn(urn)}, `).join("");
    return unknown ? [...lines, { sign: "+" as const, text: `${property}: (${ids}known after the update)` }] : lines;
  });
}

/** A change of a list as one of its items, so that each has its line. */
function byItem(change: ReviewedChange): ReviewedChange {
  const { before, after, unknown: _, ...rest } = change;
  if (!Array.isArray(before ?? after)) return change;
  return { ...rest, before: before ?? [], after: after ?? [] };
}

function linesOf(property: string, { before, after }: Step, note: string): DiffLine[] {
  return [
    ...(before === undefined ? [] : [{ sign: "-" as const, text: `${property}: ${before}` }]),
    ...(after === undefined ? [] : [{ sign: "+" as const, text: `${property}: ${after}${note}` }]),
  ];
}

function withNames(change: ReviewedChange, names: Names): ReviewedChange {
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    const title = typeof value === "string" ? names.titleOf(value) : undefined;
    return title === undefined ? value : `${String(value)} (${title})`;
  };
  const sides = { before: named(change.before), after: named(change.after) };
  return { ...change, ...Object.fromEntries(Object.entries(sides).filter(([, value]) => value !== undefined)) };
}

/** What else there is to say of a resource: why it is replaced and what that costs, whom it reaches, what it touches. */
export function notes(resource: ReviewedResource): Phrase[] {
  const { op, hidden, cost, reach, touches = [], protect } = resource;
  const all: Phrase[] = [];
  if (op === "replace") all.push(phrase`replaced${whyReplaced(resource)}${cost === undefined ? [] : ours(`; ${cost}`)}`);
  if (hidden.length > 0) {
    all.push(
      onlySecrets(resource)
        ? phrase`${oneOf(hidden)} changes: a preview does not show values`
        : phrase`whether ${oneOf(hidden)} changes, too, the preview does not tell`,
    );
  }
  if (protect) all.push(ours("protected"));
  return [...all, ...(reach ? reachNotes(op, reach) : []), ...touchNotes(touches)];
}

function reachNotes(op: Op, { before, after, gained, lost, unknown, off }: Reach): Phrase[] {
  const all: Phrase[] = [];
  if (unknown !== undefined) all.push(ours(`whom it selects is not known: ${unknown}`));
  if (off) all.push(ours("disabled: nobody runs it"));
  const same = before && after && !gained && !lost && before.count === after.count;
  if (after && (same || op === "create")) return [...all, phrase`selects ${namedAgents(after)}`];
  // All of those it selects now or afterwards are named already.
  if (gained && gained.count !== after?.count) all.push(phrase`gains ${namedAgents(gained)}`);
  if (lost && lost.count !== before?.count) all.push(phrase`loses ${namedAgents(lost)}`);
  if (before) all.push(phrase`now: ${namedAgents(before)}`);
  if (after) all.push(phrase`afterwards: ${namedAgents(after)}`);
  return all;
}

/** `3 agents: "a", "b", "c"` */
function namedAgents(reached: Reached): Phrase {
  const { count: number, of = number, names } = reached;
  if (of === 0) return ours("no agent");
  const text = of > number ? `${count(number)} of ${counted(of, "agent")}` : counted(number, "agent");
  return phrase`${ours(text)}: ${listed(names, of)}`;
}

function listed(names: readonly string[], total: number): Phrase {
  const shown = joined(
    names.map((name) => phrase`${name}`),
    ", ",
  );
  return total > names.length ? phrase`${shown} and ${total - names.length} more` : shown;
}

/** Tests that a line names. */
const touchedShown = 10;

function touchNotes(touches: readonly Touched[]): Phrase[] {
  if (touches.length === 0) return [];
  const tests = touches.map(({ name, urn, before, after }) => {
    const numbers =
      before === after
        ? count(after ?? 0)
        : `${before === undefined ? "–" : count(before)} → ${after === undefined ? "–" : count(after)}`;
    const reach = before === undefined && after === undefined ? "" : ` (${numbers})`;
    return phrase`${name}${ours(reach)}${ours(urn === undefined ? ", not of this preview" : "")}`;
  });
  return [phrase`${ours(counted(touches.length, "test"))} by this label: ${few(tests, touchedShown, "; ")}`];
}

/** What agents have to do, as rows of name, now and afterwards. */
export function loadRows({ before, after }: Load): [string, string, string][] {
  const row = (name: string, of: (load: LoadThen) => number): [string, string, string] => [
    name,
    count(of(before)),
    count(of(after)),
  ];
  const lost = (load: LoadThen): number => load.rounds - load.roundsRun;
  return [
    row("Agents that are enabled", (load) => load.agents),
    row("Rounds an hour", (load) => load.rounds),
    ...(lost(before) + lost(after) > 0 ? [row("of them not run, as licences are full", lost)] : []),
    row("Agents with more tests than their licence runs", (load) => load.over),
  ];
}

/** Agents and tests that a line about load names. */
const loadShown = 10;

/** What the numbers of the load do not say. */
export function loadNotes({ over, crowdedOut, notCounted, approximate }: Load): Phrase[] {
  const all: Phrase[] = [];
  const overloaded = over.map(
    ({ name, licenseType, limit, before, after, worse }) =>
      phrase`${name} (${word(licenseType)}, at most ${limit}: ${before} → ${after}${ours(worse ? "" : ", already over now")})`,
  );
  if (overloaded.length > 0) all.push(phrase`over the licence's limit: ${few(overloaded, loadShown)}`);
  const crowded = crowdedOut.map(({ name, agents }) => phrase`${name} (${ours(counted(agents, "agent"))})`);
  if (crowded.length > 0) all.push(phrase`no room for ${few(crowded, loadShown)}`);
  if (notCounted > 0) all.push(ours(`not counted: ${counted(notCounted, "test")} of which it is not known who runs them`));
  if (approximate) {
    all.push(
      ours(
        "some test means more agents than its maxMachines: which of them run it is the service's choice, the first ones were counted",
      ),
    );
  }
  return all;
}
