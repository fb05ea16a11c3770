import { z } from "zod";
import { color, filterKey, filterMode, matchType, largePages, type LabelRecord } from "../../api";
import type { LabelRule } from "../../api/label-match";
import type { Failure } from "../kind";
import { property } from "../property";
import { recordKind } from "../record-kind";
import { type Properties, isObject, isUnknown, sameSet, stringOf } from "../values";
import { commonProperties } from "./common";
import { valueProblem } from "./label-filter";

/** Longest name that the product's own pages take. */
const maxNameLength = 64;

const filter = z.strictObject({
  key: filterKey,
  mode: filterMode.default("in"),
  values: z.array(z.string().min(1)).min(1),
});

type Filter = z.output<typeof filter>;

/** A label: a group of agents that share attributes. Tests select agents by it. */
export const label = recordKind({
  name: "Label",
  noun: "label",
  properties: {
    name: property(z.string().min(1).max(maxNameLength)),
    color: property(color.default("#d9d9d9"), {
      same: (a, b) => String(a).toLowerCase() === String(b).toLowerCase(),
    }),
    matchType: property(matchType),
    filters: property(z.array(filter), {
      same: (a, b) => sameSet(canonicalFilters(a), canonicalFilters(b)),
    }),
    ...commonProperties,
  },
  outputs: {},
  nameProperty: "name",
  replacementCost: "the label gets a new id, and what refers to it is replaced too",
  rules: ({ filters = [] }) => filters.flatMap(valueFailures),
  reach: { means: "label", rule: ruleOf },
  idOf: (record: LabelRecord) => record.id,
  // Recorded: a get without expand leaves filters out; a list was never seen with items (shared/api/README.md, Labels).
  isComplete: (record) => record.filters !== undefined,
  requests: {
    async list({ labels }, aid) {
      const records: LabelRecord[] = [];
      for await (const page of largePages(labels.list, { query: { aid, expand: ["filters"] } })) records.push(...page.labels);
      return records;
    },
    listSome: ({ labels }, aid) => labels.list({ query: { aid, max: 1 } }),
    get: ({ labels }, id, aid) => labels.get({ path: { id }, query: { aid, expand: ["filters"] } }),
    // The client checks the body member by member before it sends anything.
    create: ({ labels }, body, aid) => labels.create({ body: body as never, query: { aid } }),
    update: ({ labels }, id, body, aid) => labels.update({ path: { id }, body, query: { aid } }),
    delete: ({ labels }, id, aid) => labels.delete({ path: { id }, query: { aid } }),
  },
});

/** What is wrong with the values of a filter. A filter that is not known yet, or has a fault of its own, has unknown parts. */
function valueFailures(given: Partial<Filter> | string, i: number): Failure[] {
  const { key, values } = isObject(given) ? given : {};
  if (key === undefined || isUnknown(key) || !Array.isArray(values)) return [];
  return values.flatMap((value, j) => {
    const problem = isUnknown(value) ? undefined : valueProblem(key, value);
    return problem === undefined ? [] : [{ path: `filters[${i}].values[${j}]`, reason: problem }];
  });
}

/** What of a label decides about agents. */
function ruleOf({ matchType: match, filters }: Properties): LabelRule {
  // A filter that is not known yet, or is none, becomes one of an unknown key.
  const given: unknown[] = Array.isArray(filters) ? filters : [filters];
  return {
    matchType: String(match),
    filters: given.map((one) => {
      const { key, mode, values } = isObject(one) ? one : { key: one };
      return { key: String(key), mode: stringOf(mode), values: Array.isArray(values) ? values.map(String) : [String(values)] };
    }),
  };
}

/** Filters as they compare: a mode left out is `in`, the order of values does not count. */
function canonicalFilters(filters: unknown): unknown {
  if (!Array.isArray(filters)) return filters;
  return filters.map(({ key, mode = "in", values }: z.input<typeof filter>) => ({
    key,
    mode,
    values: [...new Set(values)].toSorted(),
  }));
}
