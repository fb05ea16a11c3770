import { addressKey, contains, ipRange } from "./ip-range";
import type { FilterKey, TagFilterKey } from "../schemas";

/**
 * The agent properties that label and tag filters compare. The service returns `clients`, `vpnProfiles` and
 * `networkInterfaceProfiles` only if `expand` in the request contains these names. A missing list counts as an empty list.
 */
export interface LabeledAgent {
  readonly id?: string;
  readonly platform?: string;
  readonly agentType?: string;
  readonly computerName?: string;
  readonly publicIP?: string;
  readonly serialNumber?: string;
  readonly nicModel?: string;
  readonly nicDriverVersion?: string;
  readonly asnDetails?: { readonly asNumber?: number };
  readonly clients?: readonly { readonly userProfile?: { readonly userName?: string } }[];
  readonly vpnProfiles?: readonly {
    readonly vpnType?: string;
    readonly vpnGatewayAddress?: string;
    readonly vpnClientAddresses?: readonly string[];
  }[];
  readonly networkInterfaceProfiles?: readonly {
    readonly hardwareType?: string;
    readonly addressProfiles?: readonly { readonly ipAddress?: string; readonly gateway?: string }[];
    readonly wirelessProfile?: { readonly ssid?: string; readonly bssid?: string };
  }[];
}

export type FactKey = FilterKey | Extract<TagFilterKey, "serial-number" | "nic-model" | "nic-driver-version">;

/** An agent's values by filter key, spelled as in the agent's record and without duplicates. */
export type ReportedFacts = Readonly<Record<FactKey, readonly string[]>>;

/**
 * An agent's values, normalized for comparison. `addressKey` has converted IP addresses, and case-insensitive text is in lower
 * case.
 */
export type AgentFacts = ReportedFacts;

/** Values of the `connection` filter by type of network hardware. */
const connections: Record<string, string | undefined> = { ethernet: "Ethernet", wireless: "Wireless" };

/**
 * Loopback and link-local ranges. The attribute `ip-address-family` ignores loopback and link-local addresses, because every
 * machine has such addresses.
 */
const everywhere = ["127.0.0.0/8", "169.254.0.0/16", "::1", "fe80::/10"].flatMap((text) => ipRange(text) ?? []);

/** Returns an agent's attributes, normalized for comparison with many labels. */
export function factsOf(agent: LabeledAgent): AgentFacts {
  return normalized(reportedOf(agent));
}

export function normalized(reported: ReportedFacts): AgentFacts {
  return {
    ...reported,
    "public-network": keys(reported["public-network"]),
    "local-network": keys(reported["local-network"]),
    gateway: keys(reported.gateway),
    platform: folded(reported.platform),
    "vpn-gateway-address": keys(reported["vpn-gateway-address"]),
    "vpn-client-network": keys(reported["vpn-client-network"]),
    "vpn-client-address": keys(reported["vpn-client-address"]),
    bssid: folded(reported.bssid),
    hostname: folded(reported.hostname),
    username: folded(reported.username),
  };
}

export function reportedOf(agent: LabeledAgent): ReportedFacts {
  const interfaces = agent.networkInterfaceProfiles ?? [];
  const vpns = agent.vpnProfiles ?? [];
  const addresses = interfaces.flatMap(({ addressProfiles = [] }) => addressProfiles);
  const local = texts(addresses.map(({ ipAddress }) => ipAddress));
  const vpnAddresses = texts(vpns.flatMap(({ vpnClientAddresses = [] }) => vpnClientAddresses));
  const reachable = keys(local).filter((key) => !everywhere.some((range) => contains(range, key)));
  return {
    "agent-id": texts([agent.id]),
    "public-network": texts([agent.publicIP]),
    "local-network": local,
    // A network interface without an address is not connected.
    connection: texts(
      interfaces.flatMap(({ hardwareType = "", addressProfiles = [] }) =>
        addressProfiles.length > 0 ? [connections[hardwareType]] : [],
      ),
    ),
    gateway: texts(addresses.map(({ gateway }) => gateway)),
    platform: texts([agent.platform]),
    "agent-type": texts([agent.agentType]),
    "vpn-vendor": texts(vpns.map(({ vpnType }) => vpnType)),
    "vpn-gateway-address": texts(vpns.map(({ vpnGatewayAddress }) => vpnGatewayAddress)),
    "vpn-client-network": vpnAddresses,
    "vpn-client-address": vpnAddresses,
    "ip-address-family": texts(reachable.map((key) => (key.length === 8 ? "ipv4" : "ipv6"))),
    ssid: texts(interfaces.map(({ wirelessProfile }) => wirelessProfile?.ssid)),
    bssid: texts(interfaces.map(({ wirelessProfile }) => wirelessProfile?.bssid)),
    hostname: texts([agent.computerName]),
    username: texts((agent.clients ?? []).map(({ userProfile }) => userProfile?.userName)),
    asn: texts([agent.asnDetails?.asNumber?.toString()]),
    "serial-number": texts([agent.serialNumber]),
    "nic-model": texts([agent.nicModel]),
    "nic-driver-version": texts([agent.nicDriverVersion]),
  };
}

const none: readonly string[] = [];

function texts(values: readonly (string | undefined)[]): readonly string[] {
  const present = values.filter((value): value is string => value !== undefined && value !== "");
  if (present.length < 2) return present.length === 0 ? none : present;
  return [...new Set(present)];
}

function keys(values: readonly string[]): readonly string[] {
  return texts(values.map(addressKey));
}

function folded(values: readonly string[]): readonly string[] {
  return texts(values.map((value) => value.toLowerCase()));
}
