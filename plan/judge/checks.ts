/** Reasons to stop a change, by the words of `--fail-on`, the most serious first. Help loads this file. */
export const reviewChecks = {
  address: "requests and their token go to a new host, or what decides about that changes (--base)",
  pending: "an earlier update was interrupted, or left a deletion that this one carries out",
  protected: "a protected resource is to be deleted or replaced, which the engine refuses",
  renamed: "a label, tag or test looks renamed or moved without an alias: its record is deleted and created again",
  deletes: "a label or test is deleted",
  "adopts-foreign": "a record is adopted that another stack manages, so a destroy of either stack deletes it",
  doubled: "the service has an equal record of a label, tag or test, which another stack or a user created",
  replacements: "a label or test is replaced: the result history of a test ends",
  "derived-replacement": "a test is replaced only because the service returns a value that no program can declare",
  "over-budget": "the change costs more than --max-histories-lost, --max-replacements or --max-load",
  options: "an option of the engine changes, such as protect, retainOnDelete or ignoreChanges",
  "unknown-value": "a value other than a new id is known only during the update (--allow-unknown)",
  "label-in-use": "a label or tag is deleted or replaced, while tests that stay as they are select by it",
  "loses-references": "alert rules or streams name what is deleted or replaced, or it is not known whether any do",
  "selects-none": "a label or test selects no enabled agent afterwards",
  "selects-all": "a label or test selects every enabled agent, and did not before",
  "reach-moved": "most agents that a test selects now are not selected afterwards (--max-moved)",
  "too-often": "agents of a license run a test more often than they may (--min-interval), and did not before",
  "over-license": "agents have more tests than their license runs, and more so than now",
  "agents-off": "agents are disabled, deleted or moved to another account group",
  secrets: "a secret changes, or may where the preview does not show it",
  "unknown-reach": "it is not known, or cannot be determined, whom a label, tag or test selects afterwards",
} as const;

export type CheckName = keyof typeof reviewChecks;

export const checkNames = Object.keys(reviewChecks) as CheckName[];

const ofFleet = ["selects-none", "selects-all", "reach-moved", "too-often", "over-license"] as const;

/** The words for events that the agents of a fleet may cause by themselves, while nobody changes how they are selected. */
export const fleetChecks: ReadonlySet<CheckName> = new Set(ofFleet);

const ofService = [...ofFleet, "label-in-use", "loses-references", "agents-off", "unknown-reach"] as const;
export const reachChecks: ReadonlySet<CheckName> = new Set(ofService);

export interface Limits {
  /** Most agents that a test may lose, as a percentage of those that it selects now. */
  maxMoved: number;
  /** Least seconds between rounds of a test on agents, by their license. A license that is not named has no limit. */
  minIntervals?: Readonly<Record<string, number>>;
  /** Values that may be known only during the update, as `RESOURCE.PROPERTY`. */
  allowUnknown?: readonly string[];
  /** Most tests that may lose their result history. No limit by default. */
  maxHistoriesLost?: number;
  /** Most resources that may be replaced. No limit by default. */
  maxReplacements?: number;
  /** Most rounds an hour that all tests may ask for afterwards. No limit by default. */
  maxLoad?: number;
}

export const defaultLimits: Limits = { maxMoved: 50 };
