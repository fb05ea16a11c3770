/**
 * Decides which agents a tag matches, as far as that can be determined: the service does not report which agents have a tag, and the
 * syntax of values is not documented for tags. The emulator decides it as labels do, where records of agents have the attribute.
 */
import type { AgentFacts, FactKey, ReportedFacts } from "./label-match/agent-facts";
import { type AttributeRule, comparisonOf, network, wildcard } from "./label-match";
import { filterKeys } from "./schemas";

/** The members of a tag that decide which agents it matches. */
export interface TagRule {
  /** `and`: every filter must match. Any other value is `or`: one is enough. */
  readonly matchType?: string;
  readonly filters?: readonly TagFilterRule[];
}

interface TagFilterRule {
  readonly key: string;
  readonly mode?: string;
  readonly scope?: string;
  readonly values: readonly string[];
}

/** The attributes of an agent, as its record has them and normalized. */
export interface KnownAgent {
  readonly facts: AgentFacts;
  readonly reported: ReportedFacts;
}

/** Whether an agent is a member of a group; undefined if that cannot be determined. */
export type Membership = boolean | undefined;

/** A compiled tag: returns whether it matches an agent. */
export type TagTest = (agent: KnownAgent) => Membership;

/** Compiles a tag. A filter decides an agent where all possible meanings of its values agree; see {@link possibleComparison}. */
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

/** Returns the filters of a tag for the emulator, which reads them as those of a label. What records do not decide matches no agent. */
export function attributesOfTag({ matchType, filters = [] }: TagRule): AttributeRule {
  return { matchType, filters: filters.map((filter) => ({ ...filter, key: factKeyOf(filter) })) };
}

/** The attribute that a filter compares; undefined for metadata, and for what records of agents do not have. */
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
    // Whether `not-in` matches an agent without the attribute is not known.
    if (agent.reported[key].length === 0) return undefined;
    const member = isIn(agent);
    return member === undefined ? undefined : !member;
  };
}

/** Attributes that are addresses. */
const addresses: ReadonlySet<FactKey> = new Set([
  "public-network",
  "local-network",
  "gateway",
  "vpn-gateway-address",
  "vpn-client-network",
  "vpn-client-address",
]);

/**
 * Returns whether values could match in any meaning that they may have: what they mean in labels, wildcards, text whose case does not
 * matter, and networks. Only text that equals the record's is certain.
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
