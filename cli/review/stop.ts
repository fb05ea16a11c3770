import type { Limits } from "./limits";
import type { Comparison } from "./load";
import type { Names } from "./names";
import { ours, phrase, type Phrase } from "./phrase";
import type { Planned } from "./planned";
import type { ReviewedResource } from "./report";
import type { StopWord } from "./stop-words";
import type { Verdict } from "./verdict";
import type { Worlds } from "./worlds";

/** A thing worth stopping for. */
export interface Stop {
  word: StopWord;
  urn?: string;
  text: Phrase;
  /** Absent of one that stands by itself. */
  alike?: Alike;
}

/** How stops that differ in nothing but names are told together: `12 tests select every agent`. */
export interface Alike {
  noun: string;
  name: string;
  /** What follows their number and noun. */
  said: Phrase;
  /** It leaves out something that is said of each alone. */
  inPart?: true;
}

/** A label or test that a stop is about. */
export interface Subject {
  noun: string;
  name: string;
  urn?: string;
}

/** A step with what was made of it. */
export interface Analysed {
  planned: Planned;
  verdict: Verdict;
  resource: ReviewedResource;
}

/** What could be told with the help of the service. */
export interface Insight {
  worlds: Worlds;
  names: Names;
  /** Absent where some list is missing. */
  load?: Comparison;
  limits: Limits;
}

/** `HTTP-server test "portal"` */
export function subject({ kind, name }: Pick<Planned, "kind" | "name">): Phrase {
  return phrase`${ours(kind.noun)} ${name}`;
}

export function subjectOf({ kind, name, urn }: Planned): Subject {
  return { noun: kind.noun, name, urn };
}

/** A stop about a label or test. `one` and `many` follow what it is about, or the number of those. */
export function stopOn({ noun, name, urn }: Subject, on: StopWord, one: Phrase, many: Phrase): Stop {
  const text = phrase`${ours(noun)} ${name}${one}`;
  return { word: on, ...(urn !== undefined && { urn }), text, alike: { noun, name, said: many } };
}

/** A stop that is told in part only where it is told together with others. */
export function inPart({ alike, ...stop }: Stop): Stop {
  return { ...stop, ...(alike && { alike: { ...alike, inPart: true } }) };
}
