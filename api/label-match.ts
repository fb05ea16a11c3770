/** What a label's filters mean: which agents it is on. Review uses it on records of the service, the emulator on its own. */
import { type AgentFacts, factsOf, type LabelledAgent } from "./label-match/agent-facts";
import { addressKey, contains, ipRange } from "./label-match/ip-range";
import { type FilterKey, filterKeys } from "./schemas";

export { type AgentFacts, factsOf, type LabelledAgent } from "./label-match/agent-facts";

/** The members of a label that decide about an agent. `filters` comes from reads with `expand=filters` only. */
export interface LabelRule {
  /** `and`: every filter must hold; anything else is `or`: one is enough. */
  readonly matchType?: string;
  readonly filters?: readonly { readonly key: string; readonly mode?: string; readonly values: readonly string[] }[];
}

/** A label made ready: says of an agent's facts whether the label is on it. */
export type LabelTest = (facts: AgentFacts) => boolean;

/**
 * Prepares a label, so that it can be held against many agents.
 *
 * A filter holds when any value of the agent is among the filter's values (`in`), or none is (`not-in`, the complement: it
 * holds for agents that lack the attribute, too). A label without filters is on no agent. A filter whose key is not known
 * (the set is announced as open) holds for no agent in either mode; {@link unknownKeys} tells.
 *
 * @example
 * const isOn = compileLabel(label);
 * const count = agents.filter((agent) => isOn(factsOf(agent))).length;
 */
export function compileLabel({ matchType, filters = [] }: LabelRule): LabelTest {
  const tests = filters.map(compileFilter);
  if (tests.length === 0) return () => false;
  return matchType === "and" ? (facts) => tests.every((holds) => holds(facts)) : (facts) => tests.some((holds) => holds(facts));
}

/** The agents that a label is on, in their order. */
export function agentsMatching<A extends LabelledAgent>(label: LabelRule, agents: readonly A[]): A[] {
  const isOn = compileLabel(label);
  return agents.filter((agent) => isOn(factsOf(agent)));
}

/** Keys of a label's filters that this version can't decide. */
export function unknownKeys({ filters = [] }: LabelRule): string[] {
  return filters.map(({ key }) => key).filter((key) => !isKnown(key));
}

const isKnown = (key: string): key is FilterKey => (filterKeys as readonly string[]).includes(key);

function compileFilter({ key, mode, values }: NonNullable<LabelRule["filters"]>[number]): LabelTest {
  if (!isKnown(key)) return () => false;
  const fits = (comparisons[key] ?? exact)(values);
  return mode === "not-in" ? (facts) => !facts[key].some(fits) : (facts) => facts[key].some(fits);
}

type Comparison = (values: readonly string[]) => (fact: string) => boolean;

const exact: Comparison = (values) => {
  const wanted = new Set(values);
  return (fact) => wanted.has(fact);
};
const folded =
  (comparison: Comparison): Comparison =>
  (values) =>
    comparison(values.map((value) => value.toLowerCase()));
const address: Comparison = (values) => exact(values.flatMap((value) => addressKey(value) ?? []));
const network: Comparison = (values) => {
  const ranges = values.flatMap((value) => ipRange(value) ?? []);
  return (fact) => ranges.some((range) => contains(range, fact));
};
const wildcard: Comparison = (values) => {
  const plain = exact(values.filter((value) => !/[*?]/.test(value)));
  const patterns = values.filter((value) => /[*?]/.test(value)).map((value) => Array.from(value));
  return (fact) => plain(fact) || patterns.some((pattern) => fitsPattern(pattern, fact));
};

/** How values are compared (shared/api/README.md, Labels); keys not named compare exactly. That case folds is assumed. */
const comparisons: Partial<Record<FilterKey, Comparison>> = {
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

/**
 * Whether the whole text fits: `*` any run of characters, `?` one. Time is at worst the product of both lengths, where a
 * regular expression could take for ever.
 */
function fitsPattern(pattern: readonly string[], text: string): boolean {
  // By code points, as `?` is one character and not half of one.
  const characters = Array.from(text);
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
      // The last star takes one character more.
      retry += 1;
      at = star + 1;
      from = retry;
    } else return false;
  }
  return pattern.slice(at).every((character) => character === "*");
}
