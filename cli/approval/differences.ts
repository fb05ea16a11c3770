import type { Phrase } from "../report/phrase";
import type { ApprovedChange } from "./approval";
import type { HarmlessRule } from "./rules";

/** How a change is not what was approved. */
export type DifferenceKind = "new" | "gone" | "differs" | "record" | "reach" | "stop" | "setting" | "version" | "digest";

export interface Difference {
  what: DifferenceKind;
  urn?: string;
  text: Phrase;
}

/** A difference that a rule lets pass. */
export interface Passed {
  rule: HarmlessRule;
  urn?: string;
  text: Phrase;
}

export interface Comparison {
  differences: Difference[];
  passed: Passed[];
}

/** How many agents more than approved a change may move, for each label, tag or test. */
export type Tolerance = { percent: number } | { agents: number };

/** What the stack has and the program declares of resources that do not change, as an approval has it; nothing of one that is neither. */
export type Unchanged = (change: ApprovedChange) => Promise<"as approved" | "otherwise" | "absent">;
