/**
 * The result of each resource option and each command of Pulumi on both fronts. test/invariants/conformance.test.ts tests all
 * options with all commands on the engine model. test/real/conformance.test.ts and conformance-commands.test.ts test each
 * of them on the engine. docs/options.md repeats these rows, and test/invariants/page-lengths.test.ts compares the page with
 * this module.
 */

/**
 * `works`: as Pulumi documents it. `warning`: no effect, with a warning. `refused`: fails with a message that recommends a
 * remedy.
 */
export type Verdict = "works" | "warning" | "refused";

export interface ConformanceRow {
  /** Name in a program or on a command line. */
  readonly name: string;
  readonly dynamic: Verdict;
  readonly native: Verdict;
  /** Advice or alternative. */
  readonly note?: string;
}

const works = { dynamic: "works", native: "works" } as const;

/** Resource options of Pulumi's SDK. */
export const resourceOptions: readonly ConformanceRow[] = [
  { name: "additionalSecretOutputs", ...works },
  { name: "aliases", ...works, note: "The record keeps its id, and a test keeps its result history" },
  {
    name: "customTimeouts",
    dynamic: "warning",
    native: "warning",
    note: "Use the settings `deadline` and `createOutcomeTimeout` instead",
  },
  {
    name: "deleteBeforeReplace",
    ...works,
    note: "Default: true, unless the setting `replaceOrder` is `create-first`. A replacement never deletes an agent",
  },
  {
    name: "deletedWith",
    ...works,
    note: "If Pulumi deletes the resource in `deletedWith`, this resource's record stays in the service",
  },
  { name: "dependsOn", ...works },
  { name: "hideDiffs", ...works },
  { name: "hooks", ...works, note: "If a resource has a delete hook, `destroy` needs `--run-program`" },
  {
    name: "ignoreChanges",
    ...works,
    note: "A replacement uses the program's values for ignored properties. `drift` does not change resources with this option",
  },
  {
    name: "import",
    dynamic: "refused",
    native: "works",
    note: "Use `endpoint-monitoring import --run` or `adopt: true` instead",
  },
  { name: "parent", ...works },
  {
    name: "pluginDownloadURL",
    dynamic: "warning",
    native: "works",
    note: "You can omit this option, because the package includes the plugin",
  },
  { name: "protect", ...works },
  { name: "provider", ...works, note: "Accepts a `Provider` of this package" },
  { name: "replaceOnChanges", dynamic: "warning", native: "works", note: "Run `pulumi up --replace URN` instead" },
  { name: "replaceWith", ...works },
  { name: "replacementTrigger", ...works },
  { name: "retainOnDelete", ...works, note: "When Pulumi replaces the resource, the service also keeps the old record" },
  { name: "stateMigrations", ...works, note: "Pulumi marks this option as experimental" },
  { name: "transformations", ...works, note: "Pulumi encrypts passwords in the state even if a transformation sets them" },
  { name: "transforms", ...works, note: "Pulumi encrypts passwords in the state even if a transform sets them" },
  {
    name: "version",
    dynamic: "warning",
    native: "works",
    note: "You can omit this option, because Pulumi runs the version in `node_modules`",
  },
];

/** Commands of Pulumi and their options, if they reach the provider. */
export const engineCommands: readonly ConformanceRow[] = [
  { name: "preview --diff", ...works, note: "Shows passwords as `[secret]`" },
  { name: "up --refresh", ...works },
  { name: "up --target URN", ...works },
  { name: "up --exclude URN", ...works },
  {
    name: "up --replace URN",
    ...works,
    note:
      "Replaces the record and every resource that uses the record's id. Replaced tests lose their result history. If the resource has " +
      "`adopt: true`, and also `retainOnDelete` or `deleteBeforeReplace: false`, the replacement adopts the existing record",
  },
  {
    name: "up --target-replace URN",
    ...works,
    note:
      "For a label or a tag, add `--target-dependents`. Without `--target-dependents`, the service refuses to recreate the tests " +
      "that use the deleted record, so these tests are missing until the next `pulumi up`",
  },
  { name: "up --exclude-dependents", ...works, note: "Also requires `--exclude URN`" },
  { name: "up --plan FILE", ...works, note: "`endpoint-monitoring apply` uses this option to apply an approved change" },
  { name: "up --continue-on-error", ...works },
  { name: "refresh", ...works },
  { name: "refresh --preview-only", ...works },
  { name: "refresh --run-program", ...works, note: "Uses the current settings instead of the settings of the last update" },
  { name: "destroy --target URN", ...works },
  { name: "state rename", ...works },
  { name: "state move", ...works, note: "The record does not change" },
  { name: "state taint", ...works, note: "The next update replaces the record, in the same way as `up --replace`" },
  { name: "state delete", ...works, note: "The service keeps the record" },
  { name: "stack export, stack import", ...works },
  { name: "stack rename", ...works },
  { name: "stack change-secrets-provider", ...works },
  {
    name: "import TYPE NAME ID",
    dynamic: "refused",
    native: "works",
    note: "Use `endpoint-monitoring import --run` instead, because `pulumi import` cannot read dynamic resources",
  },
];
