import { readFileSync } from "node:fs";
import { BlockList, isIPv4 } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { agentsMatching, compileLabel, factsOf, type LabeledAgent, type LabelRule, unknownKeys } from "../../api/label-match";
import { filterKeys } from "../../api/schemas";
import { example } from "../emulator/support";
import { amount, seed } from "../support/amount";

/** test/invariants/label-match-table.test.ts checks the rows of the fixture. */
const { agents, rows } = JSON.parse(readFileSync(join(__dirname, "../fixtures/label-match.json"), "utf8")) as {
  agents: Record<string, LabeledAgent>;
  rows: { label: Required<LabelRule> }[];
};
const bare: LabeledAgent = {};

const rule = (key: string, values: readonly string[], mode?: string): LabelRule => ({
  matchType: "and",
  filters: [{ key, values, mode }],
});
const isOn = (label: LabelRule, agent: LabeledAgent) => compileLabel(label)(factsOf(agent));

test("label filters ignore IPv6 zones and the address family of loopback and link-local addresses", () => {
  const everywhere = ["::1", "fe80::1%en0", "127.0.0.1"].map((ipAddress) => ({ ipAddress }));
  const who = { networkInterfaceProfiles: [{ addressProfiles: everywhere }] };
  expect(["fe80::/10", "fe81::/16"].map((network) => isOn(rule("local-network", [network]), who))).toEqual([true, false]);
  expect(isOn(rule("ip-address-family", ["ipv4", "ipv6"]), who)).toBe(false);
});

test("an agent without an attribute matches only not-in filters on that attribute", () => {
  for (const key of filterKeys) {
    expect([key, isOn(rule(key, ["*", "0.0.0.0/0", "::/0"]), bare)]).toEqual([key, false]);
    expect([key, isOn(rule(key, ["*"], "not-in"), bare)]).toEqual([key, true]);
  }
});

test("a label without filters selects no agents", () => {
  for (const matchType of ["and", "or"]) expect(agentsMatching({ matchType }, Object.values(agents))).toEqual([]);
});

test('the filter key "constructor" is unknown although every object inherits a member with that name', () => {
  expect(unknownKeys(rule("shoe-size", ["42"]))).toEqual(["shoe-size"]);
  expect(unknownKeys(rule("constructor", []))).toEqual(["constructor"]);
  expect(unknownKeys(rule("ssid", ["x"]))).toEqual([]);
});

test("labels match the agent in the API document's example response", () => {
  const record = example("agents.get.response");
  expect(isOn(rule("hostname", ["deskjet-*"]), record)).toBe(true);
  expect(isOn(rule("vpn-client-network", ["10.100.0.0/22"]), record)).toBe(true);
  expect(isOn(rule("asn", ["5089"]), record)).toBe(true);
});

describe("properties of label filters", () => {
  const agent = fc.constantFrom(...Object.values(agents));
  const values = fc.constantFrom(...rows.flatMap(({ label }) => label.filters.map((filter) => filter.values)));
  const filter = fc.record({
    key: fc.constantFrom<string>(...filterKeys),
    mode: fc.constantFrom("in", "not-in"),
    values: fc.oneof(values, fc.array(fc.string(), { maxLength: 3 })),
  });
  const other = { in: "not-in", "not-in": "in" } as const;

  test("a label's matchType decides whether agents must match all filters or any filter", () => {
    fc.assert(
      fc.property(agent, fc.array(filter, { minLength: 1, maxLength: 4 }), (who, filters) => {
        const each = filters.map((single) => isOn({ matchType: "and", filters: [single] }, who));
        const negated = filters.map((single) => ({ ...single, mode: single.mode === "in" ? other.in : other["not-in"] }));
        expect(isOn({ matchType: "and", filters }, who)).toBe(each.every(Boolean));
        expect(isOn({ matchType: "or", filters }, who)).toBe(each.some(Boolean));
        expect(isOn({ matchType: "or", filters: negated }, who)).toBe(!each.every(Boolean));
        expect(isOn({ matchType: "and", filters: negated }, who)).toBe(!each.some(Boolean));
      }),
    );
  });

  /** A pattern's meaning, in its simplest form. */
  const fits = (pattern: readonly string[], text: readonly string[]): boolean => {
    const [first, ...rest] = pattern;
    if (first === undefined) return text.length === 0;
    if (first === "*") return fits(rest, text) || (text.length > 0 && fits(pattern, text.slice(1)));
    return text.length > 0 && (first === "?" || first === text[0]) && fits(rest, text.slice(1));
  };
  const characters = fc.constantFrom("a", "b", ".", "é", "🐝");

  test("a filter pattern with the wildcards * and ? matches only whole values", () => {
    const pattern = fc.array(fc.oneof(characters, fc.constantFrom("*", "?", "[", "\\")), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(pattern, fc.array(characters, { minLength: 1, maxLength: 8 }), (pieces, text) => {
        const who = { networkInterfaceProfiles: [{ wirelessProfile: { ssid: text.join("") } }] };
        expect(isOn(rule("ssid", [pieces.join("")]), who)).toBe(fits(pieces, text));
      }),
      { numRuns: amount(200, 2000), seed: seed(1) },
    );
  });

  test("the client quickly matches a pattern with many stars", () => {
    const who = { computerName: "a".repeat(5000) };
    const started = performance.now();
    expect(isOn(rule("hostname", [`${"a*".repeat(50)}b`]), who)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  const near = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
  const v4 = fc.oneof(
    fc.ipV4(),
    near(8).map((last) => `10.0.0.${last}`),
  );
  const v6 = fc.oneof(
    fc.ipV6().filter((text) => !/ffff:\d/i.test(text)),
    near(16).map((last) => `2001:db8::${last.toString(16)}`),
  );
  const familyOf = (text: string) => (isIPv4(text) ? "ipv4" : "ipv6");

  test("a network filter matches the same addresses as the class BlockList of node:net", () => {
    fc.assert(
      fc.property(fc.oneof(v4, v6), fc.oneof(v4, v6), fc.nat(128), (address, base, bits) => {
        const prefix = isIPv4(base) ? bits % 33 : bits;
        const list = new BlockList();
        list.addSubnet(base, prefix, familyOf(base));
        const inside = familyOf(address) === familyOf(base) && list.check(address, familyOf(address));
        expect(isOn(rule("public-network", [`${base}/${prefix}`]), { publicIP: address })).toBe(inside);
      }),
      { numRuns: amount(300, 3000), seed: seed(1) },
    );
  });

  test("a filter matches an IPv6 address in any notation", () => {
    fc.assert(
      fc.property(v6, v6, (a, b) => {
        const same = new URL(`http://[${a}]`).hostname === new URL(`http://[${b}]`).hostname;
        expect(isOn(rule("public-network", [a]), { publicIP: b })).toBe(same);
        const vpnProfiles = [{ vpnGatewayAddress: b, vpnClientAddresses: [b] }];
        for (const key of ["vpn-gateway-address", "vpn-client-address"])
          expect(isOn(rule(key, [a]), { vpnProfiles })).toBe(same);
        expect(isOn(rule("public-network", [new URL(`http://[${a}]`).hostname.slice(1, -1)]), { publicIP: a })).toBe(true);
      }),
    );
  });
});
