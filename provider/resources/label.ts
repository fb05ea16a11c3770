import { z } from "zod";
import { color, filterKey, filterMode, matchType, largePages, type LabelRecord } from "../../api";
import type { LabelRule } from "../../api/label-match";
import type { Failure } from "../kind";
import { type Properties, isObject, isUnknown, sameSet, stringOf } from "../values";
import { commonInputs } from "./common";
import { valueProblem } from "./label-filter";
import { recordKind } from "./record";

const filter = z.strictObject({
  /** Agent attribute that is compared. */
  key: filterKey,
  /** `in`: the attribute must be among the values; `not-in`: it must not. Default: `in`. */
  mode: filterMode.default("in"),
  /**
   * Values to compare with. Wildcards `*` and `?` for `ssid`, `hostname` and `username`; addresses or CIDR blocks for networks;
   * exact values elsewhere.
   */
  values: z.array(z.string().min(1)).min(1),
});

const inputs = z.strictObject({
  /** Display name, at most 64 characters (a limit of the product's own pages). */
  name: z.string().min(1).max(64),
  /** Colour in the product's pages, `#rrggbb`. Default: `#d9d9d9`. */
  color: color.default("#d9d9d9"),
  /** `and`: an agent must pass all filters; `or`: one is enough. */
  matchType,
  /** Conditions an agent is tested against, again at every check-in. Their order does not matter. */
  filters: z.array(filter),
  ...commonInputs,
});

/** What of a label decides about agents. */
function ruleOf({ matchType: match, filters }: Properties): LabelRule {
  // A filter that is not one yet, or not at all, passes for one of no known key.
  const given: unknown[] = Array.isArray(filters) ? filters : [filters];
  return {
    matchType: String(match),
    filters: given.map((one) => {
      const { key, mode, values } = isObject(one) ? one : { key: one };
      return { key: String(key), mode: stringOf(mode), values: Array.isArray(values) ? values.map(String) : [String(values)] };
    }),
  };
}

interface GivenFilter {
  key: z.output<typeof filterKey>;
  mode?: string;
  values?: string[];
}

/** A label: a group of agents that share attributes. Tests select agents by it. */
export const label = recordKind({
  name: "Label",
  noun: "label",
  schema: inputs,
  nameProperty: "name",
  createOnly: ["accountGroupId"],
  updateOnly: [],
  writeOnly: [],
  leftToService: ["accountGroupId"],
  refersTo: {},
  replacementCost: "the label gets a new id, and what refers to it is replaced too",
  same: {
    color: (a, b) => String(a).toLowerCase() === String(b).toLowerCase(),
    filters: (a, b) => sameSet(canonicalFilters(a), canonicalFilters(b)),
  },
  rules(given, named): Failure[] {
    if (!named("filters")) return [];
    return (given.filters ?? []).flatMap((one, i) =>
      isUnknown(one) || isUnknown(one.key) || isUnknown(one.values) || one.key === undefined || one.values === undefined
        ? []
        : one.values.flatMap((value, j) => {
            const problem = isUnknown(value) ? undefined : valueProblem(one.key, value);
            return problem === undefined ? [] : [{ path: `filters[${i}].values[${j}]`, reason: problem }];
          }),
    );
  },
  idOf: (record: LabelRecord) => record.id,
  toInputs: ({ name, color: shade, matchType: match, filters }) => ({ name, color: shade, matchType: match, filters }),
  toOutputs: () => ({}),
  modifiedAt: () => undefined,
  reach: { means: "label", rule: ruleOf },
  // Recorded: a get without expand leaves filters out; a list was never seen with items (shared/api/README.md, Labels).
  isWhole: (record) => record.filters !== undefined,
  operations: ({ labels }) => ({
    async list(aid) {
      const records: LabelRecord[] = [];
      for await (const page of largePages(labels.list, { query: { aid, expand: ["filters"] } })) records.push(...page.labels);
      return records;
    },
    listSome: (aid) => labels.list({ query: { aid, max: 1 } }),
    get: (id, aid) => labels.get({ path: { id }, query: { aid, expand: ["filters"] } }),
    create: (body, aid) => labels.create({ body: body as never, query: { aid } }),
    update: (id, body, aid) => labels.update({ path: { id }, body, query: { aid } }),
    remove: (id, aid) => labels.delete({ path: { id }, query: { aid } }),
  }),
});

/** Filters as they compare: a mode left out is `in`, the order of values does not count. */
function canonicalFilters(filters: unknown): unknown {
  if (!Array.isArray(filters)) return filters;
  return filters.map((one: GivenFilter) => ({
    key: one.key,
    mode: one.mode ?? "in",
    values: [...new Set(one.values)].toSorted(),
  }));
}
