import { count, counted } from "../words";
import type { Analysis } from "./analyse";
import { adoptionNote, creationNote } from "./adoption-words";
import type { Names } from "./names";
import { few, joined, ours, phrase, type Phrase, word } from "./phrase";
import type { Op } from "./planned";
import { changesInLine } from "./property-text";
import type { Load, LoadThen, Named, Outcome, Reach, Reached, Review, ReviewedResource, Touched } from "./report";
import type { Analysed } from "./stop";
import { oneOf, onlySecrets, whyReplaced } from "./stops";

/** What the terminal and Markdown say alike: sentences, and text of others in them. */

/** What has happened to a resource when it is done. */
export const done: Record<Outcome, string> = {
  delete: "deleted",
  forget: "forgotten",
  replace: "replaced",
  update: "updated",
  adopt: "adopted",
  create: "created",
};

/** `2 created, 1 replaced`, and how many of other providers. */
export function headline({ summary }: Review): string {
  const own = partsOf(summary);
  const others = partsOf(summary.others);
  const what = own === "" ? "nothing changes" : own;
  return others === "" ? what : `${what} (and of other providers ${others})`;
}

function partsOf(numbers: Review["summary"]["others"] & { adopted?: number }): string {
  const all: [string, number][] = [
    ["created", numbers.created],
    ["adopted", numbers.adopted ?? 0],
    ["updated", numbers.updated],
    ["replaced", numbers.replaced],
    ["deleted", numbers.deleted],
    ["forgotten", numbers.forgotten],
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
  const [before, after] = [
    side(reach.before, op !== "create"),
    side(reach.after, op !== "delete" || reach.after !== undefined),
  ];
  if (before === after && !gained && !lost) return after;
  // Else the numbers might hide that they are others.
  return gained && lost ? `${before} → ${after} (+${count(gained.count)}, −${count(lost.count)})` : `${before} → ${after}`;
}

/** In one line why a resource is in the list: what of it changes, before and after. */
export function gist({ resource }: Analysed, names: Names): Phrase {
  const { op, changes, hidden, asked, forgotten, unfinished } = resource;
  if (forgotten !== undefined) return ours(forgotten);
  if (op === "delete" || op === "create") return creationNote(resource);
  const forcing = changes.filter(({ replaces }) => replaces);
  const others = changes.filter((change) => !forcing.includes(change));
  const because = phrase`because of ${changesInLine(forcing, names)}`;
  const parts = [
    ...(op === "adopt" ? [adoptionNote(resource)] : []),
    ...(forcing.length > 0 ? [because] : []),
    ...(asked ? [ours("somebody asked for it")] : []),
    ...(others.length > 0 ? [changesInLine(others, names)] : []),
    ...(hidden.length > 0 ? [onlySecrets(resource) ? oneOf(hidden) : phrase`perhaps ${oneOf(hidden)}`] : []),
    ...(op === "update" && unfinished ? [ours("the last update of it did not finish")] : []),
  ];
  return joined(parts, "; ");
}

/** What else there is to say of a resource: why it is replaced and what that costs, whom it reaches, what it touches. */
export function notes(resource: ReviewedResource): Phrase[] {
  const { op, hidden, cost, reach, touches = [], protect, forgotten } = resource;
  const all: Phrase[] = forgotten === undefined ? [] : [ours(forgotten)];
  if (op === "adopt") all.push(adoptionNote(resource));
  if (resource.creation) all.push(creationNote(resource));
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
  // Whom it selects does not matter then, and is not told.
  if (off)
    return [ours("disabled: nobody runs it"), ...(before && before.count > 0 ? [phrase`now: ${namedAgents(before)}`] : [])];
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

/** Tests that gain and lose the same agents are told together. */
function touchNotes(touches: readonly Touched[]): Phrase[] {
  if (touches.length === 0) return [];
  const alike = [...Map.groupBy(touches, ({ before, after, gained, lost }) => JSON.stringify([before, after, gained, lost]))];
  const tests = alike.map(([, some]) => {
    const names = few(
      some.map(({ name, urn }) => phrase`${name}${ours(urn === undefined ? " (not of this preview)" : "")}`),
      touchedShown,
    );
    const [first] = some;
    return first ? phrase`${names}${touchedReach(first)}` : names;
  });
  return [phrase`${ours(counted(touches.length, "test"))} by this label: ${few(tests, touchedShown, "; ")}`];
}

/** ` 17 → 17, +15: "a", "b", "c" and 12 more, −15: "d", "e", "f" and 12 more` */
function touchedReach({ before, after, gained, lost }: Touched): Phrase {
  if (before === undefined && after === undefined) return [];
  const side = (number: number | undefined): string => (number === undefined ? "–" : count(number));
  const isSame = before === after && !gained && !lost;
  const numbers = isSame ? count(after ?? 0) : `${side(before)} → ${side(after)}`;
  return phrase` ${ours(numbers)}${signed("+", gained)}${signed("−", lost)}`;
}

/** Agents of a test that a line names. */
const agentsShown = 3;

function signed(sign: string, agents: Named | undefined): Phrase {
  if (!agents) return [];
  const shown = agents.names.slice(0, agentsShown);
  return phrase`, ${ours(`${sign}${count(agents.count)}`)}: ${listed(shown, agents.count)}`;
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
