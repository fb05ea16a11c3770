import { registry } from "../../provider/registry";
import { fits, idMember, unknownMember } from "../../provider/approved";
import { type Properties, sameValue } from "../../provider/values";
import { typeOfUrn } from "../../sdk/token";
import { kindNameOf } from "../engine/state";
import { joined, ours, phrase, type Phrase, strong, word, words } from "../report/phrase";
import { compareText, timeText } from "../report/text";
import type { ApprovedChange, LiveRecord } from "./approval";
import { type Comparison, outcome, shown, subject } from "./differences";
import { isSecretDigest } from "./keyed";

/**
 * Returns the differences between an approved change and the change that is planned now.
 *
 * @param done what was approved and is done: values that come from it are known now
 * @returns whether a record that it touches is gone, from which more may follow
 */
export function compareChange(
  approved: ApprovedChange,
  now: ApprovedChange,
  done: DoneIds,
  { differences, passed }: Comparison,
): boolean {
  const { urn } = now;
  const after = learned(approved.after, now.after, done);
  if (!sameValue(after, approved.after)) {
    passed.push({
      rule: "known",
      urn,
      text: phrase`${subject(urn)} has values that are known now, as what they come from is done`,
    });
  }
  const parts = [
    ...whatHappens(approved, now),
    ...propertyParts(after, now.after, "approved", "now"),
    ...propertyParts(approved.before, now.before, "the state had", "and has").map((part) => phrase`before the change, ${part}`),
  ];
  if (parts.length > 0) differences.push({ what: "differs", urn, text: phrase`${subject(urn)}: ${joined(parts, "; ")}` });
  const known = new Map((approved.live ?? []).map((record) => [record.id, record]));
  let isGone = false;
  for (const record of now.live ?? []) {
    const before = known.get(record.id);
    if (!before) continue;
    isGone ||= before.exists && !record.exists;
    const edits = recordEdits(before, record, unseenOf(urn));
    if (edits) differences.push({ what: "record", urn, text: phrase`${subject(urn)} (id ${word(record.id)}) ${edits}` });
    else if (before.modified !== record.modified) {
      const text = phrase`${subject(urn)} was saved in the service${atTime(record)}, and is as it was`;
      passed.push({ rule: "times", urn, text });
    }
  }
  return isGone;
}

function whatHappens(approved: ApprovedChange, now: ApprovedChange): Phrase[] {
  const parts: Phrase[] = [];
  if (approved.op !== now.op) {
    parts.push(phrase`approved to be ${strong(outcome(approved.op))}, now to be ${strong(outcome(now.op))}`);
  } else if (approved.id !== now.id) {
    parts.push(phrase`it is another record: approved ${shown(approved.id)}, now ${shown(now.id)}`);
  }
  parts.push(
    ...propertyParts(approved.options?.after, now.options?.after, "approved", "now").map((part) => phrase`option ${part}`),
    ...propertyParts(approved.options?.before, now.options?.before, "it had", "and has").map(
      (part) => phrase`before the change, option ${part}`,
    ),
  );
  if (approved.creation !== now.creation) {
    parts.push(phrase`records that it may be confused with: approved ${shown(approved.creation)}, now ${shown(now.creation)}`);
  }
  if (approved.retained !== now.retained) {
    parts.push(phrase`the service ${ours(now.retained ? "keeps" : "deletes")} the old record, which was not approved`);
  }
  return parts;
}

/** Ids of the resources that are in the state as approved, by URN. */
export type DoneIds = ReadonlyMap<string, string | undefined>;

/** Returns the approved properties with the values that were not known then and are now, as all resources that they are made from are done. */
export function learned(approved: Properties | undefined, now: Properties = {}, done: DoneIds): Properties | undefined {
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

/** Properties that the service never returns, so that a change of them cannot be seen. */
function unseenOf(urn: string): readonly string[] {
  const kindName = kindNameOf(typeOfUrn(urn));
  return kindName === undefined ? [] : registry[kindName].writeOnly;
}

/** Returns the changes that somebody made to a record of the service; nothing if it is as it was. */
function recordEdits(before: LiveRecord, now: LiveRecord, unseen: readonly string[]): Phrase | undefined {
  if (before.exists && !now.exists)
    return phrase`was ${strong("deleted")} in the service since; it does not report when, or by whom`;
  if (!before.exists && now.exists) return phrase`exists in the service again, and did not when this was approved`;
  const parts = propertyParts(before.properties, now.properties, "it had", "and has");
  if (parts.length === 0) {
    if (before.modified === now.modified || unseen.length === 0) return undefined;
    return phrase`was ${strong("saved")} in the service${atTime(now)}, which never returns ${words(unseen)}: whether that was changed is not known`;
  }
  return phrase`was ${strong("changed")} in the service${atTime(now)}, which does not report by whom: ${joined(parts, "; ")}`;
}

function atTime({ modified }: LiveRecord): Phrase {
  return ours(modified === undefined || Number.isNaN(Date.parse(modified)) ? " since" : ` at ${timeText(modified)}`);
}
function propertyParts(before: Properties = {}, after: Properties = {}, was: string, is: string): Phrase[] {
  return membersOf(before, after).flatMap((name): Phrase[] => {
    const [one, other] = [before[name], after[name]];
    if (sameValue(one, other)) return [];
    if (isSecretDigest(one) && isSecretDigest(other)) return [phrase`secret ${word(name)} is another value`];
    return [phrase`${word(name)}: ${ours(was)} ${shown(one)}, ${ours(is)} ${shown(other)}`];
  });
}

export function membersOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted(compareText);
}
