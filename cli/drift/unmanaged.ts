import { Lifecycle } from "../../provider/lifecycle";
import { registry, type KindName } from "../../provider/registry";
import type { Kind } from "../../provider/kind";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import { type ManagedResource, managedOf } from "../engine/state";
import { inOrder } from "./order";
import { recordKey } from "./records";
import type { UnmanagedRecord } from "./report";
import type { Look, Scope } from "./stacks";

const kinds = Object.entries(registry) as [KindName, Kind][];

/**
 * Everything that somebody made in the service and none of the stacks manages: in the account group of each stack's settings, and in
 * those that its resources are in. What is there by itself, as agents are, is nothing that a program forgot.
 *
 * @param elsewhere what other stacks manage
 * @throws the client's errors
 */
export async function unmanagedRecords(
  looks: readonly Look[],
  elsewhere: readonly ManagedResource[],
  { kinds: wanted }: Scope,
): Promise<UnmanagedRecord[]> {
  const managed = new Set([...looks.flatMap(managedBy), ...elsewhere.map(({ kindName, id }) => recordKey(kindName, id))]);
  const isManaged = (service: string, key: string): boolean => managed.has(key) || managed.has(`${service} ${key}`);
  const found = new Map<string, UnmanagedRecord>();
  for (const [session, groups] of await accountGroups(looks)) {
    const lists = [...groups].flatMap((aid) =>
      kinds.filter(([name, { origin }]) => origin === "made" && wanted.has(name)).map(([name]) => listed(session, name, aid)),
    );
    const service = session.settings.client.baseUrl;
    for (const record of (await Promise.all(lists)).flat()) {
      const key = recordKey(record.kind, record.id);
      if (!isManaged(service, key)) found.set(`${service} ${key}`, record);
    }
  }
  return inOrder([...found.values()]);
}

/** All that a state says is managed, what waits for its deletion too: in its own service, where that is known. */
function managedBy({ stack, session, resources = [] }: Look): string[] {
  return resources.flatMap((resource) => {
    const held = resource.external ? undefined : managedOf(stack.name, resource);
    if (!held) return [];
    const key = recordKey(held.kindName, held.id);
    return [session ? `${session.settings.client.baseUrl} ${key}` : key];
  });
}

/** The account groups to look in, of each session. */
async function accountGroups(looks: readonly Look[]): Promise<Map<Session, Set<string | undefined>>> {
  const groups = new Map<Session, Set<string | undefined>>();
  for (const { session, held, error } of looks) {
    // What failed has been told; its account groups would fail again.
    if (!session || error) continue;
    const named = groups.get(session) ?? new Set([await session.accountGroupId()]);
    for (const { outputs } of held) {
      const aid = stringOf(outputs["accountGroupId"]);
      if (aid !== undefined) named.add(aid);
    }
    groups.set(session, named);
  }
  return groups;
}

async function listed(session: Session, kindName: KindName, aid: string | undefined): Promise<UnmanagedRecord[]> {
  const kind: Kind = registry[kindName];
  const records = (await new Lifecycle(kind, session).list(aid)) ?? [];
  return records.map(({ id, state, modified }) => {
    const accountGroupId = stringOf(state["accountGroupId"]) ?? aid;
    return {
      kind: kindName,
      id,
      name: stringOf(state[kind.nameProperty]) ?? "",
      ...(accountGroupId === undefined ? {} : { accountGroupId }),
      ...(modified === undefined ? {} : { modified }),
    };
  });
}
