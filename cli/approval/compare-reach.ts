import { fewNames, joined, ours, phrase, type Phrase } from "../report/phrase";
import { compareText, count, counted } from "../report/text";
import type { Approval, ApprovedReach } from "./approval";
import { type Comparison, subject, type Tolerance } from "./differences";

const maxNames = 5;

interface Moves {
  come: string[];
  go: string[];
  /** Number of agents that were approved. */
  approved: number;
}

/** Compares whom a change reaches. Those of which the change itself is new, gone or without its record are skipped. */
export function compareReach(
  approved: Approval,
  now: Approval,
  {
    tolerance,
    nameOf,
    skipped,
  }: { tolerance: Tolerance | undefined; nameOf: (agent: string) => string | undefined; skipped: ReadonlySet<string> },
  { differences, passed }: Comparison,
): void {
  const [was, is] = [new Map(approved.reach.map((one) => [one.of, one])), new Map(now.reach.map((one) => [one.of, one]))];
  for (const of of [...new Set([...was.keys(), ...is.keys()])].toSorted(compareText)) {
    if (skipped.has(of)) continue;
    const [before, after] = [was.get(of), is.get(of)];
    const urn = of.startsWith("urn:") ? { urn: of } : {};
    if (before?.unknown !== after?.unknown) {
      const text = phrase`whom ${subject(of)} reaches: approved ${ours(before?.unknown ?? "as known")}, now ${ours(after?.unknown ?? "known")}`;
      differences.push({ what: "reach", ...urn, text });
    }
    const { come, go, approved: number } = movesOf([before, approved.sets], [after, now.sets]);
    if (before && after && before.rule !== after.rule) {
      const text = phrase`${subject(of)} reaches agents by another rule than approved: a label or tag that it selects by was changed`;
      differences.push({ what: "reach", ...urn, text });
      continue;
    }
    const moved = come.length + go.length;
    if (moved === 0) continue;
    // Of a test that was not there when this was approved, nothing was approved.
    const allowed = before ? allowedOf(tolerance, number) : 0;
    const text = phrase`${subject(of)}: ${joined(
      [
        ...(come.length > 0
          ? [phrase`gains ${ours(counted(come.length, "agent"))} more than approved: ${namesOf(come, nameOf)}`]
          : []),
        ...(go.length > 0
          ? [phrase`loses ${ours(counted(go.length, "agent"))} more than approved: ${namesOf(go, nameOf)}`]
          : []),
      ],
      "; ",
    )}`;
    if (moved <= allowed) passed.push({ rule: "agents", ...urn, text });
    else differences.push({ what: "reach", ...urn, text: phrase`${text} (${ours(`at most ${count(allowed)} may`)})` });
  }
}

/** How many agents more than approved a change may move. A share lets at least one pass, or a small label would let none. */
function allowedOf(tolerance: Tolerance | undefined, approved: number): number {
  if (!tolerance) return Infinity;
  if ("agents" in tolerance) return tolerance.agents;
  return tolerance.percent === 0 ? 0 : Math.max(1, Math.floor((approved * tolerance.percent) / 100));
}

type Side = [ApprovedReach | undefined, Approval["sets"]];

/**
 * Agents that a change moves beyond those approved. What it was to move and does not is none: it has moved already, or is gone, and then
 * the label, tag or test that changes does not reach it either.
 */
function movesOf([before, hadSets]: Side, [after, hasSets]: Side): Moves {
  const had = (part: SetName): string[] => hadSets[before?.[part] ?? ""] ?? [];
  const more = (part: SetName): string[] => without(hasSets[after?.[part] ?? ""] ?? [], had(part));
  return { come: more("gained"), go: more("lost"), approved: had("gained").length + had("lost").length };
}

type SetName = "gained" | "lost";

function namesOf(ids: readonly string[], nameOf: (agent: string) => string | undefined): Phrase {
  const names = ids.map((id) => nameOf(id) ?? id);
  return fewNames(names.toSorted(compareText), maxNames);
}

export function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((one) => !left.has(one));
}
