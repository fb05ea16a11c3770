import { z } from "zod";
import { color, filterMode, matchType, tagFilterKeys, tagFilterScope, type TagRecord } from "../../api";
import { compileTag } from "../../api/tag-match";
import type { CheckFailure } from "../kind";
import { property } from "../property";
import { recordKind } from "../record-handler";
import { recordList } from "../snapshot";
import { compact, isObject, isUnknown, type Properties, sameSet } from "../values";
import { commonProperties } from "../property";
import { ruleOf } from "./group-rule";

const filter = z.strictObject({
  key: z.string().min(1),
  mode: filterMode.default("in"),
  scope: tagFilterScope.default("default"),
  values: z.array(z.string().min(1)).min(1),
});

/**
 * Members that the provider sends for every tag. Recorded responses show that the service refuses a tag without `objectType`,
 * `type` and `accessType`.
 */
const fixed = { objectType: "endpoint-agent", type: "dynamic", accessType: "all" } as const;

/** A tag: a group of agents with common attributes. Tests can select agents by tags. */
export const endpointAgentTag = recordKind({
  name: "EndpointAgentTag",
  noun: "tag",
  properties: {
    key: property(z.string().min(1)),
    value: property(z.string().min(1)),
    color: property(color.default("#A7EB10"), {
      same: (a, b) => String(a).toLowerCase() === String(b).toLowerCase(),
    }),
    icon: property(z.string().min(1).default("LABEL")),
    description: property(z.string().default(""), { read: descriptionOf }),
    matchType: property(matchType),
    filters: property(z.array(filter).min(1), {
      same: (a, b) => sameSet(canonicalFilters(a), canonicalFilters(b)),
    }),
    ...commonProperties,
  },
  outputs: { legacyId: z.number().optional() },
  nameProperty: "key",
  identity: ["key", "value"],
  sampleId: "c6b78e57-81a2-4c5f-a11a-d96c3c664d55",
  replacementCost: "the tag gets a new id, and resources that refer to it are also replaced",
  referredAs: "tag",
  reach: {
    means: "group",
    selector: "agent-tags",
    rule: ruleOf,
    compile: (rule) => ({ value: compileTag(rule) }),
    unclear: "agents do not report their tags, and their records do not contain the values that its filters need",
    isSearchable: false,
  },
  rules: ({ filters = [] }) => filters.flatMap(keyFailures),
  idOf: (record: TagRecord) => record.id,
  outputsOf: ({ legacyId }) => ({ legacyId }),
  modifiedAt: ({ modifiedDate }) => modifiedDate,
  createdAt: ({ createDate }) => createDate,
  // Recorded responses to create and get requests contain filters. No recording shows whether list responses contain filters.
  isComplete: (record) => record.filters !== undefined,
  requests: {
    async list({ tags }, aid) {
      const list = await tags.list({ query: { aid } });
      const agentTags = list.tags.filter(({ objectType, builtIn }) => objectType === fixed.objectType && builtIn !== true);
      return recordList(agentTags, list);
    },
    get: ({ tags }, id, aid) => tags.get({ path: { id }, query: { aid } }),
    create: ({ tags }, body, aid) => tags.create({ body: bodyOf(body), query: { aid } }),
    // A PUT request replaces the whole record. The provider compares the response with the request body, because it is not known how the
    // service responds to a tag update.
    update: ({ tags }, id, body, aid) => tags.update({ path: { id }, body: bodyOf(body), query: { aid } }),
    delete: ({ tags }, id, aid) => tags.delete({ path: { id }, query: { aid } }),
  },
});

/**
 * Returns the description of a tag. In recorded responses, the description is null if the tag has no description. If other members are also
 * missing, the tag may have a description that the service omitted.
 */
function descriptionOf({ description, icon }: TagRecord): string | undefined {
  return description ?? (icon === undefined ? undefined : "");
}

/** Returns the body of a request. The body omits an empty description, because the service may refuse an empty description. */
function bodyOf({ description, ...body }: Properties): Properties {
  return compact({ ...body, description: description === "" ? undefined : description, ...fixed });
}

/** Returns a failure if a filter with the scope `default` has an unknown key. */
function keyFailures(declared: Properties | string, i: number): CheckFailure[] {
  const { key, scope } = isObject(declared) ? declared : {};
  if (typeof key !== "string" || isUnknown(key) || scope !== "default") return [];
  if ((tagFilterKeys as readonly string[]).includes(key)) return [];
  const reason = `must be one of ${tagFilterKeys.join(", ")}; a key of custom metadata requires scope: "custom"`;
  return [{ path: `filters[${i}].key`, reason }];
}

/** Converts filters to a form for comparisons, with defaults and sorted values, because the order of values has no meaning. */
function canonicalFilters(filters: unknown): unknown {
  if (!Array.isArray(filters)) return filters;
  return filters.map(({ key, mode = "in", scope = "default", values }: z.input<typeof filter>) => ({
    key,
    mode,
    scope,
    values: [...new Set(values)].toSorted(),
  }));
}
