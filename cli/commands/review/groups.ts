import { lastWord } from "../../../provider/imported-kinds";
import { fewNames, ours, phrase, type Phrase, strong } from "../../../common/phrase";
import { compareText, counted } from "../../../common/text";
import { allStopWords, type StopWord } from "../../../plan/judge/rules";
import type { Stop } from "../../../plan/judge/model";

/** Stops of a word that have a line each. */
const maxEach = 5;
const maxNames = 3;

/** Things worth stopping for in one line. */
export interface StopGroup {
  word: StopWord;
  text: Phrase;
  stops: readonly Stop[];
}

/** The predicate for many stops of a word. Stops of other words are few, and have a line each. */
const commonPredicates: Partial<Record<StopWord, string>> = {
  pending: "are deleted, as earlier updates left that",
  protected: "are protected, so the engine refuses to delete or replace them until they are unprotected",
  deletes: "are deleted",
  "adopts-foreign": "are adopted although other stacks manage their records",
  doubled: "have equal records in the service, which other stacks or users created",
  replacements: "are replaced",
  "derived-replacement": "are replaced only because the service returns values that no program can declare",
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

/** Groups stops into few lines: many of a word share one, and if there are too many lines, all of a word. */
export function groupStops(stops: readonly Stop[], maxLines = allStopWords.length): StopGroup[] {
  const grouped = (most: number): StopGroup[] =>
    [...Map.groupBy(stops, ({ word }) => word)].flatMap(([word, all]) => {
      const predicate = commonPredicates[word];
      const alike = predicate === undefined ? [] : all.filter(({ about }) => about);
      const isMany = alike.length > most;
      const each = all
        .filter((stop) => !isMany || !alike.includes(stop))
        .map((stop) => ({ word, text: stop.text, stops: [stop] }));
      if (!isMany) return each;
      const subjects = alike.flatMap(({ about }) => about ?? []);
      const names = fewNames(subjects.map(({ name }) => name).toSorted(compareText), maxNames);
      const text = phrase`${ours(nounsOf(subjects.map(({ noun }) => noun)))} ${strong(predicate ?? "")}: ${names}`;
      return [{ word, text, stops: alike }, ...each];
    });
  const groups = grouped(maxEach);
  return groups.length > maxLines ? grouped(1) : groups;
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
