import { z } from "zod";

/** Agent attributes that a label filter looks at. Announced as open to change (shared/api/README.md, Labels). */
export const filterKeys = [
  "agent-id",
  "public-network",
  "local-network",
  "connection",
  "gateway",
  "platform",
  "agent-type",
  "vpn-vendor",
  "vpn-gateway-address",
  "vpn-client-network",
  "vpn-client-address",
  "ip-address-family",
  "ssid",
  "bssid",
  "hostname",
  "username",
  "asn",
] as const;
export const filterKey = z.enum(filterKeys);
export type FilterKey = z.output<typeof filterKey>;

/** `in`: the attribute is among the values; `not-in`: it is not. */
export const filterMode = z.enum(["in", "not-in"]);
/** `and`: all filters of a label must match; `or`: one is enough. Case-sensitive (recorded). */
export const matchType = z.enum(["and", "or"]);

/** How agents are chosen for a test. */
export const agentSelectorTypes = ["all-agents", "specific-agents", "agent-labels", "agent-tags"] as const;
export const agentSelectorType = z.enum(agentSelectorTypes);

/** Probe protocol of a test. */
export const testProtocol = z.enum(["icmp", "icmp-with-tcp-connect", "tcp", "prefer-tcp", "ast-autodetect", "autodetect"]);
/** IP version policy in requests; responses carry a free string. */
export const ipVersion = z.enum(["V4_ONLY", "V6_ONLY", "V6_PREFER", "OS_DEFAULT"]);
/** TCP probe mode that a request may ask for; responses know more. */
export const tcpProbeMode = z.enum(["auto", "sack", "syn"]);
/** Seconds between rounds. */
export const testInterval = z.literal([60, 120, 300, 600, 900, 1800, 3600]);
/** HTTP authentication scheme. */
export const authType = z.enum(["none", "basic", "ntlm"]);
/** TLS version: 0 automatic, 3 SSLv3, 4 TLS 1.0, 5 TLS 1.1, 6 TLS 1.2, 7 TLS 1.3. */
export const sslVersionId = z.enum(["0", "3", "4", "5", "6", "7"]);
/** Applications whose sessions a dynamic test traces. */
export const dynamicTestApplications = ["webex", "zoom", "microsoft-teams"] as const;

/** VPN clients the service tells apart. */
export const vpnTypes = [
  "cisco-anyconnect",
  "palo-alto-globalprotect",
  "ivanti-connect-secure",
  "zscaler-internet-access",
  "f5-big-ip",
] as const;
