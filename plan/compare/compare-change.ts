import { fits, idMember, unknownMember } from "../../provider/approved";
import { registry } from "../../provider/registry";
import { type Properties, sameValue } from "../../provider/values";
import { typeOfUrn } from "../../sdk/token";
import { kindNameOf } from "../../engine/state";
import { joined, ours, phrase, type Phrase, strong, word, words } from "../../common/phrase";
import { timeText } from "../../common/text";
import type { ApprovedChange, LiveRecord } from "../approve/approval";
import { type Comparison, outcome, shown, sideBySide, subject } from "./comparison";
import { isSecretDigest } from "../approve/values";

export type HeldIds = ReadonlyMap<string, string | undefined>;

/**
 * Compares an approved change with the current change.
 *
 * @param done ids of the resources with a finished change, by URN
 * @returns whether an affected record was deleted. Such a deletion may cause further differences
 */
export function compareChange(approved: ApprovedChange, now: ApprovedChange, done: HeldIds, comparison: Comparison): boolean {
  const { urn } = now;
  const after = learned(approved.after, now.after, done);
  if (!sameValue(after, approved.after)) {
    comparison.pass(
      "known",
      urn,
      phrase`some values of ${subject(urn)} are now known, because the changes that these values depend on are complete`,
    );
  }
  const parts = [
    ...effects(approved, now),
    ...propertyParts(after, now.after, "approved", "now"),
    ...propertyParts(approved.before, now.before, "approved", "now").map(
      (part) => phrase`the state before the change differs from the approved state: ${part}`,
    ),
  ];
  if (parts.length > 0) comparison.refuse("differs", urn, phrase`${subject(urn)}: ${joined(parts, "; ")}`);
  const records = sideBySide(approved.live ?? [], now.live ?? [], ({ id }) => id);
  for (const [, before, record] of records) if (before && record) compareRecord(urn, before, record, comparison);
  return records.some(([, before, record]) => before?.exists === true && record?.exists === false);
}

function effects(approved: ApprovedChange, now: ApprovedChange): Phrase[] {
  const parts: Phrase[] = [];
  if (approved.op !== now.op) {
    parts.push(
      phrase`the approval expects the resource to be ${strong(outcome(approved.op))}, but the resource would now be ${strong(outcome(now.op))}`,
    );
  } else if (approved.id !== now.id) {
    parts.push(
      phrase`the change affects a different record: the approved id is ${shown(approved.id)}, but the current id is ${shown(now.id)}`,
    );
  }
  const [had, has] = [approved.options, now.options];
  for (const part of propertyParts(had?.after, has?.after, "approved", "now")) parts.push(phrase`option ${part}`);
  for (const part of propertyParts(had?.before, has?.before, "approved", "now"))
    parts.push(phrase`the current resource options differ from those at the time of the approval: ${part}`);
  if (approved.creation !== now.creation) {
    parts.push(
      phrase`the existing records that match the resource differ: approved ${shown(approved.creation)}, now ${shown(now.creation)}`,
    );
  }
  if (approved.retained !== now.retained) {
    parts.push(phrase`the update would now ${ours(now.retained ? "keep" : "delete")} the old record, contrary to the approval`);
  }
  return parts;
}

export function learned(approved: Properties | undefined, now: Properties = {}, done: HeldIds): Properties | undefined {
  if (!approved) return undefined;
  const isKnown = (from: readonly string[], part: unknown): boolean =>
    sameValue(part, { [unknownMember]: from }) || (from.length > 0 && from.every((urn) => done.has(urn)));
  return Object.fromEntries(
    Object.entries(approved).map(([name, value]) => {
      const isSame = fits(value, now[name], (urn) => done.get(urn) ?? { [idMember]: urn }, isKnown);
      return [name, isSame ? now[name] : value];
    }),
  );
}

function compareRecord(urn: string, before: LiveRecord, now: LiveRecord, comparison: Comparison): void {
  const record = phrase`${subject(urn)} (id ${word(now.id)})`;
  const edited = (text: Phrase): void => comparison.refuse("record", urn, text);
  if (before.exists && !now.exists) {
    return edited(phrase`${record} was ${strong("deleted")} in the service after the approval`);
  }
  if (!before.exists && now.exists)
    return edited(phrase`${record} exists in the service, but did not exist at the time of the approval`);
  const isTime = now.modified !== undefined && !Number.isNaN(Date.parse(now.modified));
  const at = ours(isTime ? ` at ${timeText(now.modified ?? "")}` : " after the approval");
  const parts = propertyParts(before.properties, now.properties, "approved", "now");
  if (parts.length > 0) {
    return edited(phrase`${record} was ${strong("changed")} in the service${at}: ${joined(parts, "; ")}`);
  }
  if (before.modified === now.modified) return;
  const kindName = kindNameOf(typeOfUrn(urn));
  // The service never returns write-only properties, so `apply` cannot detect changes to these properties.
  const unseen = kindName === undefined ? [] : registry[kindName].writeOnly;
  if (unseen.length === 0)
    return comparison.pass("times", urn, phrase`${subject(urn)} was saved in the service${at} without a change`);
  edited(
    phrase`${record} was ${strong("saved")} in the service${at}, so properties that the service never returns may have changed: ${words(unseen)}`,
  );
}

function propertyParts(before: Properties = {}, after: Properties = {}, was: string, is: string): Phrase[] {
  return sideBySide(Object.entries(before), Object.entries(after), ([name]) => name).flatMap(([name, had, has]): Phrase[] => {
    const [approvedValue, other] = [had?.[1], has?.[1]];
    if (sameValue(approvedValue, other)) return [];
    if (isSecretDigest(approvedValue) && isSecretDigest(other))
      return [phrase`secret ${word(name)} differs from the approved value`];
    return [phrase`${word(name)}: ${ours(was)} ${shown(approvedValue)}, ${ours(is)} ${shown(other)}`];
  });
}
