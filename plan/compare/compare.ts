import { sameValue, stable } from "../../provider/values";
import { fewNames, joined, ours, phrase, type Phrase, strong, word, words } from "../../common/phrase";
import { compareText, counted } from "../../common/text";
import { fleetChecks, reviewChecks } from "../judge/checks";
import type { Approval, ApprovedChange, ApprovedReach } from "../approve/approval";
import type { UnchangedForm } from "../approve/seal";
import { compareChange, type HeldIds, learned } from "./compare-change";
import { Comparison, outcome, shown, sideBySide, subject, without } from "./comparison";

/** Maximum number of agents that may differ from the approval for a label, tag or test. */
export type Tolerance = { percent: number } | { agents: number };

export interface ComparedStates {
  tolerance: Tolerance | undefined;
  /** Resources that have an approved change but no change in the preview. */
  unchanged: ReadonlyMap<string, UnchangedForm>;
  nameOf: (agent: string) => string | undefined;
  ids: HeldIds;
}

export function compareApprovals(approved: Approval, now: Approval, compared: ComparedStates): Comparison {
  const comparison = new Comparison();
  compareSettings(approved, now, comparison);
  const skipped = compareChanges(approved, now, compared, comparison);
  compareReach(approved, now, compared, skipped, comparison);
  compareFindings(approved, now, skipped, comparison);
  return comparison;
}

function compareSettings(approved: Approval, now: Approval, comparison: Comparison): void {
  if (approved.version !== now.version) {
    comparison.refuse(
      "version",
      undefined,
      phrase`pulumi-endpoint-monitoring has version ${word(now.version)}, but the approval is from version ${word(approved.version)}`,
    );
  }
  if (!sameValue(approved.package, now.package)) {
    const [was, is] = [approved.package, now.package].map((packageOf) =>
      packageOf ? phrase`version ${word(packageOf.version)} (${word(packageOf.integrity)})` : ours("no version"),
    );
    comparison.refuse(
      "version",
      undefined,
      phrase`the program loads ${is ?? []} of pulumi-endpoint-monitoring, but the approval is for ${was ?? []}`,
    );
  }
  const settings = sideBySide(Object.entries(approved.settings), Object.entries(now.settings), ([name]) => name);
  for (const [name, was, is] of settings) {
    if (was?.[1] === is?.[1]) continue;
    comparison.refuse("setting", undefined, phrase`setting ${word(name)}: approved ${shown(was?.[1])}, now ${shown(is?.[1])}`);
  }
  for (const urn of without(now.interrupted, approved.interrupted)) {
    const text = phrase`an earlier update was interrupted, so the outcome for ${word(urn)} is unknown`;
    comparison.refuse("new", undefined, text);
  }
  const groups = without(now.accountGroups, approved.accountGroups);
  if (groups.length > 0) {
    comparison.refuse(
      "setting",
      undefined,
      phrase`the change affects account group ${words(groups)}, but the approval is for account group ${words(approved.accountGroups)}`,
    );
  }
}

/** @returns URNs of the resources that later comparisons skip, because `comparison` already contains their differences */
function compareChanges(
  approved: Approval,
  now: Approval,
  { unchanged, ids }: ComparedStates,
  comparison: Comparison,
): Set<string> {
  const skipped = new Set<string>();
  const done = new Map<string, string | undefined>();
  const pairs = pairsOf(approved.changes, now.changes);
  for (const [, before, after] of pairs) {
    if (!before || after) continue;
    const { urn, op, pending } = before;
    const form = pending ? undefined : unchanged.get(urn);
    skipped.add(urn);
    if (form ? isAsApproved(before, form, ids) : op === "delete" || op === "forget") {
      done.set(urn, ids.get(urn));
      comparison.pass("done", urn, phrase`${subject(urn)} is already ${ours(outcome(op))}, as approved`);
    } else {
      const why = form ? "the update would not change it now" : "neither the stack nor the program contains it";
      comparison.refuse(
        "gone",
        urn,
        phrase`the approval expects ${subject(urn)} to be ${strong(outcome(op))}, but ${ours(why)}`,
      );
    }
  }
  for (const [, before, after] of pairs) {
    if (!after) continue;
    const { urn, op, pending, id = "" } = after;
    if (!before) {
      const left = ours(pending ? ` (id ${id}, left over from an earlier update)` : "");
      comparison.refuse("new", urn, phrase`${subject(urn)} would be ${strong(outcome(op))}${left}, which was not approved`);
    }
    if (!before || compareChange(before, after, done, comparison)) skipped.add(urn);
  }
  return skipped;
}

/** Pairs approved changes with current changes. If a resource has several changes, the function also compares the operation and the id. */
function pairsOf(before: readonly ApprovedChange[], after: readonly ApprovedChange[]) {
  // A pending deletion refers to an old record, but a new resource may have the same URN.
  const keyOf = ({ urn, pending, id = "" }: ApprovedChange): string => (pending ? `${urn} ${id}` : urn);
  const [was, is] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  const isOnce = (key: string): boolean => was.get(key)?.length === 1 && is.get(key)?.length === 1;
  return sideBySide(before, after, (change) =>
    isOnce(keyOf(change)) ? keyOf(change) : `${keyOf(change)} ${change.op} ${change.id ?? ""}`,
  );
}

