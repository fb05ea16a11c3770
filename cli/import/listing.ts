import type { ReadResource } from "../../provider/handler";
import { Lifecycle } from "../../provider/lifecycle";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import type { Output } from "../output";
import type { ImportedKind } from "../kinds";

/** A record as the service lists it. */
export interface Listed {
  readonly of: ImportedKind;
  readonly id: string;
  /** What people call it; absent where it has no name. */
  readonly title: string | undefined;
  readonly found: ReadResource;
}

/** The account groups that are asked about, by id; undefined is the token's own, of which no more is known. */
export async function groupsOf(session: Session, asked: readonly string[] | "all"): Promise<(string | undefined)[]> {
  if (asked === "all") return (await session.accountGroups()).map(({ aid }) => aid);
  return asked.length > 0 ? [...asked] : [await session.accountGroupId()];
}

/** Everything there is of some kinds in some account groups: a list a kind and group, and no request for a single record. */
export async function listAll(
  session: Session,
  kinds: readonly ImportedKind[],
  groups: readonly (string | undefined)[],
  out: Output,
): Promise<Listed[]> {
  const listed = new Map<string, Listed>();
  for (const of of kinds) {
    const lifecycle = new Lifecycle(of.kind, session);
    for (const aid of groups) {
      const where = groups.length > 1 ? ` of account group ${aid ?? "of the token"}` : "";
      out.progress(`Listing ${of.kind.noun}s${where}`);
      for (const found of (await lifecycle.list(aid)) ?? []) {
        const title = stringOf(found.state[of.kind.nameProperty]);
        // An agent on its way between two groups may be seen in both.
        listed.set(`${of.name} ${found.id}`, { of, id: found.id, title: title === "" ? undefined : title, found });
      }
    }
  }
  return [...listed.values()];
}
