import { UsageError, listOf, options } from "../command";
import { chosenKinds, importedKinds, type ImportedKind } from "../kinds";

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
}

/** Words of the kinds that are imported only when they are named: each is an option of its own. */
export const wordsOnRequest: readonly string[] = importedKinds.filter(({ onRequest }) => onRequest).map(({ word }) => word);

const importOptions = {
  stack: { type: "string" },
  "account-group": { type: "string", multiple: true },
  "all-account-groups": { type: "boolean" },
  only: { type: "string", multiple: true },
  match: { type: "string", multiple: true },
  exclude: { type: "string", multiple: true },
  out: { type: "string" },
  file: { type: "string" },
  secrets: { type: "string" },
  run: { type: "boolean" },
  "dry-run": { type: "boolean" },
  adopt: { type: "boolean" },
} as const;

export function readOptions(args: readonly string[]): ImportOptions {
  const flags = Object.fromEntries(wordsOnRequest.map((word) => [word, { type: "boolean" as const }]));
  const given = options(args, { ...flags, ...importOptions });
  const flagged = wordsOnRequest.filter((word) => Object.entries(given).some(([name, set]) => name === word && set === true));
  const goes = (a: keyof typeof importOptions, b: keyof typeof importOptions): void => {
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
  };
}
