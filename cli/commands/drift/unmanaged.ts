import { ApiError, UnauthorizedError } from "../../../api";
import type { Kind } from "../../../provider/kind";
import { Lifecycle } from "../../../provider/lifecycle";
import { type KindName, registry } from "../../../provider/registry";
import type { Session } from "../../../provider/session";
import { titleOf } from "../../../provider/identity";
import { stringOf } from "../../../provider/values";
import { managedOf, type ManagedResource } from "../../../engine/state";
import { inOrder, type UnmanagedRecord } from "./data";
import { recreatedRecords, type UnmanagedState } from "../../../plan/recreated";
import type { ComparedStack, DriftScope } from "./model";

export interface UnmanagedFinding extends UnmanagedState {
  readonly record: UnmanagedRecord;
  readonly service: string;
}

export function recordKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}

function serviceOf(session: Session | undefined): string {
  return session?.settings.client.baseUrl ?? "";
}

/**
 * Finds user-created records that no stack manages, in the account groups of the compared stacks. The result does not include agents,
 * because agents register themselves.
 *
 * @param otherManagers resources of other stacks
 * @param onUnread function that is called for each account group that refuses a list, with the account group's id and the error
 * @throws API client errors, unless only some account groups refuse the requests
 */
export async function unmanagedRecords(
  compared: readonly ComparedStack[],
  otherManagers: readonly ManagedResource[],
  { kinds }: Pick<DriftScope, "kinds">,
  onUnread: (accountGroupId: string | undefined, error: ApiError) => void,
): Promise<UnmanagedFinding[]> {
  const managed = new Set([...compared.flatMap(keysIn), ...otherManagers.map(({ kindName, id }) => recordKey(kindName, id))]);
  const unmanaged = new Map<string, UnmanagedFinding>();
  for (const [session, accountGroupIds] of await accountGroups(compared)) {
    const refusals = new Map<string | undefined, ApiError>();
    const lists = [...accountGroupIds].flatMap((id) =>
      madeKinds(kinds).map(async ([name, kind]) => {
        try {
          return await recordsOf(session, name, kind, id);
        } catch (error) {
          if (!(error instanceof ApiError) || error instanceof UnauthorizedError) throw error;
          refusals.set(id, error);
          return [];
        }
      }),
    );
    const records = (await Promise.all(lists)).flat();
    for (const [id, error] of refusals) {
      if (refusals.size === accountGroupIds.size) throw error;
      onUnread(id, error);
    }
    for (const record of records) {
      const key = recordKey(record.kindName, record.id);
      const keyInService = `${serviceOf(session)} ${key}`;
      if (!managed.has(key) && !managed.has(keyInService)) unmanaged.set(keyInService, record);
    }
  }
  const findings = [...unmanaged.values()].map((finding) => ({ ...finding.record, finding }));
  return inOrder(findings).map(({ finding }) => finding);
}

function madeKinds(kinds: DriftScope["kinds"]): [KindName, Kind][] {
  return (Object.entries(registry) as [KindName, Kind][]).filter(([name, { origin }]) => origin === "made" && kinds.has(name));
}

/**
 * Requests the lists of the default account group early. The session caches these lists for `unmanagedRecords`, so the number of requests
 * stays the same.
 */
export async function listAhead(session: Session, kinds: DriftScope["kinds"]): Promise<void> {
  const accountGroupId = await session.accountGroupId();
  await Promise.all(madeKinds(kinds).map(([, kind]) => new Lifecycle(kind, session).list(accountGroupId)));
}

/** Returns the keys of the records that a stack manages, including records with a pending deletion. */
function keysIn({ stack, session, resources = [] }: ComparedStack): string[] {
  return resources.flatMap((resource) => {
    const managed = resource.external ? undefined : managedOf(stack.name, resource);
    if (!managed) return [];
    const key = recordKey(managed.kindName, managed.id);
    return [session ? `${serviceOf(session)} ${key}` : key];
  });
}

async function accountGroups(compared: readonly ComparedStack[]): Promise<Map<Session, Set<string | undefined>>> {
  const groups = new Map<Session, Set<string | undefined>>();
  for (const { session, managed, error } of compared) {
    // The report already contains a failure for a stack with an error.
    if (!session || error) continue;
    const ids = groups.get(session) ?? new Set([await session.accountGroupId()]);
    for (const { outputs } of managed) {
      const id = stringOf(outputs["accountGroupId"]);
      if (id !== undefined) ids.add(id);
    }
    groups.set(session, ids);
  }
  return groups;
}

async function recordsOf(
  session: Session,
  kindName: KindName,
  kind: Kind,
  listedIn: string | undefined,
): Promise<UnmanagedFinding[]> {
  const records = (await new Lifecycle(kind, session).list(listedIn)) ?? [];
  return records.map(({ id, state, modified }) => {
    const accountGroupId = stringOf(state["accountGroupId"]) ?? listedIn;
    const record = { kind: kindName, id, name: titleOf(kind, state) ?? "", accountGroupId, modified };
    return { kindName, kind, id, state: { ...state, accountGroupId }, record, service: serviceOf(session) };
  });
}

export function noteRecreated(compared: readonly ComparedStack[], unmanaged: readonly UnmanagedFinding[]): void {
  for (const { drift, managed, session } of compared) {
    const missing = new Set(drift.missing.map(({ urn }) => urn));
    const recreated = recreatedRecords(
      managed.filter(({ urn }) => missing.has(urn)),
      unmanaged.filter(({ service }) => service === serviceOf(session)),
    );
    for (const resource of drift.missing) {
      const { id, name } = recreated.get(resource.urn)?.record ?? {};
      if (id !== undefined) resource.recreated = { id, name: name ?? "" };
    }
  }
}
