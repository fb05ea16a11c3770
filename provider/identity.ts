import type { Kind } from "./kind";
import type { RecordFacts } from "./rivals";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { Snapshot } from "./snapshot";
import { inputsOfRecord } from "./state";
import { isUnknown, normalText, type Properties, stringOf, unknownValue } from "./values";

/**
 * Returns the title of a resource: the values of its identity, such as its name. Several values are joined by a colon, and a
 * colon within a value gets a backslash, so that `a:b` with `c` differs from `a` with `b:c`. Returns the unknown value if a
 * part is unknown, and undefined if a part is absent.
 */
export function titleOf({ identity }: Pick<Kind, "identity">, properties: Properties): string | undefined {
  const values = identity.map((property) => titlePart(properties[property]));
  if (values.some(isUnknown)) return unknownValue;
  if (values.includes(undefined)) return undefined;
  return values.length === 1 ? values[0] : values.map((value) => value?.replace(/[\\:]/g, "\\$&")).join(":");
}

/** Returns a part of a title as the service may store it, so that the declared name matches the record. */
function titlePart(value: unknown): string | undefined {
  const text = stringOf(value);
  return text === undefined || isUnknown(text) ? text : normalText(text);
}

/**
 * Returns the facts that distinguish a record from another service's record with the same id. @param known properties before
 * and after a change
 */
export function recordFacts(
  kind: Pick<Kind, "identity">,
  accountGroupId: string | undefined,
  ...known: Properties[]
): RecordFacts {
  const names = known.map((properties) => titleOf(kind, properties)).filter((name) => !isUnknown(name));
  return { accountGroupId, names };
}

/** Returns the title of a record. Reads no other properties, because each create needs the titles of all records. */
export function titleOfRecord(kind: RecordKind, record: object): string | undefined {
  return titleOf(kind, inputsOfRecord(kind, record, kind.identity));
}

/** Returns the snapshot of a kind's records in an account group. A session lists them once. */
export function recordsOf(session: Session, kind: RecordKind, accountGroupId: string | undefined): Snapshot {
  return session.snapshot(`${kind.name} ${accountGroupId ?? ""}`, {
    idOf: (record) => kind.idOf(record),
    titleOf: (record) => titleOfRecord(kind, record),
    list: () => kind.requests.list(session.client, accountGroupId),
  });
}

/** Whether a part of a resource's title is a secret. */
export function hasSecretTitle({ identity }: Pick<Kind, "identity">, secrets: ReadonlySet<string>): boolean {
  return identity.some((property) => secrets.has(property));
}
