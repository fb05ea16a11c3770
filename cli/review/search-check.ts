import { EndpointMonitoringError, platform, type AgentSearchFilters, type FilterKey } from "../../api";
import type { AgentFacts, LabelRule } from "../../api/label-match";
import type { Session } from "../../provider/session";
import { few, joined, ours, phrase, type Phrase, said, word } from "./phrase";
import type { Agent } from "./service";

/** A label whose evaluation is to be checked. */
export interface Checked {
  name: string;
  aid: string;
  rule: LabelRule;
}

/** Searches that are sent at most, all account groups together. */
const mostSearches = 4;
/** Agents that a warning names. */
const named = 3;

/** How the agents' search says what a label filter says: nothing where it can't. */
interface Expression {
  search: AgentSearchFilters;
  fits: (facts: AgentFacts) => boolean;
}

/** Filters that the search has, too. Other keys, and patterns it does not know, are left out. */
const expressions: Partial<Record<FilterKey, (values: readonly string[]) => Expression | undefined>> = {
  "agent-id": (values) => expression({ id: [...values] }, values, ({ "agent-id": ids }) => ids),
  platform: (values) => {
    const known = platform.options.filter((one) => values.some((value) => value.toLowerCase() === one));
    return expression({ platform: known }, known, (facts) => facts.platform);
  },
  // The search takes the beginning of a name, whatever its case: a pattern with one star, at its end.
  username: (values) => {
    const beginnings = values.flatMap((value) => /^(?<beginning>[^*?]+)\*$/.exec(value)?.groups?.["beginning"] ?? []);
    const fits = ({ username }: AgentFacts): boolean =>
      username.some((name) => beginnings.some((one) => name.startsWith(one.toLowerCase())));
    return beginnings.length > 0 ? { search: { username: beginnings }, fits } : undefined;
  },
};

function expression(
  search: AgentSearchFilters,
  values: readonly string[],
  of: (facts: AgentFacts) => readonly string[],
): Expression | undefined {
  const wanted = new Set(values);
  return values.length > 0 ? { search, fits: (facts) => of(facts).some((value) => wanted.has(value)) } : undefined;
}

/**
 * Holds what this tool makes of label filters against the agents' search of the service, where that can say the same: one
 * search for each filter key and account group, with the values of all labels.
 *
 * @returns what differs
 */
export async function checkBySearch(
  session: Session,
  labels: readonly Checked[],
  agents: ReadonlyMap<string, readonly Agent[]>,
): Promise<Phrase[]> {
  const searches = [...Map.groupBy(labels, ({ aid }) => aid)].flatMap(([aid, there]) =>
    Object.entries(expressions).flatMap(([key, express]) => {
      const using = there.filter(({ rule }) => valuesOf(rule, key).length > 0);
      const values = [...new Set(using.flatMap(({ rule }) => valuesOf(rule, key)))];
      const found = express(values);
      return found ? [{ aid, key, using, ...found }] : [];
    }),
  );
  const checked = searches.slice(0, mostSearches).map(async ({ aid, key, using, search, fits }) => {
    const expected = (agents.get(aid) ?? []).filter(({ facts }) => fits(facts));
    const difference = await differenceOf(session, aid, search, expected);
    if (difference === undefined) return [];
    const concerned = [...new Set(using.map(({ name }) => name))];
    const names = few(
      concerned.map((name) => phrase`${name}`),
      named,
    );
    return [
      phrase`The service's own search does not agree about filters by ${ours(key)} in account group ${word(aid)}: ${difference}. The reach of ${names} may be wrong`,
    ];
  });
  return (await Promise.all(checked)).flat();
}

function valuesOf({ filters = [] }: LabelRule, key: string): string[] {
  return filters.filter((one) => one.key === key).flatMap(({ values }) => values);
}

/** How the answer of a search differs from what was worked out. Its first page and the count of all have to do. */
async function differenceOf(
  session: Session,
  aid: string,
  searchFilters: AgentSearchFilters,
  expected: readonly Agent[],
): Promise<Phrase | undefined> {
  try {
    const page = await session.client.agents.filter({ body: { searchFilters }, query: { aid } });
    const found = page.agents.filter(({ deleted }) => !deleted);
    const known = new Set(expected.map(({ id }) => id));
    const strange = found.filter(({ id }) => !known.has(id));
    const whole = page._links?.next === undefined;
    const total = whole ? found.length : (page.totalAgents ?? expected.length);
    if (strange.length === 0 && total === expected.length) return undefined;
    const shown = strange.slice(0, named).map(({ id, name }) => phrase`${name ?? id}`);
    const among = shown.length > 0 ? phrase`, ${joined(shown, ", ")} among them` : [];
    return phrase`it finds ${total} agents${among}, this tool ${expected.length}`;
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    return phrase`it failed (${said(error.message)})`;
  }
}
