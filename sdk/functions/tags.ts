import type { AccountGroupArgs, OneOf } from "./arguments";
import { fetching, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { TagRecord } from "./records";

/** The type of a tag's objects. `v-agent` is a cloud or enterprise agent (inferred). */
export type TagObjectType = "endpoint-agent" | "test" | "dashboard" | "endpoint-test" | "v-agent" | "connected-devices-test";

interface TagParts {
  /** `assignments` includes the objects that static tags are assigned to. */
  expand?: "assignments"[];
}

/** Arguments of {@link getTags}. */
export interface GetTagsArgs extends AccountGroupArgs, TagParts {
  /** Includes only tags of such objects. Default: tags of all types. */
  objectType?: TagObjectType;
}

/**
 * Returns the tags of an account group, for every type of object. Tags that the service itself provides have `builtIn`. It is
 * not known whether the list includes the filters of endpoint-agent tags. {@link getTag} by `id` returns them.
 *
 * @example
 * ```ts
 * const tags = await getTags({ objectType: "endpoint-agent" });
 * const own = tags.filter((tag) => tag.builtIn !== true);
 * ```
 */
export const getTags: Fetch<GetTagsArgs, TagRecord[]> = fetching(async (session, { objectType, ...rest }) => {
  const { tags } = await session.call(session.api.operations.tags.list, rest);
  return objectType === undefined ? tags : tags.filter((tag) => tag.objectType === objectType);
});

/**
 * Returns the result of {@link getTags} as an output. Arguments may be outputs.
 *
 * @example
 * ```ts
 * export const keys = getTagsOutput({}, { dependsOn: emea }).apply((tags) => tags.map((tag) => tag.key));
 * ```
 */
export const getTagsOutput: FetchOutput<GetTagsArgs, TagRecord[]> = outputForm(getTags);

interface TagLookup {
  /** Identifier (UUID) of the tag. */
  id: string;
  /** Exact key of the tag. Exactly one tag must match the key, `value` and `objectType`. */
  key: string;
}

interface NarrowedTag {
  /** Exact value of the tag, in addition to `key`. */
  value?: string;
  /** The type of the tag's objects, in addition to `key`. */
  objectType?: TagObjectType;
}

/** Arguments of {@link getTag}: exactly one of `id` and `key`. */
export type GetTagArgs = AccountGroupArgs & TagParts & NarrowedTag & OneOf<TagLookup>;

/**
 * Returns one tag of any type, by its id or by its exact key and value.
 *
 * @throws NotFoundError if no tag has the id
 * @throws LookupError if no tag or several tags have the key and value; it lists them
 *
 * @example
 * ```ts
 * const emea = await getTag({ key: "team", value: "emea", objectType: "endpoint-agent" });
 * new AgentToServerTest("gateway", {
 *   testName: "Gateway",
 *   server: "vpn.example.com",
 *   agentSelectorType: "agent-tags",
 *   tagIds: [emea.id],
 * });
 * ```
 */
export const getTag: Fetch<GetTagArgs, TagRecord> = fetching(async (session, args) => {
  const { id, key, value, objectType, ...rest } = args;
  checkOneOf(session, "tags", { id, key });
  const { tags } = session.api.operations;
  if (id !== undefined) return session.call(tags.get, { id, ...rest });
  const list = await session.call(tags.list, rest);
  const isMeant = (tag: TagRecord): boolean =>
    tag.key === key &&
    (value === undefined || tag.value === value) &&
    (objectType === undefined || tag.objectType === objectType);
  return exactlyOne(session, list.tags.filter(isMeant), {
    call: "getTag",
    what: "tag",
    by: { key, value, objectType },
    id: "id",
    show: (tag) => `${tag.id} (${tag.key ?? ""}:${tag.value ?? ""})`,
  });
});

/**
 * Returns the result of {@link getTag} as an output. Arguments may be outputs.
 *
 * @example
 * ```ts
 * export const filters = getTagOutput({ id: emea.id }).apply((tag) => tag.filters);
 * ```
 */
export const getTagOutput: FetchOutput<GetTagArgs, TagRecord> = outputForm(getTag);
