import { BlockList, isIPv4 } from "node:net";
import * as fc from "fast-check";
import { agentsMatching, compileLabel, factsOf, type LabeledAgent, type LabelRule, unknownKeys } from "../../api/label-match";
import { filterKeys } from "../../api/schemas";
import { example } from "../emulator/support";
import { amount, seed } from "../support/amount";

const home: LabeledAgent = {
  id: "861b7557-cd57-4bbb-b648-00bddf88ef49",
  platform: "mac",
  agentType: "endpoint",
  computerName: "LON-Mac-7",
  publicIP: "203.0.113.9",
  asnDetails: { asNumber: 64_500 },
  clients: [{ userProfile: { userName: "Ana.Silva" } }, { userProfile: { userName: "guest" } }],
  vpnProfiles: [
    { vpnType: "cisco-anyconnect", vpnGatewayAddress: "192.0.2.10", vpnClientAddresses: ["172.16.10.7", "2001:db8:9::7"] },
  ],
  networkInterfaceProfiles: [
    { hardwareType: "loopback", addressProfiles: [{ ipAddress: "127.0.0.1" }, { ipAddress: "::1" }] },
    {
      hardwareType: "wireless",
      addressProfiles: [{ ipAddress: "192.168.1.20", gateway: "192.168.1.1" }, { ipAddress: "fe80::1%en0" }],
      wirelessProfile: { ssid: "Home", bssid: "02:00:5E:10:00:01" },
    },
    { hardwareType: "ethernet", addressProfiles: [] },
  ],
};
const office: LabeledAgent = {
  id: "aaaa7557-cd57-4bbb-b648-00bddf88ef49",
  platform: "windows",
  publicIP: "2001:db8::5",
  networkInterfaceProfiles: [
    {
      hardwareType: "ethernet",
      addressProfiles: [{ ipAddress: "10.10.3.4" }, { ipAddress: "2001:DB8:0:0::22", gateway: "2001:db8::1" }],
    },
  ],
};
const bare: LabeledAgent = {};

const one = (key: string, values: readonly string[], mode?: string): LabelRule => ({
  matchType: "and",
  filters: [{ key, values, mode }],
});
const isOn = (label: LabelRule, agent: LabeledAgent) => compileLabel(label)(factsOf(agent));

/** Key, values, whether they match `home`, and whether they match `office`. */
const cases: [string, string[], boolean, boolean][] = [
  ["agent-id", ["861b7557-cd57-4bbb-b648-00bddf88ef49"], true, false],
  ["agent-id", ["861b*"], false, false],
  ["public-network", ["203.0.113.0/24"], true, false],
  ["public-network", ["203.0.113.9"], true, false],
  ["public-network", ["203.0.113.8/31", "2001:db8::/32"], true, true],
  ["public-network", ["0.0.0.0/0"], true, false],
  ["public-network", ["::/0"], false, true],
  ["public-network", ["203.0.113.9/33", "203.0.113", "nonsense", ""], false, false],
  ["public-network", ["203.0.113.200/24"], true, false],
  ["public-network", ["::ffff:203.0.113.0/120"], true, false],
  ["local-network", ["192.168.0.0/16"], true, false],
  ["local-network", ["10.0.0.0/8"], false, true],
  ["local-network", ["2001:db8::/64"], false, true],
  ["local-network", ["fe80::/10"], true, false],
  ["local-network", ["172.16.0.0/12"], false, false],
  ["connection", ["Wireless"], true, false],
  // The wired interface of `home` has no address.
  ["connection", ["Ethernet"], false, true],
  ["connection", ["ethernet"], false, false],
  ["gateway", ["192.168.1.1"], true, false],
  ["gateway", ["2001:0db8:0::1"], false, true],
  ["gateway", ["192.168.1.0/24"], false, false],
  ["platform", ["Mac"], true, false],
  ["platform", ["mac", "Windows"], true, true],
  ["platform", ["Mac*"], false, false],
  ["agent-type", ["endpoint"], true, false],
  ["agent-type", ["endpoint-csc"], false, false],
  ["vpn-vendor", ["cisco-anyconnect"], true, false],
  ["vpn-gateway-address", ["192.0.2.10"], true, false],
  ["vpn-client-network", ["172.16.0.0/12"], true, false],
  ["vpn-client-network", ["2001:db8:9::/48"], true, false],
  ["vpn-client-network", ["192.168.0.0/16"], false, false],
  ["vpn-client-address", ["172.16.10.7"], true, false],
  ["vpn-client-address", ["2001:db8:9:0::7"], true, false],
  ["ip-address-family", ["ipv4"], true, true],
  // ::1 and fe80::… are on every machine.
  ["ip-address-family", ["ipv6"], false, true],
  ["ssid", ["Home"], true, false],
  ["ssid", ["home"], false, false],
  ["ssid", ["H?m*"], true, false],
  ["bssid", ["02:00:5e:10:00:01"], true, false],
  ["hostname", ["lon-*"], true, false],
  ["hostname", ["on-*"], false, false],
  ["username", ["ANA.?ilva"], true, false],
  ["username", ["guest"], true, false],
  ["username", ["*"], true, false],
  ["asn", ["64500"], true, false],
  ["asn", ["6450*"], false, false],
];

