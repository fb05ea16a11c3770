import type { Kind } from "./kind";
import { registry, type KindName } from "./registry";

/** A kind that can be imported, with its names on command lines and in files. */
export interface ImportedKind {
  readonly name: KindName;
  readonly kind: Kind;
  /** The word on command lines, and the name of the file: `agent-to-server-tests`. */
  readonly word: string;
  /** The word for several kinds, such as `tests`; equal to `word` if no other kind shares it. */
  readonly group: string;
  /** Whether the kind is imported on request only. Users do not create such records, and few programs declare them. */
  readonly onRequest: boolean;
}

export const importedKinds: readonly ImportedKind[] = Object.entries(registry).flatMap(([name, kind]: [string, Kind]) =>
  kind.origin === undefined
    ? []
    : // The names are keys of the registry.
      [{ name: name as KindName, kind, ...wordsFor(kind.noun), onRequest: kind.origin === "found" }],
);

/** Returns the words of a noun: `agent-to-server test` has `agent-to-server-tests` and `tests`. */
function wordsFor(noun: string): { word: string; group: string } {
  return { word: `${noun.toLowerCase().replaceAll(" ", "-")}s`, group: `${lastWord(noun)}s` };
}

export function lastWord(noun: string): string {
  return noun.split(" ").at(-1) ?? noun;
}

/** Sorts each kind after the kinds that it refers to, because a file can only import files that already exist. */
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
