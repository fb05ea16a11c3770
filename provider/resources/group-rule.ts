import type { TagRule } from "../../api/tag-match";
import { isObject, type Properties, stringOf } from "../values";

/** Returns the properties that decide which agents a label or tag matches. */
export function ruleOf({ matchType, filters }: Properties): TagRule {
  // Replaces an unknown or invalid filter with a filter that has an unknown key.
  const list: unknown[] = Array.isArray(filters) ? filters : [filters];
  return {
    matchType: String(matchType),
    filters: list.map((declared) => {
      const { key, mode, scope, values } = isObject(declared) ? declared : { key: declared };
      const texts = Array.isArray(values) ? values.map(String) : [String(values)];
      return { key: String(key), mode: stringOf(mode), ...(scope !== undefined && { scope: stringOf(scope) }), values: texts };
    }),
  };
}
