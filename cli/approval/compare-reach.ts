import { fewNames, joined, ours, phrase, type Phrase } from "../report/phrase";
import { compareText, counted } from "../report/text";
import type { Approval, ApprovedReach } from "./approval";
import type { Comparison, Tolerance } from "./differences";
import { subject } from "./wording";

const maxNames = 5;

interface Moves {
  come: Set<string>;
  go: Set<string>;
  /** Agents that were approved. */
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
  }: { tolerance: Tolerance; nameOf: (agent: string) => string | undefined; skipped: ReadonlySet<string> },
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
    const moves = movesOf([before, approved.sets], [after, now.sets]);
    const moved = new Set([...moves.come, ...moves.go]).size;
    if (moved === 0) continue;
    const allowed = "agents" in tolerance ? tolerance.agents : Math.floor((moves.approved * tolerance.percent) / 100);
    const text = phrase`${subject(of)}: ${joined(
      [
        ...(moves.come.size > 0
          ? [phrase`${ours(counted(moves.come.size, "agent"))} more than approved: ${namesOf(moves.come, nameOf)}`]
          : []),
        ...(moves.go.size > 0
          ? [phrase`${ours(counted(moves.go.size, "agent"))} of those approved no longer: ${namesOf(moves.go, nameOf)}`]
          : []),
      ],
      "; ",
    )}`;
    if (moved <= allowed) passed.push({ rule: "agents", ...urn, text });
    else
      differences.push({
        what: "reach",
        ...urn,
        text: phrase`${text} (${ours(counted(moved, "agent"))}, and --reach-tolerance lets ${allowed})`,
      });
  }
}

type Side = [ApprovedReach | undefined, Approval["sets"]];

/**
 * Agents that a change moves otherwise than approved. What it was to move and does not is none: it has moved already, or is gone, and
 * then the label, tag or test that changes does not reach it either.
 */
function movesOf([before, hadSets]: Side, [after, hasSets]: Side): Moves {
  const had = (part: SetName): string[] => hadSets[before?.[part] ?? ""] ?? [];
  const has = (part: SetName): string[] => hasSets[after?.[part] ?? ""] ?? [];
  const more = (part: SetName): string[] => without(has(part), had(part));
  const go = new Set([...without(had("after"), has("after")), ...more("lost")]);
  const come = without([...more("after"), ...more("gained"), ...more("unclear")], [...go]);
  return { come: new Set(come), go, approved: new Set([...had("after"), ...had("gained"), ...had("lost")]).size };
}

type SetName = "after" | "gained" | "lost" | "unclear";

function namesOf(ids: ReadonlySet<string>, nameOf: (agent: string) => string | undefined): Phrase {
  const names = [...ids].map((id) => nameOf(id) ?? id);
  return fewNames(names.toSorted(compareText), maxNames);
}

export function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((one) => !left.has(one));
}
