/** Differences that need no new review. `apply` refuses all others. */
export const harmlessRules = {
  done: "A change that is already done: the state has the created or changed resource as approved, and no longer has a deleted one",
  known:
    "A value that was unknown at the time of the approval, and is known now because the changes that it depends on are done. An id must be the id of the resource in the state",
  times:
    "A new time of the last change of a record, if the service returns all properties that a program can declare, and all are unchanged",
  agents:
    "Agents that come or go by themselves while the rule that selects them is as approved, and findings that only such agents cause. --reach-tolerance limits how many agents more than approved the change may move for each label, tag or test (default: no limit)",
  findings: "A finding that is no longer reported",
} as const satisfies Record<string, string>;

export type HarmlessRule = keyof typeof harmlessRules;
