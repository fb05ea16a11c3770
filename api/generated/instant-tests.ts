// Written by `npm run generate` from the schemas; change it there.
import type { AgentSelectionMembers } from "./tests";

/** Body of an agent-to-server instant test: what a scheduled one takes, without what concerns its rounds. */
export interface AgentToServerInstantTestRequest extends AgentSelectionMembers {
  /** Host name or IP address of the target. */
  server: string;
  /** Name of the test. */
  testName: string;
  /** Deprecated name of `server`. */
  serverName?: string;
  /** Port of the target, 1 to 65535. Default: 443. */
  port?: number;
  /** Which IP versions the probes use. The service chooses when left out. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
}

/** Body of an HTTP-server instant test, likewise. */
export interface HttpServerInstantTestRequest extends AgentSelectionMembers {
  /** Name of the test. */
  testName: string;
  /** URL of the target. Without a scheme it is HTTPS. */
  url: string;
  /** Which IP versions the probes use. The service chooses when left out. */
  ipVersion?: "OS_DEFAULT" | "V4_ONLY" | "V6_ONLY" | "V6_PREFER";
  /** Protocol of the probes. Default: `icmp`. */
  protocol?: "ast-autodetect" | "autodetect" | "icmp" | "icmp-with-tcp-connect" | "prefer-tcp" | "tcp";
  /** How TCP probes are sent; it has an effect with a TCP protocol only. Default: `auto`. */
  tcpProbeMode?: "auto" | "sack" | "syn";
  /** Whether network measurements run beside the requests. Default: true. */
  networkMeasurements?: boolean;
  /** Whether paths are traced inside an established TCP session. The service chooses when left out. */
  hasPathTraceInSession?: boolean;
  /** User of the authentication. */
  username?: string;
  /** Deprecated. Whether ping runs. */
  hasPing?: boolean;
  /** Deprecated. Whether traceroute runs. */
  hasTraceroute?: boolean;
  /** HTTP authentication. Default: `none`. */
  authType?: "basic" | "none" | "ntlm";
  /** Password of the authentication. It is a secret. */
  password?: string;
  /** Milliseconds after which a request is given up. Default: 5000. */
  httpTimeLimit?: number;
  /** Milliseconds up to which a response counts as good; results are colored by it. Default: 1000. */
  targetResponseTime?: number;
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. Default: `0`. */
  sslVersionId?: "0" | "3" | "4" | "5" | "6" | "7";
  /** Whether the certificate of the server must be valid. Default: true. */
  verifyCertificate?: boolean;
}

/** Answer to the run of a test. */
export interface RunResult {
  /** A sentence that holds the id of the test. */
  message: string;
}
