/** Decides which agents a label matches. Review applies it to the service's records, and the emulator to its own. */
import { type AgentFacts, type FactKey, factsOf, type LabeledAgent } from "./label-match/agent-facts";
import { addressKey, contains, ipRange } from "./label-match/ip-range";
import { type FilterKey, filterKeys } from "./schemas";

export { type AgentFacts, factsOf, type LabeledAgent, reportedOf, type ReportedFacts } from "./label-match/agent-facts";

/** The members of a label that decide which agents it matches. Only reads with `expand=filters` return `filters`. */
export interface LabelRule {
  /** `and`: every filter must match. Any other value: at least one filter must match. */
  readonly matchType?: string;
  readonly filters?: readonly { readonly key: string; readonly mode?: string; readonly values: readonly string[] }[];
}

/** A compiled label: returns whether it matches the facts of an agent. */
export type LabelTest = (facts: AgentFacts) => boolean;

/**
 * Compiles a label, so that it can be applied to many agents.
 *
 * With mode `in`, a filter matches if any value of the agent is among the filter's values. `not-in` is the opposite, so it also
 * matches agents without the attribute. A label without filters matches no agent. The service may add filter keys; a filter
 * with an unknown key matches no agent in either mode, and {@link unknownKeys} returns such keys.
 *
 * @example
 * const isOn = compileLabel(label); const count = agents.filter((agent) => isOn(factsOf(agent))).length;
 */
export function compileLabel(label: LabelRule): LabelTest {
  return compileAttributes(attributesOfLabel(label));
}

/** A label or tag with its filters by attributes in agent records. A filter without a key matches no agent. */
export interface AttributeRule {
  readonly matchType: string | undefined;
  readonly filters: readonly AttributeFilter[];
}

export interface AttributeFilter {
  readonly key: FactKey | undefined;
  readonly mode?: string | undefined;
  readonly values: readonly string[];
}

/** Returns the filters of a label. Omits the key of a filter that this version does not know. */
export function attributesOfLabel({ matchType, filters = [] }: LabelRule): AttributeRule {
  return { matchType, filters: filters.map((filter) => ({ ...filter, key: isKnown(filter.key) ? filter.key : undefined })) };
}

/** Compiles filters by attributes. Without filters, no agent matches. */
export function compileAttributes({ matchType, filters }: AttributeRule): LabelTest {
  const tests = filters.map(({ key, mode, values }): LabelTest => {
    if (key === undefined) return () => false;
    const fits = comparisonOf(key)(values);
    return mode === "not-in" ? (facts) => !facts[key].some(fits) : (facts) => facts[key].some(fits);
  });
  if (tests.length === 0) return () => false;
  return matchType === "and" ? (facts) => tests.every((holds) => holds(facts)) : (facts) => tests.some((holds) => holds(facts));
}

/** Returns the agents that a label matches, in their order. */
export function agentsMatching<A extends LabeledAgent>(label: LabelRule, agents: readonly A[]): A[] {
  const isOn = compileLabel(label);
  return agents.filter((agent) => isOn(factsOf(agent)));
}

/** Returns the keys of a label's filters that this version does not know. */
export function unknownKeys({ filters = [] }: LabelRule): string[] {
  return filters.map(({ key }) => key).filter((key) => !isKnown(key));
}

const isKnown = (key: string): key is FilterKey => (filterKeys as readonly string[]).includes(key);

/** Compiles the values of a filter into a comparison with one value of an agent. */
export type ValueComparison = (values: readonly string[]) => (fact: string) => boolean;

/** Returns the comparison of a filter's values in labels. */
export const comparisonOf = (key: FactKey): ValueComparison => comparisons[key] ?? exact;

const exact: ValueComparison = (values) => {
  const wanted = new Set(values);
  return (fact) => wanted.has(fact);
};
const folded =
  (comparison: ValueComparison): ValueComparison =>
  (values) =>
    comparison(values.map((value) => value.toLowerCase()));
const address: ValueComparison = (values) => exact(values.flatMap((value) => addressKey(value) ?? []));
export const network: ValueComparison = (values) => {
  const ranges = values.flatMap((value) => ipRange(value) ?? []);
  return (fact) => ranges.some((range) => contains(range, fact));
};
export const wildcard: ValueComparison = (values) => {
  const plain = values.filter((value) => !/[*?]/.test(value));
  const patterns = values.filter((value) => /[*?]/.test(value)).map(patternTest);
  const tests = plain.length > 0 ? [exact(plain), ...patterns] : patterns;
  return (fact) => tests.some((fits) => fits(fact));
};

/**
 * Comparisons by key (docs/service/labels.md, Filters). Other keys compare exactly. It is assumed that case does not matter.
 */
const comparisons: Partial<Record<FactKey, ValueComparison>> = {
  "public-network": network,
  "local-network": network,
  gateway: address,
  platform: folded(exact),
  "vpn-gateway-address": address,
  "vpn-client-network": network,
  "vpn-client-address": address,
  ssid: wildcard,
  bssid: folded(exact),
  hostname: folded(wildcard),
  username: folded(wildcard),
};

function patternTest(pattern: string): (text: string) => boolean {
  if (pattern.includes("?")) {
    const characters = Array.from(pattern);
    return (text) => fitsPattern(characters, text);
  }
  // The texts between the stars must occur in this order. This search is several times faster than a general comparison, which
  // matters with thousands of labels.
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop() ?? "";
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const position = text.indexOf(part, at);
      if (position < 0) return false;
      at = position + part.length;
    }
    return at + last.length <= text.length;
  };
}

/**
 * Whether a pattern matches the complete text: `*` matches any characters, `?` matches one. The time is at most proportional to
 * the product of the two lengths. A regular expression could take exponential time.
 */
function fitsPattern(pattern: readonly string[], text: string): boolean {
  // Code points are compared, so that `?` matches a whole character. In most texts, each code point is one code unit.
  const characters = /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
  let at = 0;
  let from = 0;
  let star = -1;
  let retry = 0;
  while (from < characters.length) {
    if (pattern[at] === "*") {
      star = at;
      retry = from;
      at += 1;
    } else if (pattern[at] === "?" || pattern[at] === characters[from]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      // No match: the last star takes one more character.
      retry += 1;
      at = star + 1;
      from = retry;
    } else return false;
  }
  return pattern.slice(at).every((character) => character === "*");
}