test.each(cases)(
  "a filter on %s with %j matches the home agent = %s, and the office agent = %s",
  (key, values, onHome, onOffice) => {
    expect([isOn(one(key, values), home), isOn(one(key, values), office)]).toEqual([onHome, onOffice]);
    expect([isOn(one(key, values, "not-in"), home), isOn(one(key, values, "not-in"), office)]).toEqual([!onHome, !onOffice]);
  },
);

test("every filter key has a test case with a matching agent", () => {
  const found = cases.filter(([, , onHome, onOffice]) => onHome || onOffice).map(([key]) => key);
  expect(new Set(found)).toEqual(new Set(filterKeys));
});

test("an agent without an attribute matches only not-in filters on that attribute", () => {
  for (const key of filterKeys) {
    expect([key, isOn(one(key, ["*", "0.0.0.0/0", "::/0"]), bare)]).toEqual([key, false]);
    expect([key, isOn(one(key, ["*"], "not-in"), bare)]).toEqual([key, true]);
  }
});

test("a label without filters selects no agents", () => {
  for (const matchType of ["and", "or"]) {
    expect(agentsMatching({ matchType, filters: [] }, [home, bare])).toEqual([]);
    expect(agentsMatching({ matchType }, [home, bare])).toEqual([]);
  }
  expect(agentsMatching(one("ssid", []), [home, bare])).toEqual([]);
  expect(agentsMatching(one("ssid", [], "not-in"), [home, bare])).toEqual([home, bare]);
});

test("a label with an unknown filter key selects no agents", () => {
  for (const mode of ["in", "not-in"]) expect(agentsMatching(one("shoe-size", ["42"], mode), [home])).toEqual([]);
  expect(unknownKeys(one("shoe-size", ["42"]))).toEqual(["shoe-size"]);
  expect(unknownKeys(one("constructor", []))).toEqual(["constructor"]);
  expect(unknownKeys(one("ssid", ["x"]))).toEqual([]);
});

test("a label matches an agent from the documented response", () => {
  const record = example("agents.get.response");
  expect(isOn(one("hostname", ["deskjet-*"]), record)).toBe(true);
  expect(isOn(one("vpn-client-network", ["10.100.0.0/22"]), record)).toBe(true);
  expect(isOn(one("asn", ["5089"]), record)).toBe(true);
});

describe("properties of label filters", () => {
  const agent = fc.constantFrom(home, office, bare);
  const values = fc.constantFrom(...cases.map(([, given]) => given));
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

  test("a pattern matches whole values, with * for any text and ? for one character", () => {
    const pattern = fc.array(fc.oneof(characters, fc.constantFrom("*", "?", "[", "\\")), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(pattern, fc.array(characters, { minLength: 1, maxLength: 8 }), (given, text) => {
        const who = { networkInterfaceProfiles: [{ wirelessProfile: { ssid: text.join("") } }] };
        expect(isOn(one("ssid", [given.join("")]), who)).toBe(fits(given, text));
      }),
      { numRuns: amount(200, 2000), seed: seed(1) },
    );
  });

  test("the client matches a pattern with many stars quickly", () => {
    const who = { computerName: "a".repeat(5000) };
    const started = performance.now();
    expect(isOn(one("hostname", [`${"a*".repeat(50)}b`]), who)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("filters on hostname and username ignore case, but filters on ssid do not", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), (text) => {
        const who: LabeledAgent = {
          computerName: text.toUpperCase(),
          clients: [{ userProfile: { userName: text.toUpperCase() } }],
          networkInterfaceProfiles: [{ wirelessProfile: { ssid: text.toUpperCase() } }],
        };
        const found = ["hostname", "username", "ssid"].map((key) => isOn(one(key, [text]), who));
        expect(found).toEqual([true, true, false]);
      }),
    );
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
        expect(isOn(one("public-network", [`${base}/${prefix}`]), { publicIP: address })).toBe(inside);
      }),
      { numRuns: amount(300, 3000), seed: seed(1) },
    );
  });

  test("a filter matches an IPv6 address in any spelling", () => {
    fc.assert(
      fc.property(v6, v6, (a, b) => {
        const same = new URL(`http://[${a}]`).hostname === new URL(`http://[${b}]`).hostname;
        expect(isOn(one("public-network", [a]), { publicIP: b })).toBe(same);
        expect(isOn(one("vpn-gateway-address", [a]), { vpnProfiles: [{ vpnGatewayAddress: b }] })).toBe(same);
        expect(isOn(one("public-network", [new URL(`http://[${a}]`).hostname.slice(1, -1)]), { publicIP: a })).toBe(true);
      }),
    );
  });
});
