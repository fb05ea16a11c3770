/** Differences between an approval and a preview that need no new review. */
export const harmlessRules = {
  done: "A change that is already done: the state contains the created or changed resource as approved, or no longer contains the deleted resource",
  known:
    "A value that was unknown at the time of the approval, and is known now because the changes that it depends on are done. If the value is an id, the resource in the state must have that id",
  times:
    "A newer modification time of a record, if the service returns all properties that a program can declare, and they are unchanged",
  agents:
    "Agents that the approved rule newly selects or no longer selects, and findings that only such agents cause. --reach-tolerance limits the number of agents that differ, for each label, tag or test (default: no limit)",
  findings: "A finding that is no longer reported",
} as const satisfies Record<string, string>;

export type HarmlessRule = keyof typeof harmlessRules;
