/**
 * Decides which agents a tag matches, if the documentation defines the result. The service does not return the agents of a tag.
 * The service does not document the syntax of values in tag filters.
 */
import type { AgentFacts, FactKey, ReportedFacts } from "./label-match/agent-facts";
import { type AttributeRule, comparisonOf, network, wildcard } from "./label-match";
import { filterKeys } from "./schemas";

export interface TagRule {
  /** With `and`, every filter must match. Without `and`, one matching filter is enough. */
  readonly matchType?: string;
  readonly filters?: readonly TagFilterRule[];
}

interface TagFilterRule {
  readonly key: string;
  readonly mode?: string;
  readonly scope?: string;
  readonly values: readonly string[];
}

/** An agent's attributes: as reported in the agent's record, and normalized for comparison. */
export interface KnownAgent {
  readonly facts: AgentFacts;
  readonly reported: ReportedFacts;
}

/** Whether a label, tag or test selects an agent; undefined if unknown. */
export type Membership = boolean | undefined;

/** A compiled tag: a function that returns whether the tag matches an agent. */
export type TagTest = (agent: KnownAgent) => Membership;

/**
 * Compiles a tag into a function that returns whether the tag matches an agent. The compiled function returns undefined if
 * different interpretations of the filter values lead to different results.
 */
export function compileTag({ matchType, filters = [] }: TagRule): TagTest {
  const tests = filters.map(compileTagFilter);
  if (tests.length === 0) return () => undefined;
  const decisive = matchType !== "and";
  return (agent) => {
    const members = new Set(tests.map((test) => test(agent)));
    if (members.has(decisive)) return decisive;
    return members.has(undefined) ? undefined : !decisive;
  };
}

/**
 * Converts a tag's filters to label filters, for the emulator. A filter matches no agent if agent records do not contain the filter's
 * attribute.
 */
export function attributesOfTag({ matchType, filters = [] }: TagRule): AttributeRule {
  return { matchType, filters: filters.map((filter) => ({ ...filter, key: factKeyOf(filter) })) };
}

/**
 * Returns the attribute that a filter compares. The result is undefined for metadata, and for attributes that agent records do
 * not contain.
 */
function factKeyOf({ key, scope = "default" }: TagFilterRule): FactKey | undefined {
  return scope === "default" && isFactKey(key) ? key : undefined;
}

const factKeys: readonly string[] = [...filterKeys, "serial-number", "nic-model", "nic-driver-version"] satisfies FactKey[];

function isFactKey(key: string): key is FactKey {
  return factKeys.includes(key);
}

function compileTagFilter(filter: TagFilterRule): TagTest {
  const key = factKeyOf(filter);
  if (key === undefined) return () => undefined;
  const certain = new Set(filter.values);
  const possible = possibleComparison(key, filter.values);
  const isIn = ({ facts, reported }: KnownAgent): Membership => {
    if (reported[key].some((value) => certain.has(value))) return true;
    return possible(facts[key], reported[key]) ? undefined : false;
  };
  if (filter.mode !== "not-in") return isIn;
  return (agent) => {
    // The service does not document whether `not-in` matches an agent without the attribute.
    if (agent.reported[key].length === 0) return undefined;
    const member = isIn(agent);
    return member === undefined ? undefined : !member;
  };
}

/** Agent attributes that contain IP addresses. */
const addresses: ReadonlySet<FactKey> = new Set([
  "public-network",
  "local-network",
  "gateway",
  "vpn-gateway-address",
  "vpn-client-network",
  "vpn-client-address",
]);

/**
 * Returns a function that checks whether any interpretation of a filter value matches: label syntax, wildcard, case-insensitive
 * text, or network. A match is certain only if the filter value equals the text in the agent's record.
 */
function possibleComparison(
  key: FactKey,
  values: readonly string[],
): (facts: readonly string[], reported: readonly string[]) => boolean {
  const asLabel = comparisonOf(key)(values);
  const asPattern = wildcard(values.map((value) => value.toLowerCase()));
  const asNetwork = addresses.has(key) ? network(values) : () => false;
  return (facts, reported) =>
    facts.some((fact) => asLabel(fact) || asNetwork(fact)) || reported.some((value) => asPattern(value.toLowerCase()));
}
