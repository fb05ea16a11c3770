import { UsageError } from "../common/errors";
import { importedKinds, type ImportedKind } from "../provider/imported-kinds";

export function kindWords(): string[] {
  return [...new Set(importedKinds.flatMap(({ group, word }) => [group, word]))];
}

/**
 * Returns the resource types for the words on a command line, in the order of the registry.
 *
 * @param only types to include, or an empty list for the default types
 * @param also additional types
 * @throws UsageError for an unknown word
 */
export function chosenKinds(only: readonly string[], also: readonly string[] = []): ImportedKind[] {
  const chosen = only.length > 0 ? only.flatMap(kindsOf) : importedKinds.filter(({ onRequest }) => !onRequest);
  const included = new Set([...chosen, ...also.flatMap(kindsOf)]);
  return importedKinds.filter((kind) => included.has(kind));
}

function kindsOf(text: string): ImportedKind[] {
  const word = text.toLowerCase();
  const matching = importedKinds.filter((kind) => [kind.word, kind.group].some((name) => name === word || name === `${word}s`));
  if (matching.length === 0) throw new UsageError(`--only takes ${kindWords().join(", ")}, not "${text}"`);
  return matching;
}
