// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentSelectionMembers } from "./tests";

/**
 * Request body to run an agent-to-server test once. Unlike the body of a scheduled test, this body has no `interval`,
 * `isPrioritized` or `protocol`.
 */
export interface AgentToServerInstantTestRequest extends AgentSelectionMembers {
  /** Host name or IP address of the target. */
  server: string;
  /** Name of the test. */
  testName: string;
  /** Deprecated name of `server`. */
  serverName?: string;
  /** Port of the target, 1 to 65535. Default: 443. */
  port?: number;
  /** IP version policy of the probes. If omitted, the service chooses the policy. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
}

/**
 * Request body to run an HTTP server test once. Unlike the body of a scheduled test, this body has no `interval` or
 * `isPrioritized`.
 */
export interface HttpServerInstantTestRequest extends AgentSelectionMembers {
  /** Name of the test. */
  testName: string;
  /** URL of the target. The default scheme is HTTPS. */
  url: string;
  /** IP version policy of the probes. If omitted, the service chooses the policy. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
  /** TCP probe mode, for TCP protocols only. Default: `auto`. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether agents also measure the network to the target. Default: true. */
  networkMeasurements?: boolean;
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses a value. */
  hasPathTraceInSession?: boolean;
  /** User name for HTTP authentication. */
  username?: string;
  /** Deprecated. Whether the test includes ping. */
  hasPing?: boolean;
  /** Deprecated. Whether the test includes traceroute. */
  hasTraceroute?: boolean;
  /** HTTP authentication. Default: `none`. */
  authType?: "basic" | "none" | "ntlm";
  /** Password for HTTP authentication (secret). */
  password?: string;
  /** Timeout of a request, in milliseconds. Default: 5000. */
  httpTimeLimit?: number;
  /** Longest acceptable response time, in milliseconds. The service's UI highlights slower results in color. Default: 1000. */
  targetResponseTime?: number;
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. Default: `0`. */
  sslVersionId?: "0" | "3" | "4" | "5" | "6" | "7";
  /** Whether the server's certificate must be valid. Default: true. */
  verifyCertificate?: boolean;
}

/** Response to a request that runs a test. */
export interface RunResult {
  /** A sentence that contains the test's id. */
  message: string;
}
