import type { Finding } from "../../common/finding";
import { ours, phrase, type Phrase, strong, word, words } from "../../common/phrase";
import { typesOfUrn } from "../../sdk/token";
import { aliasFix, aliasOf } from "./alias";
import type { CheckName } from "./checks";
import { findingOn, named, subjectOf } from "./findings";
import type { JudgedStep } from "./model";

export function ofRename(step: JudgedStep): Finding<CheckName>[] {
  const { renamedFrom: from, kind, name } = step;
  if (!from) return [];
  const id = word(from.state?.id ?? "");
  const lost = kind.reach?.means === "test" ? "its id and its result history are lost" : "its id is lost";
  const former = from.name === name ? newParent(step) : phrase` from ${from.name}`;
  const result = failsAtCreate(step)
    ? phrase`the ${strong("update will fail")}, because the service already has this record (id ${id})`
    : phrase`${ours(lost)} (id ${id})`;
  const text = phrase`${named(subjectOf(step))} is ${strong(renameVerb(step))}${former} ${strong("without an alias")}: ${result}`;
  return [{ ...findingOn(subjectOf(step), "renamed", text), fix: aliasFix(aliasOf(from, step)) }];
}

/** Whether a create request will fail because the service already has an equal record. */
export function failsAtCreate({ creation }: JudgedStep): boolean {
  return creation?.how === "identical";
}

export function renameVerb({ name, renamedFrom }: JudgedStep): "renamed" | "moved" {
  return renamedFrom?.name === name ? "moved" : "renamed";
}

/** Returns a phrase such as ` into my:app:Application` or ` out of my:app:Application`. The phrase contains the type of the parent. */
export function newParent({ urn, renamedFrom }: Pick<JudgedStep, "urn" | "renamedFrom">): Phrase {
  const [before, after] = [renamedFrom?.urn ?? "", urn].map((key) => typesOfUrn(key).split("$").at(-2));
  if (after !== undefined) return phrase` into ${word(after)}`;
  return before === undefined ? [] : phrase` out of ${word(before)}`;
}

/**
 * Adds advice to a finding about a lost record: an alias, or the reason why the loss is unavoidable.
 *
 * @param created the created resources by name
 */
export function withFix(
  finding: Finding<CheckName>,
  step: JudgedStep | undefined,
  created: ReadonlyMap<string, JudgedStep>,
): Finding<CheckName> {
  if (!step || (finding.rule !== "deletes" && finding.rule !== "replacements")) return finding;
  const { renamedTo } = step;
  const fix = renamedTo ? aliasFix(aliasOf(step, renamedTo)) : unavoidable(step, created);
  return fix ? { ...finding, fix } : finding;
}

/**
 * Whether a deleted resource and a created resource have the same name but different types.
 *
 * @param created the created resources by name
 */
export function changesType({ op, name, kindName }: JudgedStep, created: ReadonlyMap<string, JudgedStep>): boolean {
  const successor = created.get(name);
  return op === "delete" && successor !== undefined && successor.kindName !== kindName;
}

export function createdByName(changes: readonly JudgedStep[]): ReadonlyMap<string, JudgedStep> {
  return new Map(changes.flatMap((step) => (step.op === "create" ? [[step.name, step]] : [])));
}

function unavoidable(step: JudgedStep, created: ReadonlyMap<string, JudgedStep>): Phrase | undefined {
  const { op, changes, asked } = step;
  if (changesType(step, created))
    return ours("the deletion cannot be avoided, because an existing record cannot change its type");
  const forcing = changes.filter(({ replaces, derived, unknown }) => replaces && !derived && !unknown);
  if (op !== "replace" || asked || forcing.length === 0) return undefined;
  if (forcing.some(({ property, how }) => property === "accountGroupId" && how === "changed")) {
    return ours("the replacement cannot be avoided, because an existing record cannot move to another account group");
  }
  const properties = words(forcing.map(({ property }) => property));
  return phrase`the replacement cannot be avoided, because ${properties} cannot be changed in an existing record`;
}
