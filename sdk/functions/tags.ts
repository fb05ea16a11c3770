import type { AccountGroupArgs, OneOf } from "./arguments";
import { fetching, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { TagRecord } from "./records";

/** The type of the objects that a tag is on. `v-agent` is a cloud or enterprise agent (inferred). */
export type TagObjectType = "endpoint-agent" | "test" | "dashboard" | "endpoint-test" | "v-agent" | "connected-devices-test";

interface TagParts {
  /** `assignments`, to include the objects that static tags are assigned to. */
  expand?: "assignments"[];
}

/** Arguments of {@link getTags}. */
export interface GetTagsArgs extends AccountGroupArgs, TagParts {
  /** Only tags that are on such objects. Default: tags of every type. */
  objectType?: TagObjectType;
}

/**
 * Returns the tags of an account group, of every type of object. Tags that the service itself provides are marked with `builtIn`. That
 * tags of endpoint agents have their filters here is not known: {@link getTag} by `id` returns them.
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
 * {@link getTags} as an output, of arguments that may be outputs.
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
  /** Exact key of the tag. With `value` and `objectType`, it must be that of one tag only. */
  key: string;
}

interface NarrowedTag {
  /** Exact value of the tag, with `key`. */
  value?: string;
  /** The type of the objects that the tag is on, with `key`. */
  objectType?: TagObjectType;
}

/** Arguments of {@link getTag}: exactly one of `id` and `key`. */
export type GetTagArgs = AccountGroupArgs & TagParts & NarrowedTag & OneOf<TagLookup>;

/**
 * Returns one tag of any type, by its id or by its exact key and value.
 *
 * @throws NotFoundError for an id that does not exist
 * @throws LookupError for a key and value that no tag has, or several, which it lists
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
 * {@link getTag} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const filters = getTagOutput({ id: emea.id }).apply((tag) => tag.filters);
 * ```
 */
export const getTagOutput: FetchOutput<GetTagArgs, TagRecord> = outputForm(getTag);
