import { addressKey, contains, ipRange } from "./ip-range";
import type { FilterKey } from "../schemas";

/**
 * The members of an agent that label filters compare. Records of the service have them, but `clients`, `vpnProfiles` and
 * `networkInterfaceProfiles` only if they were expanded. An agent without them counts as having none.
 */
export interface LabelledAgent {
  readonly id?: string;
  readonly platform?: string;
  readonly agentType?: string;
  readonly computerName?: string;
  readonly publicIP?: string;
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

/** The values of an agent that filters compare, by the filter's key. Each distinct value occurs once, normalized for comparison. */
export type AgentFacts = Readonly<Record<FilterKey, readonly string[]>>;

/** Values of the `connection` filter, by type of hardware. */
const connections: Record<string, string | undefined> = { ethernet: "Ethernet", wireless: "Wireless" };

/** Addresses that every machine has. They do not count for its address family. */
const everywhere = ["127.0.0.0/8", "169.254.0.0/16", "::1", "fe80::/10"].flatMap((text) => ipRange(text) ?? []);

/** Reads an agent's attributes once, so that many labels can be matched against it. */
export function factsOf(agent: LabelledAgent): AgentFacts {
  const interfaces = agent.networkInterfaceProfiles ?? [];
  const vpns = agent.vpnProfiles ?? [];
  const addresses = interfaces.flatMap(({ addressProfiles = [] }) => addressProfiles);
  const local = keys(addresses.map(({ ipAddress }) => ipAddress));
  const vpnAddresses = keys(vpns.flatMap(({ vpnClientAddresses = [] }) => vpnClientAddresses));
  const reachable = local.filter((key) => !everywhere.some((range) => contains(range, key)));
  return {
    "agent-id": texts([agent.id]),
    "public-network": keys([agent.publicIP]),
    "local-network": local,
    // An interface without an address has no connection.
    connection: texts(
      interfaces.flatMap(({ hardwareType = "", addressProfiles = [] }) =>
        addressProfiles.length > 0 ? [connections[hardwareType]] : [],
      ),
    ),
    gateway: keys(addresses.map(({ gateway }) => gateway)),
    platform: texts([agent.platform?.toLowerCase()]),
    "agent-type": texts([agent.agentType]),
    "vpn-vendor": texts(vpns.map(({ vpnType }) => vpnType)),
    "vpn-gateway-address": keys(vpns.map(({ vpnGatewayAddress }) => vpnGatewayAddress)),
    "vpn-client-network": vpnAddresses,
    "vpn-client-address": vpnAddresses,
    "ip-address-family": texts(reachable.map((key) => (key.length === 8 ? "ipv4" : "ipv6"))),
    ssid: texts(interfaces.map(({ wirelessProfile }) => wirelessProfile?.ssid)),
    bssid: texts(interfaces.map(({ wirelessProfile }) => wirelessProfile?.bssid?.toLowerCase())),
    hostname: texts([agent.computerName?.toLowerCase()]),
    username: texts((agent.clients ?? []).map(({ userProfile }) => userProfile?.userName?.toLowerCase())),
    asn: texts([agent.asnDetails?.asNumber?.toString()]),
  };
}

const none: readonly string[] = [];

function texts(values: readonly (string | undefined)[]): readonly string[] {
  const given = values.filter((value): value is string => value !== undefined && value !== "");
  if (given.length < 2) return given.length === 0 ? none : given;
  return [...new Set(given)];
}

function keys(values: readonly (string | undefined)[]): readonly string[] {
  return texts(values.map((value) => (value === undefined ? undefined : addressKey(value))));
}
