import { z } from "zod";
import { openEnum } from "./open-word";

/** Agent attributes that a label filter looks at. Announced as open to change (docs/service/labels.md, Filters). */
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
export const filterKey = openEnum(filterKeys);
export type FilterKey = (typeof filterKeys)[number];

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
/** TCP probe mode in answers. */
export const reportedTcpProbeMode = z.enum([...tcpProbeMode.options, "syn-pcap", "syn-socket", "unknown"]);
/** Seconds between rounds. */
export const testInterval = z.literal([60, 120, 300, 600, 900, 1800, 3600]);
/** HTTP authentication scheme. */
export const authType = z.enum(["none", "basic", "ntlm"]);
/** TLS version: 0 automatic, 3 SSLv3, 4 TLS 1.0, 5 TLS 1.1, 6 TLS 1.2, 7 TLS 1.3. */
export const sslVersionId = z.enum(["0", "3", "4", "5", "6", "7"]);
/** Applications whose sessions a dynamic test traces. */
export const dynamicTestApplications = ["webex", "zoom", "microsoft-teams"] as const;
export const dynamicTestApplication = openEnum(dynamicTestApplications);

/** License tier of an agent. */
export const licenseType = z.enum([
  "essentials",
  "advantage",
  "embedded",
  "embed-wireless-advantage",
  "embed-wireless-essentials",
]);
/** Operating system family of an agent, as search filters take it; a label filter spells it otherwise. */
export const platform = z.enum([
  "windows",
  "roomos",
  "phoneos",
  "elux",
  "cisco-wireless",
  "cisco-wireless-cloud",
  "linux",
  "mac",
  "android",
  "unknown",
]);
/** Kind of network interface. */
export const interfaceHardwareType = z.enum(["unknown", "wireless", "ethernet", "modem", "virtual", "loopback", "other"]);
/** The target of a probe of the local network. */
export const networkTopologyType = z.enum(["vpn", "proxy", "gateway", "dns", "unknown"]);
/** Whether a real user test was recorded by itself or because its user asked for it. */
export const trigger = z.enum(["auto", "user"]);

/** Parts of an agent that are left out unless `expand` asks for them. */
export const agentExpands = ["clients", "vpnProfiles", "networkInterfaceProfiles"] as const;
/** The same of network results, of scheduled and dynamic tests alike. */
export const networkResultExpands = ["user-profile"] as const;
export const httpServerResultExpands = ["header", "user-profile"] as const;
export const topologyExpands = ["system-metric-detail", "user-profile"] as const;

export const sortOrder = z.enum(["asc", "desc"]);
export const agentSortKey = z.enum(["platform", "osVersion", "name", "userName", "city", "serialNumber"]);
export const networkSortKey = z.enum(["round-id", "loss", "latency", "jitter", "cpu", "memory", "signal-quality"]);
export const httpServerSortKey = z.enum([
  "round-id",
  "response-time",
  "dns-time",
  "connect-time",
  "ssl-time",
  "wait-time",
  "response-code",
  "wire-size",
]);

/** At least, or at most. */
export const thresholdOperator = z.enum(["gte", "lte"]);
/** Whether all threshold filters must hold, or one is enough. */
export const conditionalOperator = z.enum(["and", "or"]);
export const networkThreshold = z.enum([
  "loss",
  "latency",
  "jitter",
  "cpu",
  "memory",
  "signal-quality",
  "application-score",
  "zta-ingress-loss",
  "zta-service-loss",
  "zta-ingress-avg-latency",
  "zta-service-avg-latency",
  "zta-ingress-jitter",
  "zta-service-jitter",
]);
export const httpServerThreshold = z.enum([
  "response-time",
  "dns-time",
  "connect-time",
  "throughput",
  "ssl-time",
  "wait-time",
  "application-score",
]);
export const topologyThreshold = z.enum(["vpn-score", "avg-rtt", "mean-dev-rtt", "loss"]);

/** VPN clients the service tells apart. */
export const vpnTypes = [
  "cisco-anyconnect",
  "palo-alto-globalprotect",
  "ivanti-connect-secure",
  "zscaler-internet-access",
  "f5-big-ip",
] as const;
