/**
 * Compares the agents of tags with an independent count from the documented facts. Text that equals an agent's value matches.
 * Text that no documented or likely reading equates with the value does not match. The count ignores undetermined cases, such
 * as agent metadata.
 */
import { BlockList, isIP } from "node:net";
import { agentsMatching, compileAttributes, factsOf, reportedOf } from "../../api/label-match";
import { type AgentRecord, tagFilterKeys } from "../../api/schemas";
import { attributesOfTag, compileTag, type TagRule } from "../../api/tag-match";
import { makeAgent } from "../../emulator/fleet/make";
import { Random } from "../../emulator/fleet/random";
import { seed } from "../support/amount";

type Answer = "matches" | "does not" | "cannot tell";

const groups = [{ aid: "1001", accountGroupName: "All" }];
/** Agents as the service reports them, with all parts expanded. */
const agents = Array.from({ length: 300 }, (_, at) => {
  const { id, body } = makeAgent(at + 1, groups, Date.UTC(2026, 0, 1));
  return { id, ...body } as unknown as AgentRecord;
});

/** Returns the texts of an agent's record for a key, or undefined for a key that records do not have. */
function textsOf(agent: AgentRecord, key: string): string[] | undefined {
  const interfaces = agent.networkInterfaceProfiles ?? [];
  const addresses = interfaces.flatMap(({ addressProfiles = [] }) => addressProfiles);
  const vpns = agent.vpnProfiles ?? [];
  const wired = interfaces.filter(({ addressProfiles = [] }) => addressProfiles.length > 0);
  const ips = addresses.flatMap(({ ipAddress = [] }) => ipAddress);
  const known: Record<string, (string | undefined)[]> = {
    "agent-id": [agent.id],
    "serial-number": [agent.serialNumber],
    "public-network": [agent.publicIP],
    "local-network": ips,
    connection: wired.map(({ hardwareType }) => ({ ethernet: "Ethernet", wireless: "Wireless" })[hardwareType ?? ""]),
    gateway: addresses.map(({ gateway }) => gateway),
    platform: [agent.platform],
    "nic-model": [agent.nicModel],
    "nic-driver-version": [agent.nicDriverVersion],
    "agent-type": [agent.agentType],
    "vpn-vendor": vpns.map(({ vpnType }) => vpnType),
    "vpn-gateway-address": vpns.map(({ vpnGatewayAddress }) => vpnGatewayAddress),
    "vpn-client-network": vpns.flatMap(({ vpnClientAddresses = [] }) => vpnClientAddresses),
    "vpn-client-address": vpns.flatMap(({ vpnClientAddresses = [] }) => vpnClientAddresses),
    "ip-address-family": ips
      .filter((ip) => !/^(127\.|169\.254\.|fe80:|::1$)/i.test(ip))
      .map((ip) => (isIP(ip) === 4 ? "ipv4" : "ipv6")),
    ssid: interfaces.map(({ wirelessProfile }) => wirelessProfile?.ssid),
    bssid: interfaces.map(({ wirelessProfile }) => wirelessProfile?.bssid),
    hostname: [agent.computerName],
    username: (agent.clients ?? []).map(({ userProfile }) => userProfile?.userName),
    asn: [agent.asnDetails?.asNumber?.toString()],
  };
  return known[key]?.filter((text): text is string => text !== undefined && text !== "");
}

/**
 * Whether some reading of a value could equate it with a text: without case, with wildcards, as a network, or in another
 * spelling of an address.
 */
function mayMean(key: string, value: string, text: string): boolean {
  const source = value
    .replace(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]");
  if (new RegExp(`^${source}$`, "iu").test(text)) return true;
  // A driver version may look like an address.
  if (!/network|address$|gateway/.test(key)) return false;
  const family = isIP(text);
  const [network = "", bits = isIP(network) === 4 ? "32" : "128"] = value.split("/");
  if (family === 0 || isIP(network) !== family || !/^\d+$/.test(bits)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 4 ? "ipv4" : "ipv6");
  return list.check(text, family === 4 ? "ipv4" : "ipv6");
}

function answerOf({ key, mode, scope, values }: NonNullable<TagRule["filters"]>[number], agent: AgentRecord): Answer {
  const texts = scope === "custom" ? undefined : textsOf(agent, key);
  if (!texts) return "cannot tell";
  // It is unknown whether not-in matches an agent without the attribute.
  if (mode === "not-in" && texts.length === 0) return "cannot tell";
  const is = values.some((value) => texts.includes(value));
  const isNot = !values.some((value) => texts.some((text) => mayMean(key, value, text)));
  if (!is && !isNot) return "cannot tell";
  return is === (mode !== "not-in") ? "matches" : "does not";
}

