import { operations, type TagRecord, type TagRequest } from "../../api/schemas";
import { type HandlerCall, handle } from "../handler";
import { builtInTags, type ShownTag, storedKey, type StoredTag, tagDefaults, type StoredTagFilter, tags } from "../model/tags";
import { Problem } from "../problem";
import { timestamp } from "../service";
import type { StoreRow } from "../store";
import { complaintsAbout, refuseAccess, tagStyle } from "./tag-problems";

const path = operations.tags.list.path;

export const tagRoutes = [
  // Recorded lists of tags are not paged, and include the built-in tags.
  handle(
    operations.tags.list,
    (call) => {
      const rows = call.service.store.list(tags, call.aid);
      // In recorded responses, a list of tags has a link, but the tags in the list do not.
      const stored = rows.map((row) => withoutLink(record(call, row, isExpanded(call))));
      const builtIn = builtInTags.map((tag) => withoutLink(shown(call, tag)));
      return { body: { tags: [...stored, ...builtIn], _links: { self: { href: call.link(path) } } } };
    },
    { style: tagStyle },
  ),
  // The recorded response to the creation of a tag has no Location header.
  handle(operations.tags.create, (call) => ({ body: record(call, create(call, call.body)) }), { style: tagStyle }),
  handle(operations.tags.createBulk, (call) => ({ body: createAll(call, call.body.tags) }), { style: tagStyle }),
  handle(
    operations.tags.get,
    (call) => {
      const row = call.service.store.get(tags, call.path.id, call.aid);
      if (row) return { body: record(call, row, isExpanded(call)) };
      const builtIn = builtInTags.find(({ id }) => id === call.path.id);
      if (!builtIn) throw tagNotFound();
      return { body: shown(call, builtIn) };
    },
    { style: tagStyle },
  ),
  handle(
    operations.tags.update,
    (call) => {
      const row = existingTag(call, call.path.id);
      // The text "Validation failure" was recorded for an update request with only `key`, but not for a create request.
      if (complaintsAbout(call.body).length > 0) throw new Problem(400, "Validation failure");
      refuseAccess(call.caller, call.body);
      const { objectType } = row.body;
      if (call.body.objectType !== objectType) {
        const texts = `Original '${objectType}' and new '${call.body.objectType}' objectType`;
        throw new Problem(409, `Cannot update ObjectType. ${texts}`);
      }
      refuseDuplicate(call, call.body, row.id);
      const { legacyId, createDate, assignments } = row.body;
      const kept = {
        createDate,
        assignments,
        modifiedDate: timestamp(call.service),
        ...(legacyId !== undefined && { legacyId }),
      };
      const body = { ...storedOf(call.body), ...kept };
      call.service.store.replace(tags, row.id, body);
      return { body: record(call, { ...row, body }) };
    },
    { style: tagStyle },
  ),
  handle(
    operations.tags.delete,
    (call) => {
      existingTag(call, call.path.id);
      call.service.store.delete(tags, call.path.id, call.aid);
      return { body: undefined };
    },
    { style: tagStyle },
  ),
];

type TagCall = Pick<HandlerCall, "aid" | "caller" | "service" | "link">;

/**
 * Returns a tag that the account group may change.
 *
 * @throws Problem 404, or 403 for a built-in tag
 */
export function existingTag({ aid, service }: Pick<TagCall, "aid" | "service">, id: string): StoreRow<StoredTag> {
  const row = service.store.get(tags, id, aid);
  if (row) return row;
  if (builtInTags.some((tag) => tag.id === id)) throw new Problem(403, "A built-in tag cannot be changed");
  throw tagNotFound();
}

function tagNotFound(): Problem {
  return new Problem(404, "404 NOT_FOUND");
}

function create(call: TagCall, asked: TagRequest): StoreRow<StoredTag> {
  const complaints = complaintsAbout(asked);
  // In recorded responses, the member `detail` contains several complaints. Each complaint after the first one begins with a space.
  if (complaints.length > 0) throw new Problem(400, complaints.join("\n "));
  refuseAccess(call.caller, asked);
  refuseDuplicate(call, asked);
  const body = storedOf(asked);
  return call.service.store.insert(tags, call.aid, (_id, number) => ({
    ...body,
    ...(body.type === "dynamic" && { legacyId: number }),
    createDate: timestamp(call.service),
    assignments: [],
  }));
}

/** Creates several tags. If the emulator refuses a tag, it still creates all other tags. */
function createAll(call: TagCall, asked: readonly TagRequest[]) {
  const created: TagRecord[] = [];
  const errors: { tag: Record<string, TagRequest>; responseCode: number; message: string }[] = [];
  for (const filter of asked) {
    try {
      created.push(record(call, create(call, filter)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.push({ tag: { [filter.key ?? ""]: filter }, responseCode: error.status, message: error.detail });
    }
  }
  return { tags: created, errors };
}

function storedOf(asked: TagRequest): Omit<StoredTag, "legacyId" | "createDate" | "modifiedDate" | "assignments"> {
  const { key = "", value = "", objectType = "test", accessType = "all", matchType, filters } = asked;
  const { type = tagDefaults.type, color = tagDefaults.color, icon = tagDefaults.icon, description } = asked;
  const values = { key, value, objectType, accessType, type, color, icon, ...(description !== undefined && { description }) };
  // In recorded responses, a static tag has no match type, even if the request contains one.
  return type === "static" ? values : { ...values, matchType, filters: (filters ?? []).map(storedFilter) };
}

function storedFilter({
  key,
  mode = "in",
  scope = "default",
  values,
}: NonNullable<TagRequest["filters"]>[number]): StoredTagFilter {
  return { key: scope === "default" ? (storedKey(key) ?? key) : key, mode, scope, values };
}

function refuseDuplicate({ aid, service }: TagCall, { key, value }: TagRequest, except?: string): void {
  const isTaken = service.store
    .list(tags, aid)
    .some(({ id, body }) => id !== except && body.key === key && body.value === value);
  if (isTaken) throw new Problem(409, "Duplicate tags are not allowed. You must change key or value or both");
}

function isExpanded({ query }: { query: { expand?: readonly string[] } }): boolean {
  return query.expand?.includes("assignments") ?? false;
}

function record(call: TagCall, { id, aid, body }: StoreRow<StoredTag>, withAssignments = false): TagRecord {
  const { assignments, ...rest } = body;
  const expanded = withAssignments ? { assignments: [...assignments] } : {};
  return { ...shown(call, { ...rest, id, aid: Number(aid), builtIn: false }), ...expanded };
}

function withoutLink({ _links: _link, ...tag }: TagRecord): TagRecord {
  return tag;
}

/** Returns a tag in the format of a response, with null for missing members and a numeric account group. */
function shown({ link }: Pick<TagCall, "link">, tag: ShownTag): TagRecord {
  const empty = { aid: null, description: null, legacyId: null, modifiedDate: null };
  return { ...empty, ...tag, _links: { self: { href: link(`${path}/${tag.id}`) } } } as unknown as TagRecord;
}