/**
 * Whether a resource already has its approved values. If the approval contains an unknown value, the function uses the value in the state.
 */
function isAsApproved({ after, options }: ApprovedChange, form: UnchangedForm, ids: HeldIds): boolean {
  if (after === undefined) return false;
  if (options && !sameValue(options.after, form.options?.after)) return false;
  return sameValue(learned(after, form.after, ids), form.after);
}

const maxNames = 5;

function compareReach(
  approved: Approval,
  now: Approval,
  { tolerance, nameOf }: ComparedStates,
  skipped: ReadonlySet<string>,
  comparison: Comparison,
): void {
  for (const [of, before, after] of sideBySide(approved.reach, now.reach, (reach) => reach.of)) {
    if (skipped.has(of)) continue;
    const urn = of.startsWith("urn:") ? of : undefined;
    if (before?.unknown !== after?.unknown) {
      const [was, is] = [before, after].map((reach) =>
        ours(reach?.unknown === undefined ? "known" : `unknown (${reach.unknown})`),
      );
      comparison.refuse(
        "reach",
        urn,
        phrase`the agents that ${subject(of)} selects were ${was ?? []} at the time of the approval, but are now ${is ?? []}`,
      );
    }
    if (before && after && before.rule !== after.rule) {
      const why = ours("a label or tag in the selection changed");
      comparison.refuse(
        "reach",
        urn,
        phrase`the rule that selects the agents of ${subject(of)} differs from the approved rule: ${why}`,
      );
      continue;
    }
    const [had, has] = [movedIn(approved, before), movedIn(now, after)];
    // If approved agents were deleted or have already moved, the missing agents do not count as a difference.
    const more = (["gains", "loses"] as const).map((what) => ({ what, ids: without(has[what], had[what]) }));
    const moved = more.reduce((sum, { ids }) => sum + ids.length, 0);
    if (moved === 0) continue;
    const parts = more.flatMap(({ what, ids }): Phrase[] => {
      const names = ids.map((id) => nameOf(id) ?? id).toSorted(compareText);
      const number = ours(`${what} ${counted(ids.length, "agent")}`);
      return ids.length > 0 ? [phrase`${number} more than approved: ${fewNames(names, maxNames)}`] : [];
    });
    const text = phrase`${subject(of)}: ${joined(parts, "; ")}`;
    // An approval does not contain the agents of tests that are newer than the approval, so the tolerance for these tests is zero.
    const allowed = before ? allowedOf(tolerance, had.gains.length + had.loses.length) : 0;
    if (moved <= allowed) comparison.pass("agents", urn, text);
    else comparison.refuse("reach", urn, phrase`${text} (${ours(`at most ${counted(allowed, "agent")} may differ`)})`);
  }
}

/** Returns the number of agents that may differ from the approval. A tolerance in percent allows at least one agent. */
function allowedOf(tolerance: Tolerance | undefined, approved: number): number {
  if (!tolerance) return Infinity;
  if ("agents" in tolerance) return tolerance.agents;
  return tolerance.percent === 0 ? 0 : Math.max(1, Math.floor((approved * tolerance.percent) / 100));
}

function movedIn({ sets }: Approval, reach: ApprovedReach | undefined) {
  return { gains: sets[reach?.gained ?? ""] ?? [], loses: sets[reach?.lost ?? ""] ?? [] };
}

function compareFindings(approved: Approval, now: Approval, skipped: ReadonlySet<string>, comparison: Comparison): void {
  for (const [, before, after] of sideBySide(approved.findings, now.findings, stable)) {
    const finding = after ?? before;
    if (!finding || (before && after) || skipped.has(finding.urn ?? "")) continue;
    const about = finding.urn === undefined ? [] : phrase` about ${subject(finding.urn)}`;
    const what = phrase`the finding ${word(finding.rule)}${about}`;
    if (before) {
      comparison.pass("findings", finding.urn, phrase`${what} is no longer reported`);
      continue;
    }
    const text = phrase`${what} was not reported at the time of the approval: ${ours(reviewChecks[finding.rule])}`;
    if (fleetChecks.has(finding.rule) && hasSameRules(approved, now, finding.urn)) comparison.pass("agents", finding.urn, text);
    else comparison.refuse("finding", finding.urn, text);
  }
}

function hasSameRules(approved: Approval, now: Approval, urn: string | undefined): boolean {
  const rules = ({ reach }: Approval): string[] =>
    reach.flatMap(({ of, rule }) => (urn === undefined || of === urn ? [`${of} ${rule}`] : []));
  return rules(now).length > 0 && sameValue(rules(approved), rules(now));
}
