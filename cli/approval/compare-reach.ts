import { fewNames, joined, ours, phrase } from "../report/phrase";
import { compareText, count, counted } from "../report/text";
import type { Approval, ApprovedReach } from "./approval";
import { type Compared, type Comparison, subject, type Tolerance } from "./differences";

const maxNames = 5;

/** Compares whom a change reaches. Those of which the change itself is new, gone or without its record are skipped. */
export function compareReach(
  approved: Approval,
  now: Approval,
  { tolerance, nameOf }: Compared,
  skipped: ReadonlySet<string>,
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
    if (before && after && before.rule !== after.rule) {
      const text = phrase`${subject(of)} reaches agents by another rule than approved: a label or tag that it selects by was changed`;
      differences.push({ what: "reach", ...urn, text });
      continue;
    }
    // An approved agent that the change no longer moves is no difference: it has moved already, or was deleted.
    const [had, has] = [agentsOf(approved, before), agentsOf(now, after)];
    const more = { gains: without(has.gained, had.gained), loses: without(has.lost, had.lost) };
    const moved = more.gains.length + more.loses.length;
    if (moved === 0) continue;
    // Of a test that was not there when this was approved, nothing was approved.
    const allowed = before ? allowedOf(tolerance, had.gained.length + had.lost.length) : 0;
    const parts = Object.entries(more).flatMap(([what, ids]) => {
      const names = ids.map((id) => nameOf(id) ?? id).toSorted(compareText);
      return ids.length > 0
        ? [phrase`${ours(`${what} ${counted(ids.length, "agent")}`)} more than approved: ${fewNames(names, maxNames)}`]
        : [];
    });
    const text = phrase`${subject(of)}: ${joined(parts, "; ")}`;
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

function agentsOf({ sets }: Approval, reach: ApprovedReach | undefined) {
  return { gained: sets[reach?.gained ?? ""] ?? [], lost: sets[reach?.lost ?? ""] ?? [] };
}

export function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((one) => !left.has(one));
}
