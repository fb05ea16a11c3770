/**
 * What becomes of each resource option and each command of Pulumi, on both fronts. test/provider/conformance.test.ts shows all options with
 * all commands on the engine model, test/engine/conformance.test.ts and conformance-commands.test.ts show each of them on the engine, and `npm run generate` writes it into docs/options.md. This module is plain data: the generator loads it as it is.
 */

/** `works`: as Pulumi documents it. `warning`: has no effect, and a warning says so. `refused`: fails with a message that says what to do. */
export type Verdict = "works" | "warning" | "refused";

export interface ConformanceRow {
  /** As a program or a command line writes it. */
  readonly name: string;
  readonly dynamic: Verdict;
  readonly native: Verdict;
  /** What to know about it, or to do instead. */
  readonly note?: string;
}

const works = { dynamic: "works", native: "works" } as const;

/** Resource options of Pulumi's SDK. */
export const resourceOptions: readonly ConformanceRow[] = [
  { name: "additionalSecretOutputs", ...works },
  { name: "aliases", ...works, note: "The record keeps its id and its history" },
  {
    name: "customTimeouts",
    dynamic: "warning",
    native: "warning",
    note: "Use the settings `deadline` and `createOutcomeTimeout`",
  },
  {
    name: "deleteBeforeReplace",
    ...works,
    note: "True unless the setting `replaceOrder` is `create-first`; agents are never deleted by a replacement",
  },
  { name: "deletedWith", ...works, note: "The engine deletes nothing then: the record stays in the service" },
  { name: "dependsOn", ...works },
  { name: "hideDiffs", ...works },
  { name: "hooks", ...works, note: "A destroy of a resource with a delete hook needs `--run-program`" },
  {
    name: "ignoreChanges",
    ...works,
    note: "A replacement takes the values of the program. `drift` does not change such resources",
  },
  {
    name: "import",
    dynamic: "refused",
    native: "works",
    note: "Use `endpoint-monitoring import --run`, or `adopt: true`",
  },
  { name: "parent", ...works },
  {
    name: "pluginDownloadURL",
    dynamic: "warning",
    native: "works",
    note: "Do not use it: the plugin is in this package",
  },
  { name: "protect", ...works },
  { name: "provider", ...works, note: "A `Provider` of this package" },
  { name: "replaceOnChanges", dynamic: "warning", native: "works", note: "Use `pulumi up --replace URN` once" },
  { name: "replaceWith", ...works },
  { name: "replacementTrigger", ...works },
  { name: "retainOnDelete", ...works, note: "A replacement also leaves the old record in the service" },
  { name: "stateMigrations", ...works, note: "Experimental, in newer versions of Pulumi only" },
  { name: "transformations", ...works, note: "A password that one sets is encrypted, as in the program" },
  { name: "transforms", ...works, note: "The same" },
  { name: "version", dynamic: "warning", native: "works", note: "Do not use it: the version in `node_modules` runs" },
];

/** Commands of Pulumi, and their options, as far as they reach the provider. */
export const engineCommands: readonly ConformanceRow[] = [
  { name: "preview --diff", ...works, note: "Shows passwords as `[secret]`" },
  { name: "up --refresh", ...works },
  { name: "up --target URN", ...works },
  { name: "up --exclude URN", ...works },
  {
    name: "up --replace URN",
    ...works,
    note:
      "Replaces the record, and every resource that uses its id: results of tests start again. With `adopt: true`, and `retainOnDelete` or " +
      "`deleteBeforeReplace: false`, the record is kept: the replacement adopts it",
  },
  {
    name: "up --target-replace URN",
    ...works,
    note:
      "With `--target-dependents` the same. Without it, and for a label or a tag, the engine deletes the tests that use it and creates them " +
      "with its old id, which the service refuses: run `pulumi up`, which creates them",
  },
  { name: "up --exclude-dependents", ...works, note: "With `--exclude URN`" },
  { name: "up --plan FILE", ...works, note: "`endpoint-monitoring apply` uses it for the approved change" },
  { name: "up --continue-on-error", ...works },
  { name: "refresh", ...works },
  { name: "refresh --preview-only", ...works },
  { name: "refresh --run-program", ...works, note: "Uses the current settings, not those of the last update" },
  { name: "destroy --target URN", ...works },
  { name: "state rename", ...works },
  { name: "state move", ...works, note: "The record stays as it is" },
  { name: "state taint", ...works, note: "As `up --replace`, at the next update" },
  { name: "state delete", ...works, note: "The service keeps the record" },
  { name: "stack export, stack import", ...works },
  { name: "stack rename", ...works },
  { name: "stack change-secrets-provider", ...works },
  {
    name: "import TYPE NAME ID",
    dynamic: "refused",
    native: "works",
    note: "With a dynamic type Pulumi's own host fails, as it reads without a provider. Use `endpoint-monitoring import --run`",
  },
];
