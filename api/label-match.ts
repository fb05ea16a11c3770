/** Decides which agents a label matches. The review command and the emulator use this module. */
import { type AgentFacts, type FactKey, factsOf, type LabeledAgent } from "./label-match/agent-facts";
import { addressKey, contains, ipRange } from "./label-match/ip-range";
import { type FilterKey, filterKeys } from "./schemas";

export { type AgentFacts, factsOf, type LabeledAgent, reportedOf, type ReportedFacts } from "./label-match/agent-facts";

/** The properties of a label that decide which agents match. The service returns `filters` only for read requests with `expand=filters`. */
export interface LabelRule {
  /** With `and`, every filter must match. Without `and`, one matching filter is enough. */
  readonly matchType?: string;
  readonly filters?: readonly { readonly key: string; readonly mode?: string; readonly values: readonly string[] }[];
}

/** A compiled label: a function that returns whether the label matches an agent. */
export type LabelTest = (facts: AgentFacts) => boolean;

/**
 * Compiles a label into a function that returns whether the label matches an agent.
 *
 * A filter with mode `in` matches if the filter lists any of the agent's values. A filter with mode `not-in` also matches
 * agents without the attribute. A label without filters matches no agent. A filter with an unknown key matches no agent in
 * either mode.
 *
 * @example
 * const isOn = compileLabel(label); const count = agents.filter((agent) => isOn(factsOf(agent))).length;
 */
export function compileLabel(label: LabelRule): LabelTest {
  return compileAttributes(attributesOfLabel(label));
}

/** The filters of a label or tag. A filter without a known key matches no agent. */
export interface AttributeRule {
  readonly matchType: string | undefined;
  readonly filters: readonly AttributeFilter[];
}

export interface AttributeFilter {
  readonly key: FactKey | undefined;
  readonly mode?: string | undefined;
  readonly values: readonly string[];
}

/** Returns the filters of a label, without filter keys that are unknown to this package. */
export function attributesOfLabel({ matchType, filters = [] }: LabelRule): AttributeRule {
  return { matchType, filters: filters.map((filter) => ({ ...filter, key: isKnown(filter.key) ? filter.key : undefined })) };
}

/**
 * Compiles filters into a function that returns whether the filters match an agent. An empty list of filters matches no agent.
 */
export function compileAttributes({ matchType, filters }: AttributeRule): LabelTest {
  const tests = filters.map(({ key, mode, values }): LabelTest => {
    if (key === undefined) return () => false;
    const fits = comparisonOf(key)(values);
    return mode === "not-in" ? (facts) => !facts[key].some(fits) : (facts) => facts[key].some(fits);
  });
  if (tests.length === 0) return () => false;
  return matchType === "and" ? (facts) => tests.every((holds) => holds(facts)) : (facts) => tests.some((holds) => holds(facts));
}

export function agentsMatching<A extends LabeledAgent>(label: LabelRule, agents: readonly A[]): A[] {
  const isOn = compileLabel(label);
  return agents.filter((agent) => isOn(factsOf(agent)));
}

/** Returns a label's filter keys that are unknown to this package version. */
export function unknownKeys({ filters = [] }: LabelRule): string[] {
  return filters.map(({ key }) => key).filter((key) => !isKnown(key));
}

const isKnown = (key: string): key is FilterKey => (filterKeys as readonly string[]).includes(key);

/** Compiles a filter's values into a function that checks whether an agent's value matches any of the values. */
export type ValueComparison = (values: readonly string[]) => (fact: string) => boolean;

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
 * Comparisons by filter key (docs/service/labels.md, Filters). If `comparisons` does not contain a filter's key, the filter compares whole
 * strings. This package assumes that `platform`, `bssid`, `hostname` and `username` are case-insensitive.
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
  // For accounts with thousands of labels, searching for the substrings between `*` is much faster than general pattern matching.
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
 * Whether a pattern matches a complete string: `*` matches any characters, `?` matches one character. The function does not use regular
 * expressions, because they could take exponential time.
 */
function fitsPattern(pattern: readonly string[], text: string): boolean {
  // `?` must match a whole character, so strings with surrogate pairs are compared by code points.
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
      // On a mismatch, the last `*` before the mismatch matches one more character.
      retry += 1;
      at = star + 1;
      from = retry;
    } else return false;
  }
  return pattern.slice(at).every((character) => character === "*");
}
