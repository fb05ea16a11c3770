import { UsageError, listOf } from "../command";
import { wordsOnRequest } from "../kind-words";
import { chosenKinds } from "../kinds";
import type { ImportOptionName, ImportValues } from "../commands/import";

export type ImportOptions = Readonly<ReturnType<typeof readOptions>>;

/** @throws UsageError */
export function readOptions(given: ImportValues) {
  const flagged = wordsOnRequest.filter((word) => Object.entries(given).some(([name, set]) => name === word && set === true));
  const goes = (a: ImportOptionName, b: ImportOptionName): void => {
    if (given[a] !== undefined && given[b] !== undefined) throw new UsageError(`--${a} goes without --${b}`);
  };
  for (const name of ["only", "account-group"] as const) {
    if (given[name] && listOf(given[name]).length === 0) throw new UsageError(`--${name} names nothing`);
  }
  goes("all-account-groups", "account-group");
  goes("dry-run", "run");
  return {
    stack: given.stack,
    /** Ids of account groups, or all that the caller may see. Without one it is the account group of the settings or the token. */
    accountGroups: given["all-account-groups"] ? ("all" as const) : [...new Set(listOf(given["account-group"]))],
    kinds: chosenKinds(listOf(given.only), flagged),
    match: given.match ?? [],
    exclude: given.exclude ?? [],
    out: given.out,
    file: given.file,
    secrets: given.secrets,
    run: given.run ?? false,
    dryRun: given["dry-run"] ?? false,
    /** Whether the program gets the classes of the native plugin, whatever it has so far. */
    native: given.native ?? false,
    references: given.references ?? false,
  };
}
