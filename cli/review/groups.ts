import { lastWord } from "../kinds";
import type { ListItem } from "../report/document";
import { fewNames, ours, phrase, type Phrase, strong } from "../report/phrase";
import { inText } from "../report/terminal";
import { counted, compareText } from "../report/text";
import type { Judgement, JudgedStep } from "./judgement";
import { outcomeOf } from "./report";
import { allStopWords, type StopWord } from "./stop-words";
import type { Stop } from "./stops";
import { gist, outcomes } from "./wording";

/** Lines that a person is given to read, however many things there are: as many as there are words. */
const maxLines = allStopWords.length;
const maxNames = 3;

/** Things worth stopping for in one line. */
export interface StopGroup {
  word: StopWord;
  text: Phrase;
  stops: readonly Stop[];
  /** Whether its line leaves something out: more names than it has, or what the line of each alone has. */
  inPart: boolean;
}

/** The predicate for all stops of a word whose own reasons differ. Stops of other words are few, and are listed one by one. */
const commonPredicates: Partial<Record<StopWord, string>> = {
  pending: "are deleted, as earlier updates left that",
  protected: "are protected, so the engine refuses to delete or replace them until they are unprotected",
  deletes: "are deleted",
  replacements: "are replaced, for different reasons",
  options: "get other options",
  "unknown-value": "have values that are known only during the update",
  "label-in-use": "are deleted or replaced, while tests that stay as they are select by them",
  "loses-references": "are named by alert rules or streams, which will lose them",
  "selects-none": "select no agent",
  "selects-all": "select every agent",
  "reach-moved": "move to other agents",
  "too-often": "run too often on agents of a license",
  secrets: "have secrets that change, or may",
  "unknown-reach": "select agents that are not known",
};

/** Stops in few lines: those that differ in nothing but names together, and where these are too many, all of a word. */
export function groupStops(stops: readonly Stop[]): StopGroup[] {
  const alike = [...Map.groupBy(stops, keyOf).values()].map((some) => groupOf(some));
  const words = [...Map.groupBy(alike, ({ word }) => word)].toSorted(([, a], [, b]) => b.length - a.length);
  const merged = new Set<StopWord>();
  let lines = alike.length;
  for (const [word, groups] of words) {
    if (lines <= maxLines || groups.length === 1) break;
    if (commonPredicates[word] === undefined) continue;
    merged.add(word);
    lines -= groups.length - 1;
  }
  return [...Map.groupBy(alike, ({ word }) => word)].flatMap(([word, groups]) => {
    const all = groups.flatMap((group) => group.stops);
    return merged.has(word) ? [groupOf(all, phrase` ${strong(commonPredicates[word] ?? "")}`)] : groups;
  });
}

/** Stops of one key share a line. One that stands by itself has a key of its own. */
function keyOf({ word, alike }: Stop, at: number): string {
  return alike ? JSON.stringify([word, lastWord(alike.noun), alike.predicate]) : `${word} ${at}`;
}

/** @param common what all of the word have in common, of those that are not alike */
function groupOf(stops: readonly Stop[], common?: Phrase): StopGroup {
  const [first] = stops;
  // No group is made of nothing.
  if (!first) throw new Error("a group without a stop");
  const all = stops.flatMap(({ alike }) => alike ?? []);
  const [one] = all;
  if (stops.length === 1 || !one) return { word: first.word, text: first.text, stops, inPart: false };
  const names = fewNames(all.map(({ name }) => name).toSorted(compareText), maxNames);
  const inPart = common !== undefined || all.length > maxNames || all.some((alike) => alike.inPart === true);
  const nouns = ours(nounsOf(all.map(({ noun }) => noun)));
  return { word: first.word, text: phrase`${nouns}${common ?? one.predicate}: ${names}`, stops, inPart };
}

/** `12 HTTP-server tests`, `12 tests`, `12 labels and tests` */
function nounsOf(all: readonly string[]): string {
  const nouns = [...new Set(all)];
  if (nouns.length === 1) return counted(all.length, nouns[0] ?? "");
  const kinds = [...new Set(nouns.map(lastWord))].toSorted(compareText).map((noun) => `${noun}s`);
  const [last = "", ...before] = kinds.toReversed();
  const plural = before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
  return counted(all.length, plural, plural);
}

/**
 * Changes in so few lines: those of a kind that change alike together; where these are too many, those of a kind; and where
 * these are, whatever is done alike, which never takes more lines than there are outcomes.
 */
export function shortItems({ changes, names }: Judgement, room: number): ListItem[] {
  const nounOf = ({ kind }: JudgedStep): string => kind.noun;
  const gistOf = (change: JudgedStep): Phrase => gist(change, names);
  const alike = linesBy(changes, (change) => [nounOf(change), inText(gistOf(change))], gistOf);
  if (alike.length <= room) return alike;
  const none = (): Phrase => [];
  const ofKind = linesBy(changes, nounOf, none);
  return ofKind.length <= room ? ofKind : linesBy(changes, () => "", none);
}

function linesBy(
  changes: readonly JudgedStep[],
  sameness: (change: JudgedStep) => unknown,
  gistOf: (change: JudgedStep) => Phrase,
): ListItem[] {
  const groups = Map.groupBy(changes, (change) => JSON.stringify([outcomeOf(change), sameness(change)]));
  return [...groups.values()].flatMap((some) => lineOf(some, gistOf) ?? []);
}

/** `deleted 290 agent-to-server tests (interval: 60 → 300): "a", "b", "c" and 287 more` */
function lineOf(some: readonly JudgedStep[], gistOf: (change: JudgedStep) => Phrase): ListItem | undefined {
  const [first] = some;
  if (!first) return undefined;
  const { mark, done } = outcomes[outcomeOf(first)];
  const why = gistOf(first);
  if (some.length === 1) {
    const end = why.length > 0 ? phrase`: ${why}` : [];
    return { mark, text: phrase`${ours(`${done} `)}${ours(first.kind.noun)} ${first.name}${end}` };
  }
  const what = nounsOf(some.map(({ kind }) => kind.noun));
  const names = fewNames(some.map(({ name }) => name).toSorted(compareText), maxNames);
  return { mark, text: phrase`${ours(`${done} `)}${ours(what)}${why.length > 0 ? phrase` (${why})` : []}: ${names}` };
}
