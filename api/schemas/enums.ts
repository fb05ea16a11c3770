import { z } from "zod";
import { openEnum } from "./open-word";

/**
 * Agent attributes that label filters can compare. The service's documentation announces that the list of attributes may change
 * (docs/service/labels.md, Filters).
 */
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

/** `in` matches agents with one of the values. `not-in` matches agents without any of the values. */
export const filterMode = z.enum(["in", "not-in"]);
/**
 * With `and`, an agent must match all filters. With `or`, an agent must match at least one filter. The values `and` and `or`
 * are case-sensitive (observed).
 */
export const matchType = z.enum(["and", "or"]);

/** Ways to select the agents of a test. */
export const agentSelectorTypes = ["all-agents", "specific-agents", "agent-labels", "agent-tags"] as const;
export const agentSelectorType = z.enum(agentSelectorTypes);

/** Probe protocol of a test. */
export const testProtocol = z.enum(["icmp", "icmp-with-tcp-connect", "tcp", "prefer-tcp", "ast-autodetect", "autodetect"]);
/** IP version policy in requests. Responses may also contain other IP version policies. */
export const ipVersion = z.enum(["V4_ONLY", "V6_ONLY", "V6_PREFER", "OS_DEFAULT"]);
/** TCP probe mode in requests. Responses may also contain other TCP probe modes. */
export const tcpProbeMode = z.enum(["auto", "sack", "syn"]);
/** TCP probe mode in responses. */
export const reportedTcpProbeMode = z.enum([...tcpProbeMode.options, "syn-pcap", "syn-socket", "unknown"]);
/** Seconds between consecutive rounds of a test. */
export const testInterval = z.literal([60, 120, 300, 600, 900, 1800, 3600]);
/** HTTP authentication scheme. */
export const authType = z.enum(["none", "basic", "ntlm"]);
/** TLS version of an HTTP server test: 0 automatic, 3 SSLv3, 4 TLS 1.0, 5 TLS 1.1, 6 TLS 1.2, 7 TLS 1.3. */
export const sslVersionId = z.enum(["0", "3", "4", "5", "6", "7"]);
/** Applications that a dynamic test can measure. */
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
/** Operating system family of an agent in search filters. Label filters use different names for the operating system families. */
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
export const interfaceHardwareType = z.enum(["unknown", "wireless", "ethernet", "modem", "virtual", "loopback", "other"]);
/** The part of the local network that a probe measures. */
export const networkTopologyType = z.enum(["vpn", "proxy", "gateway", "dns", "unknown"]);
/** Trigger of a real user test: the agent (`auto`) or the device's user (`user`). */
export const trigger = z.enum(["auto", "user"]);

/** Allowed values of the parameter `expand` in requests for agents. */
export const agentExpands = ["clients", "vpnProfiles", "networkInterfaceProfiles"] as const;
/** Allowed values of the parameter `expand` in requests for network results. */
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

/** With `gte`, the metric must be at least the value. With `lte`, the metric must be at most the value. */
export const thresholdOperator = z.enum(["gte", "lte"]);
/** With `and`, a result must meet all conditions. With `or`, a result must meet at least one condition. */
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

export const vpnTypes = [
  "cisco-anyconnect",
  "palo-alto-globalprotect",
  "ivanti-connect-secure",
  "zscaler-internet-access",
  "f5-big-ip",
] as const;
