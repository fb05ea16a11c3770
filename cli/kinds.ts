import type { Kind } from "../provider/kind";
import { registry, type KindName } from "../provider/registry";
import { UsageError } from "./command";

/** A kind that can be imported, with the words that people and files use for it. */
export interface ImportedKind {
  readonly name: KindName;
  readonly kind: Kind;
  /** The word that a person types, and the name of its file: `agent-to-server-tests`. */
  readonly word: string;
  /** The word that several kinds share: `tests`. The same as `word` if the kind shares none. */
  readonly group: string;
  /** Whether it is imported only when it is named: it came by itself, and most of it is nobody's to declare. */
  readonly onRequest: boolean;
}

export const importedKinds: readonly ImportedKind[] = Object.entries(registry).flatMap(([name, kind]: [string, Kind]) =>
  kind.origin === undefined
    ? []
    : // The keys of the registry.
      [{ name: name as KindName, kind, ...wordsFor(kind.noun), onRequest: kind.origin === "found" }],
);

/** `agent-to-server test` is called `agent-to-server-tests`, and is one of the `tests`. */
function wordsFor(noun: string): { word: string; group: string } {
  return { word: `${noun.toLowerCase().replaceAll(" ", "-")}s`, group: `${lastWord(noun)}s` };
}

/** The last word of what messages call one of a kind: `test`. */
export function lastWord(noun: string): string {
  return noun.split(" ").at(-1) ?? noun;
}

export function kindWords(): string[] {
  return [...new Set(importedKinds.flatMap(({ group, word }) => [group, word]))];
}

/**
 * The kinds that are imported, in the order of the registry.
 *
 * @param only words of the kinds alone; empty for all but those on request
 * @param also words of kinds beside them
 * @throws UsageError for a word that names none
 */
export function chosenKinds(only: readonly string[], also: readonly string[] = []): ImportedKind[] {
  const chosen = only.length > 0 ? only.flatMap(kindsOf) : importedKinds.filter(({ onRequest }) => !onRequest);
  const all = new Set([...chosen, ...also.flatMap(kindsOf)]);
  return importedKinds.filter((kind) => all.has(kind));
}

/** The kinds that words name, in the order of the registry. @throws UsageError for a word that names none */
export function kindsNamed(words: readonly string[]): ImportedKind[] {
  const named = new Set(words.flatMap(kindsOf));
  return importedKinds.filter((kind) => named.has(kind));
}

/** The kinds of a word, in the singular or plural. */
function kindsOf(given: string): ImportedKind[] {
  const word = given.toLowerCase();
  const found = importedKinds.filter((kind) => [kind.word, kind.group].some((one) => one === word || one === `${word}s`));
  if (found.length === 0) throw new UsageError(`--only takes ${kindWords().join(", ")}, not "${given}"`);
  return found;
}

/** Kinds so that each comes after those it refers to: a file is written after the files it imports from. */
export function inOrderOfReference(kinds: readonly ImportedKind[]): ImportedKind[] {
  const ordered = new Set<ImportedKind>();
  const add = (one: ImportedKind): void => {
    const targets = Object.values(one.kind.refersTo);
    for (const other of kinds) if (other !== one && targets.includes(other.name) && !ordered.has(other)) add(other);
    ordered.add(one);
  };
  kinds.forEach(add);
  return [...ordered];
}
