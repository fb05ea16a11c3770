import { type Finding, findingData } from "../../../common/finding";
import { positionText } from "../../../common/position";
import type { Phrase } from "../../../common/phrase";
import { aliasFix, aliasOf } from "../../../plan/judge/alias";
import type { CheckName } from "../../../plan/judge/checks";
import type { Judgement, JudgedStep } from "../../../plan/judge/model";
import { stepsOf } from "./groups";
import { formerNameIn } from "../../../program/former-names";

/**
 * Adds the exact edit to each finding about a rename. For resources in a loop, one alias covers all renames.
 *
 * @param folder project folder, or undefined if the preview may belong to another program
 */
export async function withRenameEdits(judgement: Judgement, folder: string | undefined): Promise<Judgement> {
  const byUrn = stepsOf(judgement);
  const renamed = judgement.findings.filter(({ rule }) => rule === "renamed");
  const byPlace = Map.groupBy(renamed, ({ position }) => position && positionText(position));
  const fixes = new Map<Finding, Phrase>();
  const aliases = new Map<string, string>();
  for (const [place, findings] of byPlace) {
    if (place === undefined) continue;
    const formerName = findings.length > 1 && folder !== undefined ? await formerNameOf(findings, byUrn, folder) : undefined;
    for (const finding of findings) {
      const step = byUrn.get(finding.subject?.urn ?? "");
      if (!step?.renamedFrom) continue;
      const alias = aliasOf(step.renamedFrom, step, formerName);
      aliases.set(step.urn, alias);
      fixes.set(finding, aliasFix(alias, place));
    }
  }
  const findings = judgement.findings.map((finding) => {
    const fix = fixes.get(finding);
    return fix ? { ...finding, fix } : finding;
  });
  const renames = judgement.review.renames.map((rename) => ({ ...rename, alias: aliases.get(rename.to.urn) ?? rename.alias }));
  return { ...judgement, findings, review: { ...judgement.review, findings: findings.map(findingData), renames } };
}

function formerNameOf(
  findings: readonly Finding<CheckName>[],
  byUrn: ReadonlyMap<string, JudgedStep>,
  folder: string,
): Promise<string | undefined> | undefined {
  const position = findings[0]?.position;
  const names = findings.flatMap(({ subject }) => {
    const step = byUrn.get(subject?.urn ?? "");
    return step?.renamedFrom ? [{ before: step.renamedFrom.name, after: step.name }] : [];
  });
  const isRename = names.length === findings.length && names.every(({ before, after }) => before !== after);
  return position && isRename ? formerNameIn({ position, names }, folder) : undefined;
}