function expectedOf({ matchType, filters = [] }: TagRule, agent: AgentRecord): Answer {
  const answers = new Set(filters.map((filter) => answerOf(filter, agent)));
  const has = (answer: Answer): boolean => answers.has(answer);
  if (matchType === "and") return has("does not") ? "does not" : has("cannot tell") ? "cannot tell" : "matches";
  return has("matches") ? "matches" : has("cannot tell") ? "cannot tell" : "does not";
}

const random = new Random(seed(20_261));
const pick = <T>(all: readonly T[]): T => all[random.between(0, all.length - 1)] as T;

/** Returns a value that some agents have, may have by some reading, or do not have. */
function valueFor(key: string): string {
  const texts = agents.flatMap((agent) => textsOf(agent, key) ?? []);
  const text = texts.length > 0 ? pick(texts) : "nothing";
  return random.weighted<() => string>([
    [4, () => text],
    [1, () => text.toUpperCase()],
    [1, () => `${text.slice(0, 4)}*`],
    [1, () => `${text.slice(0, -1)}?`],
    [1, () => (isIP(text) === 4 ? `${text}/${random.between(8, 31)}` : `${text}*`)],
    [1, () => (isIP(text) === 4 ? text.replace(/\d+$/, "0/24") : "Windows")],
    [1, () => "none-such"],
  ])();
}

function randomTag(): TagRule {
  return {
    matchType: pick(["and", "or"]),
    filters: Array.from({ length: random.between(1, 3) }, () => {
      const isCustom = random.chance(0.1);
      const key = isCustom ? "team" : pick(tagFilterKeys);
      return {
        key,
        scope: isCustom ? "custom" : pick(["default", undefined]),
        mode: pick(["in", "in", "not-in", undefined]),
        values: Array.from({ length: random.between(1, 3) }, () => valueFor(key)),
      };
    }),
  };
}

const tags = Array.from({ length: 200 }, randomTag);
const words = (member: boolean | undefined): Answer => (member === undefined ? "cannot tell" : member ? "matches" : "does not");
const known = agents.map((agent) => ({ facts: factsOf(agent), reported: reportedOf(agent) }));

test("200 random tags match the same agents in the client and in an independent implementation", () => {
  const seen = new Map<Answer, number>();
  for (const tag of tags) {
    const test = compileTag(tag);
    const verdicts = known.map((agent) => words(test(agent)));
    const wrong = agents.flatMap((agent, at) =>
      verdicts[at] === expectedOf(tag, agent) ? [] : [{ tag, agent: agent.id, answer: verdicts[at] }],
    );
    expect(wrong).toEqual([]);
    for (const answer of verdicts) seen.set(answer, (seen.get(answer) ?? 0) + 1);
  }
  // Each result must occur often, or the count proves nothing.
  for (const answer of ["matches", "does not", "cannot tell"] as const) expect(seen.get(answer)).toBeGreaterThan(5_000);
});

test("the emulator and the client agree on each tag match that the client can determine", () => {
  const decided = tags.filter(
    ({ filters = [] }) => !filters.some(({ key, scope }) => scope === "custom" || /^(location|.*-target)$/.test(key)),
  );
  const contradicted = decided.flatMap((tag) => {
    const [isOn, test] = [compileAttributes(attributesOfTag(tag)), compileTag(tag)];
    return known.filter((agent) => (test(agent) ?? isOn(agent.facts)) !== isOn(agent.facts)).map(() => tag);
  });
  expect(contradicted).toEqual([]);
  expect(decided.length).toBeGreaterThan(50);
});

test("an exact value selects the same agents in a tag as in a label", () => {
  const [first] = agents;
  const filters = [{ key: "hostname", values: [first?.computerName ?? ""] }];
  const test = compileTag({ matchType: "and", filters });
  const matching = agents.filter((_, at) => test(known[at] ?? { facts: factsOf({}), reported: reportedOf({}) }) === true);
  expect(matching).toEqual(agentsMatching({ matchType: "and", filters }, agents));
  expect(matching).toContain(first);
});

test("the client cannot determine which agents a tag without filters matches", () => {
  expect(known.map(compileTag({ matchType: "and", filters: [] }))).toEqual(known.map(() => undefined));
});
