/**
 * The checks of a review by their names in `--fail-on`, the most serious check first.
 *
 * The command-line help loads this file, so the file has no imports.
 */
export const reviewChecks = {
  address: "requests and their token go to a new host, or files that determine the host change (--base)",
  pending: "an earlier update was interrupted, or did not complete a deletion",
  protected: "the change deletes or replaces a protected resource, which the engine refuses",
  renamed: "a label, tag or test looks renamed or moved without an alias: its record is deleted and created again",
  deletes: "a label or test is deleted",
  "adopts-foreign": "the change adopts a record that another stack manages, so destroying either stack deletes the record",
  doubled: "the service has a second record equal to a label, tag or test of the stack",
  replacements: "a label or test is replaced: a test loses its existing result history",
  "derived-replacement": "a test is replaced only because the service returns a value that no program can declare",
  "over-budget": "the change exceeds --max-histories-lost, --max-replacements or --max-load",
  options: "a resource option changes, such as protect, retainOnDelete or ignoreChanges",
  "unknown-value": "a value other than a new id is known only during the update (--allow-unknown)",
  "no-password": "a new test authenticates without a password, for example because a secret is missing in the stack",
  "label-in-use": "a label or tag is deleted or replaced, but unchanged tests still use it to select agents",
  "loses-references": "alert rules or streams refer to a deleted or replaced record, or they could not be read",
  "selects-none": "a label or test selects no enabled agent afterwards",
  "selects-all": "a label or test selects every enabled agent, and did not before",
  "over-license": "agents get more tests than their license can run, and exceed this limit by more than now",
  "agents-off": "agents are disabled, deleted or moved to another account group",
  secrets: "a secret changes, or may change because the preview hides it",
  "unknown-reach": "the set of agents that a label, tag or test selects after the update is unknown",
} as const;

export type CheckName = keyof typeof reviewChecks;

/** The end of a sentence that summarizes many findings of a check, such as `are deleted`. */
export const manyFindings: Readonly<Record<CheckName, string | undefined>> = {
  pending: "are left over from earlier updates: interrupted operations or pending deletions",
  protected: "are protected, so the engine refuses to delete or replace them until they are unprotected",
  renamed: "are renamed or moved without an alias",
  deletes: "are deleted",
  "adopts-foreign": "are adopted although other stacks manage their records",
  doubled: "have second, equal records in the service",
  replacements: "are replaced",
  "derived-replacement": "are replaced only because the service returns values that no program can declare",
  options: "get other options",
  "unknown-value": "have values that are known only during the update",
  "no-password": "authenticate without a password in their new records",
  "label-in-use": "are deleted or replaced, while unchanged tests select agents by them",
  "loses-references": "are used by alert rules or streams, which will lose them",
  "selects-none": "select no agent",
  "selects-all": "select every agent",
  secrets: "have secrets that change",
  "unknown-reach": "select an unknown set of agents",
  address: undefined,
  "over-budget": undefined,
  "over-license": undefined,
  "agents-off": undefined,
};

export const checkNames = Object.keys(reviewChecks) as CheckName[];

const ofFleet = ["selects-none", "selects-all", "over-license"] as const;

/** Checks with findings that can result from changed agents, even if no label, tag or test changes. */
export const fleetChecks: ReadonlySet<CheckName> = new Set(ofFleet);

const ofService = [...ofFleet, "label-in-use", "loses-references", "agents-off", "unknown-reach"] as const;
export const reachChecks: ReadonlySet<CheckName> = new Set(ofService);

export interface Limits {
  /** Values that may be unknown until the update, in the format `RESOURCE.PROPERTY`. */
  allowUnknown?: readonly string[];
  /** Maximum number of tests that may lose their result history, unlimited by default. */
  maxHistoriesLost?: number;
  /** Maximum number of resources that may be replaced, unlimited by default. */
  maxReplacements?: number;
  /** Maximum number of rounds per hour that all tests together may request, unlimited by default. */
  maxLoad?: number;
}
