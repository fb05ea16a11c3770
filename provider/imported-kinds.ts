import type { Kind } from "./kind";
import { registry, type KindName } from "./registry";

/** A kind that can be imported, with its words on command lines and in file names. */
export interface ImportedKind {
  readonly name: KindName;
  readonly kind: Kind;
  /** The word on command lines, and the name of its file: `agent-to-server-tests`. */
  readonly word: string;
  /** The word that several kinds share, such as `tests`, or the same as `word`. */
  readonly group: string;
  /** Whether it is imported only if it is named: nobody created its records, and few people declare them. */
  readonly onRequest: boolean;
}

export const importedKinds: readonly ImportedKind[] = Object.entries(registry).flatMap(([name, kind]: [string, Kind]) =>
  kind.origin === undefined
    ? []
    : // The keys of the registry.
      [{ name: name as KindName, kind, ...wordsFor(kind.noun), onRequest: kind.origin === "found" }],
);

/** Returns the words of a noun: `agent-to-server test` has `agent-to-server-tests` and `tests`. */
function wordsFor(noun: string): { word: string; group: string } {
  return { word: `${noun.toLowerCase().replaceAll(" ", "-")}s`, group: `${lastWord(noun)}s` };
}

export function lastWord(noun: string): string {
  return noun.split(" ").at(-1) ?? noun;
}

/** Sorts kinds after the kinds they refer to: a file imports from files that exist. */
export function inOrderOfReference(kinds: readonly ImportedKind[]): ImportedKind[] {
  const ordered = new Set<ImportedKind>();
  const add = (importedKind: ImportedKind): void => {
    const targets = Object.values(importedKind.kind.refersTo);
    for (const other of kinds) if (other !== importedKind && targets.includes(other.name) && !ordered.has(other)) add(other);
    ordered.add(importedKind);
  };
  kinds.forEach(add);
  return [...ordered];
}
