/** Rules for harmless differences between an approval and a preview, with their descriptions. A harmless difference needs no new review. */
export const harmlessRules = {
  done: "A change that is already done: the state contains the created or changed resource as approved, or no longer contains the deleted resource",
  known:
    "A value that became known after the approval, because the changes that the value depends on are complete. If the value is an id, the resource in the state must have that id",
  times: "A newer modification time of a record, if every property that a program can declare is readable and unchanged",
  agents:
    "Agents that the approved rule newly selects or no longer selects, and findings that only such agents cause. For each label, tag or test, --reach-tolerance limits the number of agents that differ (default: no limit)",
  findings: "A finding that is no longer reported",
} as const satisfies Record<string, string>;

export type HarmlessRule = keyof typeof harmlessRules;
