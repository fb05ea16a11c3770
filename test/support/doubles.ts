import { titleOfRecord } from "../../provider/identity";
import type { RecordKind } from "../../provider/record-kind";
import { records } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { everyKind } from "../provider/bench";
import type { Program } from "../provider/engine-model";

const kinds = everyKind.filter(([, { isUnique }]) => isUnique !== true);
export const perKind = 3;

/** Returns several resources of each type with unique names. */
export function programOf(front: "dynamic" | "native"): Program {
  const resources = kinds.flatMap(([kind, { minimal }]) =>
    Array.from({ length: perKind }, (_, at): [string, Program[string]] => {
      const named = (records[kind] as RecordKind).identity.slice(0, 1);
      const names = Object.fromEntries(named.map((property) => [property, `${kind} ${at}`]));
      return [`${kind}${at}`, { kind, args: { ...minimal, ...names }, front }];
    }),
  );
  return Object.fromEntries(resources);
}

/** Returns ids of equal records in the service, by type and title. */
export async function equalRecords(session: Session): Promise<string[][]> {
  const groups = await Promise.all(
    kinds.map(async ([name]) => {
      const kind = records[name] as RecordKind;
      const listed = await kind.requests.list(session.client, await session.accountGroupId());
      return [...Map.groupBy(listed, (record) => titleOfRecord(kind, record)).values()].map((group) =>
        group.map((record) => kind.idOf(record)),
      );
    }),
  );
  return groups.flat().filter((ids) => ids.length > 1);
}
