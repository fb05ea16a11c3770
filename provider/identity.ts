import type { Kind } from "./kind";
import type { RecordFacts } from "./rivals";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { Snapshot } from "./snapshot";
import { inputsOfRecord } from "./state";
import { isUnknown, normalText, type Properties, stringOf, unknownValue } from "./values";

/** Joins the values that identify a resource, such as its name, with colons. A backslash escapes a colon within a value. */
export function titleOf({ identity }: Pick<Kind, "identity">, properties: Properties): string | undefined {
  const values = identity.map((property) => titlePart(properties[property]));
  if (values.some(isUnknown)) return unknownValue;
  if (values.includes(undefined)) return undefined;
  return values.length === 1 ? values[0] : values.map((value) => value?.replace(/[\\:]/g, "\\$&")).join(":");
}

/** Trims a name and composes its characters (Unicode NFC), because the service may store names in that form. */
function titlePart(value: unknown): string | undefined {
  const text = stringOf(value);
  return text === undefined || isUnknown(text) ? text : normalText(text);
}

/** Returns the properties that distinguish a record from a record with the same id in another service. */
export function recordFacts(
  kind: Pick<Kind, "identity">,
  accountGroupId: string | undefined,
  ...known: Properties[]
): RecordFacts {
  const names = known.map((properties) => titleOf(kind, properties)).filter((name) => !isUnknown(name));
  return { accountGroupId, names };
}

/**
 * Returns a record's title. For speed, the function reads only the properties that form the title, because each create operation needs the
 * titles of all records.
 */
export function titleOfRecord(kind: RecordKind, record: object): string | undefined {
  return titleOf(kind, inputsOfRecord(kind, record, kind.identity));
}

export function recordsOf(session: Session, kind: RecordKind, accountGroupId: string | undefined): Snapshot {
  return session.snapshot(`${kind.name} ${accountGroupId ?? ""}`, {
    idOf: (record) => kind.idOf(record),
    titleOf: (record) => titleOfRecord(kind, record),
    list: () => kind.requests.list(session.client, accountGroupId),
  });
}

export function hasSecretTitle({ identity }: Pick<Kind, "identity">, secrets: ReadonlySet<string>): boolean {
  return identity.some((property) => secrets.has(property));
}
