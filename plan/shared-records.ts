import { isEqualRecord } from "../provider/duplicates";
import { recordsOf, titleOf } from "../provider/identity";
import type { RecordKind } from "../provider/record-kind";
import { type KindName, records } from "../provider/registry";
import type { Session } from "../provider/session";
import { stringOf } from "../provider/values";
import type { ManagedResource } from "../engine/state";
import { compareText } from "../common/text";

/** A record that several stacks manage (`adopts-foreign`), or a managed record that has duplicates (`doubled`). */
export interface SharedRecord {
  check: "adopts-foreign" | "doubled";
  kind: KindName;
  name: string;
  ids: string[];
  /** The resources that manage the record or a duplicate, except resources in states that could not be read. */
  resources: { stack: string; name: string; id: string }[];
  text: string;
}

export interface StackRecords {
  managed: readonly ManagedResource[];
  session?: Session | undefined;
}

/**
 * Finds records that several stacks manage, and unmanaged duplicates of the records of a stack.
 *
 * @param others resources of other stacks. Resources with equal ids count as managers of the same record
 * @throws API client errors
 */
export async function sharedRecords(
  stacks: readonly StackRecords[],
  others: readonly ManagedResource[],
): Promise<SharedRecord[]> {
  const doubles = await Promise.all(
    stacks.map((stack) => doubledIn(stack, [...stacks.flatMap(({ managed }) => managed), ...others])),
  );
  const byRecord = new Map(
    [...managedBySeveral(stacks, others), ...doubles.flat()].map((shared) => [
      `${shared.check} ${shared.kind} ${shared.ids.join()}`,
      shared,
    ]),
  );
  return [...byRecord.values()].toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
}

function managedBySeveral(stacks: readonly StackRecords[], others: readonly ManagedResource[]): SharedRecord[] {
  const withService = stacks.flatMap(({ managed, session }) =>
    managed.map((resource) => ({ resource, service: session?.service ?? "" })),
  );
  const withOrigin = withService.filter(({ resource }) => resource.kind.origin !== undefined);
  const foreign = Map.groupBy(others, recordOf);
  const groups = Map.groupBy(withOrigin, ({ resource, service }) => `${service} ${recordOf(resource)}`);
  return [...groups.values()].flatMap((group) => {
    const inStacks = group.map(({ resource }) => resource);
    const [first] = inStacks;
    const resources = [...inStacks, ...(first ? (foreign.get(recordOf(first)) ?? []) : [])];
    if (first === undefined || new Set(resources.map(({ stack }) => stack)).size < 2) return [];
    const managers = resources.map(({ name, stack }) => `${name} of stack ${stack}`).join(" and ");
    const text =
      `the ${first.kind.noun} ${first.id} is managed by ${managers}. Each stack will undo the other stack's changes. Destroying either stack deletes the record. ` +
      "Keep the record in one stack, and remove it from the state of the others with `pulumi state delete`";
    return [{ check: "adopts-foreign" as const, ...described(first, [first.id], resources), text }];
  });
}

async function doubledIn({ managed, session }: StackRecords, all: readonly ManagedResource[]): Promise<SharedRecord[]> {
  if (!session) return [];
  const ownGroup = await session.accountGroupId();
  const managedRecords = new Set(managed.map(recordOf));
  const lists = await Promise.all(
    managed.map(async (resource): Promise<SharedRecord[]> => {
      const { kindName, id, inputs, outputs } = resource;
      // The cast is safe, because `Object.hasOwn` ensures that the registry contains the kind.
      const kind: RecordKind | undefined = Object.hasOwn(records, kindName)
        ? records[kindName as keyof typeof records]
        : undefined;
      if (kind === undefined) return [];
      const listed = await recordsOf(session, kind, stringOf(outputs["accountGroupId"]) ?? ownGroup).records();
      if (!listed.has(id)) return [];
      const doubles = listed
        .titled(titleOf(kind, inputs))
        .filter((record) => !managedRecords.has(`${kindName} ${kind.idOf(record)}`) && isEqualRecord(kind, record, inputs))
        .map((record) => kind.idOf(record));
      if (doubles.length === 0) return [];
      const ids = [id, ...doubles].toSorted(compareText);
      const managers = all.filter((candidate) => candidate.kindName === kindName && ids.includes(candidate.id));
      return [{ check: "doubled", ...described(resource, ids, managers), text: doubledText(resource, doubles, managers) }];
    }),
  );
  return lists.flat();
}

function doubledText(
  { kind, name, stack, id }: ManagedResource,
  doubles: readonly string[],
  managers: readonly ManagedResource[],
): string {
  const places = doubles.map((double) => {
    const manager = managers.find((resource) => resource.id === double);
    return manager ? `${double} (${manager.name} of stack ${manager.stack})` : `${double} (not in the states that were read)`;
  });
  return (
    `the ${kind.noun} ${id} (${name} of stack ${stack}) exists more than once with the same content: ${places.join(", ")}. ` +
    "If two stacks declare the record, remove it from one program and run `pulumi up` there. If no stack manages a copy, delete the copy in the service"
  );
}

function described({ kindName, name }: ManagedResource, ids: string[], managers: readonly ManagedResource[]) {
  return {
    kind: kindName,
    name,
    ids,
    resources: managers.map(({ stack, name: resource, id }) => ({ stack, name: resource, id })),
  };
}

function recordOf({ kindName, id }: ManagedResource): string {
  return `${kindName} ${id}`;
}
