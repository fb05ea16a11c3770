import type { AccountGroupArgs, OneOf } from "./arguments";
import { fetching, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { TagRecord } from "./records";

/** Type of the objects that have a tag. `v-agent` probably means a cloud or enterprise agent. */
export type TagObjectType = "endpoint-agent" | "test" | "dashboard" | "endpoint-test" | "v-agent" | "connected-devices-test";

interface TagParts {
  /** Optional details to include for each tag. With `assignments`, the result lists the objects that have a static tag. */
  expand?: "assignments"[];
}

/** Arguments of {@link getTags}. */
export interface GetTagsArgs extends AccountGroupArgs, TagParts {
  /** Type of the objects that have the tags. Default: all types. */
  objectType?: TagObjectType;
}

/**
 * Returns the tags of an account group, for all types of objects. `builtIn` marks the tags that the service provides. The
 * result may omit the filters of endpoint-agent tags. {@link getTag} with `id` returns a tag with its filters.
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
 * Returns the result of {@link getTags} as an output. The arguments may be outputs of resources.
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
  /** Exact key of the tag. Exactly one tag must match `key`, `value` and `objectType`. */
  key: string;
}

interface NarrowedTag {
  /** Exact value of the tag, which further restricts the search by `key`. */
  value?: string;
  /** Type of the objects that have the tag, which further restricts the search by `key`. */
  objectType?: TagObjectType;
}

/** Arguments of {@link getTag}, with exactly one of `id` and `key`. */
export type GetTagArgs = AccountGroupArgs & TagParts & NarrowedTag & OneOf<TagLookup>;

/**
 * Looks up a tag of any type by its id, or by its exact key and value.
 *
 * @throws NotFoundError if no tag has the requested id
 * @throws LookupError unless exactly one tag matches. The error message lists all matching tags
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
 * Returns the result of {@link getTag} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const filters = getTagOutput({ id: emea.id }).apply((tag) => tag.filters);
 * ```
 */
export const getTagOutput: FetchOutput<GetTagArgs, TagRecord> = outputForm(getTag);
