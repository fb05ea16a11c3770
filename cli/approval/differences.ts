import { markOf } from "../../provider/approved";
import { registry } from "../../provider/registry";
import { typeOfUrn } from "../../sdk/token";
import { kindNameOf, nameOfUrn } from "../engine/state";
import { valueText } from "../report/changes";
import { ours, phrase, type Phrase, word } from "../report/phrase";
import type { ResourceOutcome } from "../review/report";
import { outcomes } from "../review/wording";
import type { ApprovedChange } from "./approval";
import { isSecretDigest } from "./keyed";
import type { HarmlessRule } from "./rules";

/** How a change is not what was approved. */
export type DifferenceKind = "new" | "gone" | "differs" | "record" | "reach" | "stop" | "setting" | "version" | "digest";

export interface Difference {
  what: DifferenceKind;
  urn?: string;
  text: Phrase;
}
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

/** The two approvals of a comparison, and the questions that it asks the stack and the service. */
export interface Compared {
  tolerance: Tolerance | undefined;
  unchanged: Unchanged;
  /** Name of an agent that is known now. */
  nameOf: (agent: string) => string | undefined;
  /** Id that a resource has in the state. */
  idOf: (urn: string) => string | undefined;
}

/** Compares an approved change with a resource that no longer changes: in the state and declared as approved, otherwise, or absent. */
export type Unchanged = (change: ApprovedChange) => Promise<"as approved" | "otherwise" | "absent">;

const maxValue = 60;

/** A value of an approval as people read it. A secret is named. */
export function shown(value: unknown): Phrase {
  if (value === undefined) return ours("none");
  if (isSecretDigest(value)) return ours("a secret");
  const mark = markOf(value);
  if (mark) return "id" in mark ? phrase`the new id of ${nameOfUrn(mark.id)}` : ours("what is known only during the update");
  return [word(value === "" ? '""' : valueText(value, maxValue))];
}

/** `HTTP-server test "portal"` */
export function subject(urn: string): Phrase {
  const type = typeOfUrn(urn);
  const kindName = kindNameOf(type);
  if (!urn.startsWith("urn:")) return phrase`test ${word(urn)}`;
  return phrase`${ours(kindName === undefined ? type : registry[kindName].noun)} ${nameOfUrn(urn)}`;
}

/** Returns the outcome of an operation in words; for other providers, the engine's word. */
export function outcome(op: string): string {
  // Known words are those of the review.
  return op in outcomes ? outcomes[op as ResourceOutcome].done : op;
}
