import type { Kind } from "./kind";
import { registry, type KindName } from "./registry";

/** A resource type that `endpoint-monitoring import` supports. */
export interface ImportedKind {
  readonly name: KindName;
  readonly kind: Kind;
  /**
   * Command-line argument that selects the resource type, such as `agent-to-server-tests`. The generated file has the same name as the
   * argument.
   */
  readonly word: string;
  /** Command-line argument for a group of resource types, such as `tests`. */
  readonly group: string;
  /**
   * Whether the command imports this resource type only if an argument names it. Agents require an argument, because few
   * programs declare agents.
   */
  readonly onRequest: boolean;
}

export const importedKinds: readonly ImportedKind[] = Object.entries(registry).flatMap(([name, kind]: [string, Kind]) =>
  kind.origin === undefined
    ? []
    : [{ name: name as KindName, kind, ...wordsFor(kind.noun), onRequest: kind.origin === "found" }],
);

/** Derives arguments from a noun: `agent-to-server test` gives `agent-to-server-tests` and `tests`. */
function wordsFor(noun: string): { word: string; group: string } {
  return { word: `${noun.toLowerCase().replaceAll(" ", "-")}s`, group: `${lastWord(noun)}s` };
}

export function lastWord(noun: string): string {
  return noun.split(" ").at(-1) ?? noun;
}

/**
 * Sorts resource types so that each type follows the types that it refers to. In this order, each generated file imports only earlier
 * files.
 */
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
