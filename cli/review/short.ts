import { order } from "../words";
import type { Analysis } from "./analyse";
import { nounsOf } from "./groups";
import { few, inText, ours, phrase, type Phrase } from "./phrase";
import { type Outcome, outcomeOf } from "./report";
import type { Analysed } from "./stop";
import { gist } from "./wording";

/** Resources that a line about several names. */
const named = 3;

/** Resources to which the same is done, in one line. */
export interface ShortLine {
  outcome: Outcome;
  /** `290 agent-to-server tests (interval: 60 → 300): "a", "b", "c" and 287 more` */
  text: Phrase;
}

/**
 * Changes in so few lines: those of a kind that change alike together; where these are too many, those of a kind; and where
 * these are, whatever is done alike, which never takes more lines than there are outcomes.
 */
export function inShort({ changes, names }: Analysis, room: number): ShortLine[] {
  const gistOf = (one: Analysed): Phrase => gist(one, names);
  const nounOf = ({ planned }: Analysed): string => planned.kind.noun;
  const alike = linesBy(changes, (one) => [nounOf(one), inText(gistOf(one))], gistOf);
  if (alike.length <= room) return alike;
  const ofKind = linesBy(changes, nounOf, () => []);
  return ofKind.length <= room
    ? ofKind
    : linesBy(
        changes,
        () => "",
        () => [],
      );
}

function linesBy(
  changes: readonly Analysed[],
  keyOf: (one: Analysed) => unknown,
  said: (one: Analysed) => Phrase,
): ShortLine[] {
  const groups = Map.groupBy(changes, (one) => JSON.stringify([outcomeOf(one.resource), keyOf(one)]));
  return [...groups.values()].flatMap((some) => lineOf(some, said) ?? []);
}

function lineOf(some: readonly Analysed[], said: (one: Analysed) => Phrase): ShortLine | undefined {
  const [first] = some;
  if (!first) return undefined;
  const outcome = outcomeOf(first.resource);
  const [gistText, names] = [said(first), some.map(({ planned }) => planned.name).toSorted(order)];
  if (some.length === 1) {
    const text = gistText.length > 0 ? phrase`: ${gistText}` : [];
    return { outcome, text: phrase`${ours(first.planned.kind.noun)} ${first.planned.name}${text}` };
  }
  const what = nounsOf(some.map(({ planned }) => ({ noun: planned.kind.noun })));
  const how = gistText.length > 0 ? phrase` (${gistText})` : [];
  const listed = few(
    names.map((name) => phrase`${name}`),
    named,
  );
  return { outcome, text: phrase`${ours(what)}${how}: ${listed}` };
}
