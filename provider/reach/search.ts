import { platform, type AgentSearchFilters, type FilterKey } from "../../api";
import { namedAgents } from "../../api/agent-selection";
import type { AgentFacts } from "../../api/label-match";
import type { ReachDeclaration } from "../reach";
import { hasUnknown, type Properties } from "../values";

interface SearchExpression {
  search: AgentSearchFilters;
  fits: (facts: AgentFacts) => boolean;
}

/**
 * Functions that convert a label filter to a filter of the service's agent search, by filter key. Returns undefined for values that the
 * agent search does not support.
 */
export const expressions: Partial<Record<FilterKey, (values: readonly string[]) => SearchExpression | undefined>> = {
  "agent-id": (values) => expression({ id: [...values] }, values, ({ "agent-id": ids }) => ids),
  platform: (values) => {
    const known = platform.options.filter((option) => values.some((value) => value.toLowerCase() === option));
    return expression({ platform: known }, known, (facts) => facts.platform);
  },
  // The agent search compares only the beginning of user names, so a pattern may contain a star only as its last character.
  username: (values) => {
    const beginnings = values.flatMap((value) => /^(?<beginning>[^*?]+)\*$/.exec(value)?.groups?.["beginning"] ?? []);
    const fits = ({ username }: AgentFacts): boolean =>
      username.some((name) => beginnings.some((beginning) => name.startsWith(beginning.toLowerCase())));
    return beginnings.length > 0 ? { search: { username: beginnings }, fits } : undefined;
  },
};

function expression(
  search: AgentSearchFilters,
  values: readonly string[],
  of: (facts: AgentFacts) => readonly string[],
): SearchExpression | undefined {
  const wanted = new Set(values);
  return values.length > 0 ? { search, fits: (facts) => of(facts).some((value) => wanted.has(value)) } : undefined;
}

/**
 * Returns the search that finds the agents of a label or test. The search has at most one filter, because the service does
 * not document how it combines filters.
 */
export function searchFor(reach: ReachDeclaration, properties: Properties): AgentSearchFilters | undefined {
  if (reach.means === "group") {
    const { filters = [] } = reach.rule(properties);
    const [filter, ...others] = filters;
    if (!reach.isSearchable || !filter || others.length > 0 || filter.mode === "not-in" || hasUnknown(filter)) return undefined;
    const searchExpression = Object.entries(expressions).find(([key]) => key === filter.key)?.[1](filter.values);
    const [expressed = []] = Object.values(searchExpression?.search ?? {});
    return expressed.length === new Set(filter.values.map((value) => value.toLowerCase())).size
      ? searchExpression?.search
      : undefined;
  }
  if (reach.means !== "test") return undefined;
  const schedule = reach.schedule(properties);
  if (hasUnknown(schedule)) return undefined;
  if (schedule.agentSelectorType === "all-agents") return {};
  const named = namedAgents(schedule);
  return named.length > 0 ? { id: [...named] } : undefined;
}
