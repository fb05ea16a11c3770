import { UsageError } from "../../../common/errors";
import { checkNames, type CheckName, type Limits, reachChecks } from "../../../plan/judge/checks";
import { listOf, positiveNumber, wordsOf } from "../../command";
import type { ReviewValues } from "./options";

/** Options that limit the costs of a change, and that activate the check `over-budget`. */
const budgetOptions = ["max-histories-lost", "max-replacements", "max-load"] as const;

/** Returns the checks that fail a review: the checks in `--fail-on`, `address` and possibly `over-budget`. @throws UsageError */
export function failOnOf(values: ReviewValues, offline: boolean): ReadonlySet<CheckName> {
  const wanted = wordsOf("fail-on", values["fail-on"] ?? [], [...checkNames, "any", "none"]);
  if (wanted.includes("none") && wanted.length > 1) throw new UsageError('--fail-on accepts "none" only as the single value');
  const blind = checkNames.filter((word) => wanted.includes(word) && reachChecks.has(word));
  if (offline && blind.length > 0) {
    throw new UsageError(`--fail-on ${blind.join(",")} requires the service, so it cannot be used with --offline`);
  }
  const isChosen = (word: CheckName): boolean => wanted.includes("any") || wanted.includes(word) || word === "address";
  const hasBudget = budgetOptions.some((option) => values[option] !== undefined);
  const chosen = [
    ...(wanted.includes("none") ? [] : checkNames.filter(isChosen)),
    ...(hasBudget ? (["over-budget"] as const) : []),
  ];
  return new Set(offline ? chosen.filter((word) => !reachChecks.has(word)) : chosen);
}

/** Returns the limits of the checks. @throws UsageError */
export function limitsOf(values: ReviewValues): Limits {
  const allowUnknown = listOf(values["allow-unknown"]);
  const [maxHistoriesLost, maxReplacements, maxLoad] = budgetOptions.map((option) => positiveNumber(option, values[option]));
  return {
    ...(allowUnknown.length > 0 && { allowUnknown }),
    ...(maxHistoriesLost !== undefined && { maxHistoriesLost }),
    ...(maxReplacements !== undefined && { maxReplacements }),
    ...(maxLoad !== undefined && { maxLoad }),
  };
}
