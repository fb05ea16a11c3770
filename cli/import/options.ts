import { UsageError, listOf } from "../command";
import { wordsOnRequest } from "../kind-words";
import { chosenKinds, type ImportedKind } from "../kinds";
import type { ImportOptionName, ImportValues } from "../commands/import";

export interface ImportOptions {
  readonly stack: string | undefined;
  /** Account groups by id, or all that the caller may see; empty for the one that a resource lives in without one. */
  readonly accountGroups: readonly string[] | "all";
  readonly kinds: readonly ImportedKind[];
  readonly match: readonly string[];
  readonly exclude: readonly string[];
  readonly out: string | undefined;
  readonly file: string | undefined;
  readonly secrets: string | undefined;
  readonly run: boolean;
  readonly dryRun: boolean;
  readonly adopt: boolean;
  /** Whether the program gets the classes of the native plugin, whatever it has so far. */
  readonly native: boolean;
  /** Whether to note who names each record. */
  readonly references: boolean;
}

export function readOptions(given: ImportValues): ImportOptions {
  const flagged = wordsOnRequest.filter((word) => Object.entries(given).some(([name, set]) => name === word && set === true));
  const goes = (a: ImportOptionName, b: ImportOptionName): void => {
    if (given[a] !== undefined && given[b] !== undefined) throw new UsageError(`--${a} goes without --${b}`);
  };
  for (const name of ["only", "account-group"] as const) {
    if (given[name] && listOf(given[name]).length === 0) throw new UsageError(`--${name} names nothing`);
  }
  goes("all-account-groups", "account-group");
  goes("dry-run", "run");
  goes("adopt", "run");
  goes("adopt", "file");
  return {
    stack: given.stack,
    accountGroups: given["all-account-groups"] ? "all" : [...new Set(listOf(given["account-group"]))],
    kinds: chosenKinds(listOf(given.only), flagged),
    match: given.match ?? [],
    exclude: given.exclude ?? [],
    out: given.out,
    file: given.file,
    secrets: given.secrets,
    run: given.run ?? false,
    dryRun: given["dry-run"] ?? false,
    adopt: given.adopt ?? false,
    native: given.native ?? false,
    references: given.references ?? false,
  };
}
