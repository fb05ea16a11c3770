import type { Kind } from "../../provider/kind";
import { sameRecordText } from "../same-record";
import { Lifecycle } from "../../provider/lifecycle";
import { type KindName, registry } from "../../provider/registry";
import type { Session } from "../../provider/session";
import { titleOf } from "../../provider/identity";
import { stringOf } from "../../provider/values";
import { managedOf, type ManagedResource } from "../engine/state";
import { inOrder, type UnmanagedRecord } from "./report";
import type { Look, LookScope } from "./stacks";

/** A record among all of its service. */
export function recordKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}

function serviceOf(session: Session | undefined): string {
  return session?.settings.client.baseUrl ?? "";
}

/**
 * Everything that somebody made in the service and none of the stacks manages: in the account group of each stack's settings, and in
 * those that its resources are in. What registers itself, as agents do, is not reported.
 *
 * @param elsewhere what other stacks manage
 * @throws the client's errors
 */
export async function unmanagedRecords(
  looks: readonly Look[],
  elsewhere: readonly ManagedResource[],
  { kinds }: Pick<LookScope, "kinds">,
): Promise<UnmanagedRecord[]> {
  const managed = new Set([...looks.flatMap(keysIn), ...elsewhere.map(({ kindName, id }) => recordKey(kindName, id))]);
  const found = new Map<string, UnmanagedRecord>();
  for (const [session, accountGroupIds] of await accountGroups(looks)) {
    const lists = [...accountGroupIds].flatMap((id) =>
      madeKinds(kinds).map(([name, kind]) => recordsOf(session, name, kind, id)),
    );
    for (const record of (await Promise.all(lists)).flat()) {
      const key = recordKey(record.kind, record.id);
      const keyInService = `${serviceOf(session)} ${key}`;
      if (!managed.has(key) && !managed.has(keyInService)) found.set(keyInService, record);
    }
  }
  return inOrder([...found.values()]);
}

/** Kinds whose records somebody made, among those that are looked at. */
function madeKinds(kinds: LookScope["kinds"]): [KindName, Kind][] {
  return (Object.entries(registry) as [KindName, Kind][]).filter(([name, { origin }]) => origin === "made" && kinds.has(name));
}

/**
 * Lists what `unmanagedRecords` asks for first: all of the account group of a stack's settings. A session keeps its lists, so that this
 * adds no request. Who asks next is told of a failure.
 */
export async function listAhead(session: Session, kinds: LookScope["kinds"]): Promise<void> {
  const own = await session.accountGroupId();
  await Promise.all(madeKinds(kinds).map(([, kind]) => new Lifecycle(kind, session).list(own)));
}

/** All that a state manages, what waits for its deletion too: in its own service, where that is known. */
function keysIn({ stack, session, resources = [] }: Look): string[] {
  return resources.flatMap((resource) => {
    const managed = resource.external ? undefined : managedOf(stack.name, resource);
    if (!managed) return [];
    const key = recordKey(managed.kindName, managed.id);
    return [session ? `${serviceOf(session)} ${key}` : key];
  });
}

async function accountGroups(looks: readonly Look[]): Promise<Map<Session, Set<string | undefined>>> {
  const groups = new Map<Session, Set<string | undefined>>();
  for (const { session, managed, error } of looks) {
    // The failure is reported already, and the account groups would fail again.
    if (!session || error) continue;
    const own = groups.get(session) ?? new Set([await session.accountGroupId()]);
    for (const { outputs } of managed) {
      const id = stringOf(outputs["accountGroupId"]);
      if (id !== undefined) own.add(id);
    }
    groups.set(session, own);
  }
  return groups;
}

async function recordsOf(
  session: Session,
  kindName: KindName,
  kind: Kind,
  listedIn: string | undefined,
): Promise<UnmanagedRecord[]> {
  const records = (await new Lifecycle(kind, session).list(listedIn)) ?? [];
  return records.map(({ id, state, modified }) => {
    const accountGroupId = stringOf(state["accountGroupId"]) ?? listedIn;
    return {
      kind: kindName,
      id,
      name: titleOf(kind, state) ?? "",
      ...(accountGroupId === undefined ? {} : { accountGroupId }),
      ...(modified === undefined ? {} : { modified }),
    };
  });
}

/** A warning for each record that several resources manage: each undoes what the other does. */
export function managedTwice(looks: readonly Look[], elsewhere: readonly ManagedResource[]): string[] {
  // By record, then by service.
  const managers = new Map<string, Map<string, ManagedResource[]>>();
  for (const { managed, session } of looks) {
    for (const resource of managed.filter(({ kind }) => kind.origin !== undefined)) {
      const record = recordKey(resource.kindName, resource.id);
      const byService = managers.get(record) ?? new Map<string, ManagedResource[]>();
      managers.set(record, byService);
      byService.set(serviceOf(session), [...(byService.get(serviceOf(session)) ?? []), resource]);
    }
  }
  // Which service another project's stack is for is not known: an id that is the same is taken for the same record.
  for (const resource of elsewhere) {
    for (const several of managers.get(recordKey(resource.kindName, resource.id))?.values() ?? []) several.push(resource);
  }
  return [...managers.values()]
    .flatMap((byService) => [...byService.values()])
    .flatMap((several) => {
      const [first] = several;
      if (first === undefined || several.length < 2) return [];
      if (new Set(several.map(({ stack }) => stack)).size === 1) {
        const { message, fix } = sameRecordText(several);
        return [`${message}. What to do: ${fix}`];
      }
      const names = several.map(({ name, stack }) => `${name} of stack ${stack}`).join(" and ");
      return [
        `the ${first.kind.noun} ${first.id} is managed by ${names}: each undoes what the other does. Keep it in one of them`,
      ];
    });
}
