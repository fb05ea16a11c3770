/** Differences that need no new review. `apply` refuses all others. */
export const harmlessRules = {
  done: "A change that is done already: what was to be created or changed is in the state as approved, and what was to be deleted is not",
  known:
    "A value that was known after the update only, and is known now because all that it comes from is done already: an id is that of the resource in the state",
  times:
    "The time at which a record was last changed, where the service returns all that a program can declare of it, and it is as it was",
  agents:
    "Agents that come or go by themselves, while the rule is as approved. Of those that the change moves, as many more than approved as --reach-tolerance lets for each label, tag or test (default: any); findings that only such agents cause",
  findings: "A finding that no longer exists",
} as const satisfies Record<string, string>;

export type HarmlessRule = keyof typeof harmlessRules;
