import { EndpointMonitoringError, type AgentSearchFilters } from "../../api";
import type { LabelRule } from "../../api/label-match";
import { expressions } from "../../provider/reach/search";
import type { Session } from "../../provider/session";
import { errorText, fewNames, ours, phrase, type Phrase, word } from "../../common/phrase";
import type { ServiceAgent } from "../../provider/reach/holdings";
import type { ServiceView } from "../service";
import { keyAfter } from "../stand-ins";
import type { Judgement } from "./model";

const maxSearches = 4;
const maxNames = 3;

/**
 * Compares the agents that the review computes for each label with the results of the service's own search.
 *
 * For each filter key and account group, the function sends one search with the values of all labels. The function skips filters that a
 * search cannot express.
 *
 * @returns the differences
 */
export async function checkLabels(
  session: Session,
  { holdings }: ServiceView,
  { worlds, names, changes }: Judgement,
): Promise<Phrase[]> {
  if (!worlds) return [];
  const { before, after } = worlds;
  const changed = changes.flatMap((step) => [step.state?.id ?? "", keyAfter(step) ?? ""]);
  const keys = changed.flatMap((key) => [key, ...(after.tests.get(key)?.schedule.value?.endpointAgentLabels ?? [])]);
  const labels = [...new Set(keys)].flatMap((key) =>
    [before.groups.get(key), after.groups.get(key)].flatMap((label) => {
      const { isSearchable = false, accountGroupId = "", rule } = label ?? {};
      const known = names.of(key);
      if (!isSearchable || !rule?.value || !known || !holdings.agents.has(accountGroupId)) return [];
      return [{ name: known.name, accountGroupId, rule: rule.value }];
    }),
  );
  const searches = [...Map.groupBy(labels, ({ accountGroupId }) => accountGroupId)].flatMap(([accountGroupId, own]) =>
    Object.entries(expressions).flatMap(([key, express]) => {
      const using = own.filter(({ rule }) => valuesOf(rule, key).length > 0);
      const searchExpression = express([...new Set(using.flatMap(({ rule }) => valuesOf(rule, key)))]);
      return searchExpression ? [{ accountGroupId, key, using, ...searchExpression }] : [];
    }),
  );
  const checked = searches.slice(0, maxSearches).map(async ({ accountGroupId, key, using, search, fits }) => {
    const expected = (holdings.agents.get(accountGroupId) ?? []).filter(({ facts }) => fits(facts));
    const difference = await differenceOf(session, accountGroupId, search, expected);
    if (difference === undefined) return [];
    const concerned = fewNames([...new Set(using.map(({ name }) => name))], maxNames);
    return [
      phrase`The service's search does not confirm which agents match the filters by ${ours(key)} in account group ${word(accountGroupId)}: ${difference}. This review may show the wrong agents for ${concerned}`,
    ];
  });
  return (await Promise.all(checked)).flat();
}

function valuesOf({ filters = [] }: LabelRule, key: string): string[] {
  return filters.filter((filter) => filter.key === key).flatMap(({ values }) => values);
}

/** The function compares only the first page and the total number of agents, because a complete list needs many requests. */
async function differenceOf(
  session: Session,
  accountGroupId: string,
  searchFilters: AgentSearchFilters,
  expected: readonly ServiceAgent[],
): Promise<Phrase | undefined> {
  try {
    const page = await session.client.agents.filter({ body: { searchFilters }, query: { aid: accountGroupId } });
    const agents = page.agents.filter(({ deleted }) => !deleted);
    const known = new Set(expected.map(({ id }) => id));
    const strange = agents.filter(({ id }) => !known.has(id));
    const isComplete = page._links?.next === undefined;
    const total = isComplete ? agents.length : (page.totalAgents ?? expected.length);
    if (strange.length === 0 && total === expected.length) return undefined;
    const shown = strange.slice(0, maxNames).map(({ id, name }) => name ?? id);
    const among = shown.length > 0 ? phrase`, such as ${fewNames(shown, maxNames)}` : [];
    return phrase`the service finds ${total} agents${among}, but this tool finds ${expected.length}`;
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    return phrase`the search failed (${errorText(error.message)})`;
  }
}
