/** Input values that no schema describes: syntax of values, and properties that depend on each other. */
import fc from "fast-check";
import { tagFilterKeys } from "../../api/schemas";

type Values = Record<string, unknown>;

/**
 * An arbitrary that is created when first used, because tables of graphemes and domains take longer than most suites that
 * import this file.
 */
class Lazy<T> extends fc.Arbitrary<T> {
  #made: fc.Arbitrary<T> | undefined;

  constructor(private readonly make: () => fc.Arbitrary<T>) {
    super();
  }

  get #arbitrary(): fc.Arbitrary<T> {
    return (this.#made ??= this.make());
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return this.#arbitrary.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#arbitrary.shrink(value, context);
  }
}

/** Returns valid names: any non-empty text. */
export const text = (maxLength: number): fc.Arbitrary<string> =>
  new Lazy(() => fc.string({ minLength: 1, maxLength, unit: "grapheme" }).filter((s) => s.length <= maxLength));

const octet = fc.nat(255).map(String);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join("."));
const ipv6 = new Lazy(() => fc.ipV6());
const address = fc.oneof(ipv4, ipv6);
const network = fc.oneof(
  address,
  fc.tuple(ipv4, fc.nat(32)).map((parts) => parts.join("/")),
  fc.tuple(ipv6, fc.nat(128)).map((parts) => parts.join("/")),
);
const pattern = text(20);
const filterValues: Record<string, fc.Arbitrary<string>> = {
  "agent-id": fc.uuid(),
  "public-network": network,
  "local-network": network,
  connection: fc.constantFrom("Ethernet", "Wireless"),
  gateway: address,
  platform: fc.constantFrom("Mac", "Windows", "Linux", "windows"),
  "agent-type": fc.constantFrom("endpoint", "endpoint-pulse", "endpoint-csc"),
  "vpn-vendor": fc.constantFrom("cisco-anyconnect", "f5-big-ip"),
  "vpn-gateway-address": address,
  "vpn-client-network": network,
  "vpn-client-address": address,
  "ip-address-family": fc.constantFrom("ipv4", "ipv6"),
  ssid: pattern,
  bssid: fc.constantFrom("00:1b:44:11:3a:b7", "aa:bb:cc:dd:ee:ff"),
  hostname: pattern,
  username: pattern,
  asn: fc.nat().map(String),
};
/** A filter of a label. */
export const labelFilter = fc.constantFrom(...Object.keys(filterValues)).chain((key) =>
  fc.record({
    key: fc.constant(key),
    mode: fc.constantFrom("in", "not-in", undefined),
    values: fc.array(filterValues[key] ?? pattern, { minLength: 1, maxLength: 4 }),
  }),
);

/** A filter of a tag: by an attribute of agents, or by metadata with any key. */
export const tagFilter = fc
  .record({
    filter: fc.oneof(
      fc.record({ key: fc.constantFrom(...tagFilterKeys), scope: fc.constantFrom("default", undefined) }),
      fc.record({ key: text(20), scope: fc.constant("custom") }),
    ),
    mode: fc.constantFrom("in", "not-in", undefined),
    values: fc.array(text(20), { minLength: 1, maxLength: 4 }),
  })
  .map(({ filter, ...rest }) => ({ ...filter, ...rest }));

const noAgents = { agents: undefined, endpointAgentLabels: undefined, tagIds: undefined };

/** Returns the agent selection of a test: a selector and its list. `labels` are ids of existing labels. */
export const selection = (labels: readonly string[]): fc.Arbitrary<Values> =>
  fc
    .oneof<fc.Arbitrary<Values>[]>(
      fc.constant({ agentSelectorType: undefined }),
      fc.constant({ agentSelectorType: "all-agents" }),
      fc.record({
        agentSelectorType: fc.constant("specific-agents"),
        agents: fc.array(fc.uuid(), { minLength: 1, maxLength: 4 }),
      }),
      fc.record({ agentSelectorType: fc.constant("agent-tags"), tagIds: fc.array(fc.uuid(), { minLength: 1, maxLength: 4 }) }),
      fc.record({
        agentSelectorType: fc.constant("agent-labels"),
        endpointAgentLabels: fc.subarray([...labels], { minLength: 1 }),
      }),
    )
    .map((selectedBy) => ({ ...noAgents, ...selectedBy }));

const domain = new Lazy(() => fc.domain());
export const host = fc.oneof(
  domain,
  domain.map((d) => d.toUpperCase()),
  ipv4,
);
const path = fc.constantFrom("", "/", "/health", "/a/b?c=d&e=%20f", "/Ünïcode");
export const url = fc
  .tuple(fc.constantFrom("https://", "http://", "HTTPS://", ""), host, fc.constantFrom("", ":443", ":80", ":8443"), path)
  .map((parts) => parts.join(""));
export const authentication: fc.Arbitrary<Values> = fc.oneof(
  fc.constant({ authType: undefined, username: undefined, password: undefined }),
  fc.record({
    authType: fc.constantFrom("basic", "ntlm"),
    username: text(20),
    password: fc.option(text(20), { nil: undefined }),
  }),
);

/** Returns properties of several parts. Later parts override earlier ones. */
export function merged(...parts: fc.Arbitrary<Values>[]): fc.Arbitrary<Values> {
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as Values);
}
