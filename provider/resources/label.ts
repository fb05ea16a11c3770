import { z } from "zod";
import { color, filterKey, filterMode, matchType, largePages, type LabelRecord } from "../../api";
import { compileLabel, unknownKeys } from "../../api/label-match";
import type { Advice } from "../kind";
import { property } from "../property";
import { recordKind } from "../record-handler";
import { recordList } from "../snapshot";
import { isObject, isUnknown, sameSet } from "../values";
import { commonProperties } from "../property";
import { ruleOf } from "./group-rule";
import { unknownValueNote, valueProblem } from "./label-filter";

/** Maximum length of a label name in the ThousandEyes UI, in characters. The API does not limit the length. */
const maxNameLength = 64;

const filter = z.strictObject({
  key: filterKey,
  mode: filterMode.default("in"),
  values: z.array(z.string().min(1)).min(1),
});

type Filter = z.output<typeof filter>;

/** A label: a group of agents with common attributes. Tests can select agents by labels. */
export const label = recordKind({
  name: "Label",
  noun: "label",
  properties: {
    name: property(z.string().min(1)),
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
  sampleId: "400000000000001",
  replacementCost: "the label gets a new id, and resources that refer to it are also replaced",
  rules: ({ filters = [] }) => filters.flatMap((declared, i) => eachValue(declared, i, valueProblem)),
  advice: ({ name, filters = [] }) => [
    ...(name !== undefined && !isUnknown(name) && name.length > maxNameLength
      ? [{ path: "name", reason: `has more than ${maxNameLength} characters, which the ThousandEyes UI does not accept` }]
      : []),
    ...filters.flatMap((declared, i) => eachValue(declared, i, unknownValueNote, true)),
  ],
  referredAs: "label",
  reach: {
    means: "group",
    selector: "agent-labels",
    rule: ruleOf,
    compile: (rule) => {
      if (unknownKeys(rule).length > 0) return { why: "it has a filter that this version does not know" };
      const isOn = compileLabel(rule);
      return { value: ({ facts }) => isOn(facts) };
    },
    unclear: "",
    isSearchable: true,
  },
  idOf: (record: LabelRecord) => record.id,
  // Recorded get requests without `expand` returned labels without filters. Lists of labels may or may not contain filters
  // (docs/service/labels.md, Reads and updates).
  isComplete: (record) => record.filters !== undefined,
  requests: {
    async list({ labels }, aid) {
      const records: LabelRecord[] = [];
      let lastPage: object | undefined;
      for await (const page of largePages(labels.list, { query: { aid, expand: ["filters"] } })) {
        for (const record of page.labels) records.push(record);
        lastPage = page;
      }
      return recordList(records, lastPage);
    },
    listSome: ({ labels }, aid) => labels.list({ query: { aid, max: 1 } }),
    get: ({ labels }, id, aid) => labels.get({ path: { id }, query: { aid, expand: ["filters"] } }),
    // The type assertion is safe, because the API client validates every member of the body.
    create: ({ labels }, body, aid) => labels.create({ body: body as never, query: { aid } }),
    update: ({ labels }, id, body, aid) => labels.update({ path: { id }, body, query: { aid } }),
    delete: ({ labels }, id, aid) => labels.delete({ path: { id }, query: { aid } }),
  },
});

function eachValue(
  declared: Partial<Filter> | string,
  i: number,
  judge: (key: string, value: string) => string | undefined,
  showsValue = false,
): Advice[] {
  const { key, values } = isObject(declared) ? declared : {};
  if (key === undefined || isUnknown(key) || !Array.isArray(values)) return [];
  return values.flatMap((value, j) => {
    const problem = isUnknown(value) ? undefined : judge(key, value);
    return problem === undefined ? [] : [{ path: `filters[${i}].values[${j}]`, reason: problem, ...(showsValue && { value }) }];
  });
}

/**
 * Converts filters to a form for comparisons, with the default mode and sorted values, because the order of values has no
 * meaning.
 */
function canonicalFilters(filters: unknown): unknown {
  if (!Array.isArray(filters)) return filters;
  return filters.map(({ key, mode = "in", values }: z.input<typeof filter>) => ({
    key,
    mode,
    values: [...new Set(values)].toSorted(),
  }));
}
