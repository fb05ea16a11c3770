// Written by `npm run generate` from the schemas; change it there.
import type { Link } from "./common";
import type { AgentSelectorConfig } from "./tests";

/** A scheduled test of either kind, as `type` states. */
export interface ScheduledTestRecord {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** `http-server`. */
  type?: string;
  /** URL of the target. The service may add the scheme and the port. */
  url?: string;
  /** Host of the target, derived from `url`. */
  server?: string;
  /** Port of the target, derived from `url`. */
  port?: number;
  /** HTTP authentication: `none`, `basic` or `ntlm`. */
  authType?: string;
  /** User of the authentication. */
  username?: string;
  /** Milliseconds after which a request is given up. */
  httpTimeLimit?: number;
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. */
  sslVersionId?: string;
  /** Whether the certificate of the server must be valid. */
  verifyCertificate?: boolean;
  /** Whether redirects are followed. It cannot be set. */
  followRedirects?: boolean;
  /** Target time of a response in milliseconds, 100 to 5000. It cannot be set. */
  httpTargetTime?: number;
  /** 2 prefers HTTP/2, 1 takes HTTP/1.1. It cannot be set. */
  httpVersion?: number;
  /** The TLS version in words, such as `Auto`. It cannot be set. */
  sslVersion?: string;
  /** Whether authentication is NTLM instead of basic. It cannot be set. */
  useNtlm?: boolean;
  /** Whether the record is a stored snapshot instead of a live test. */
  isSavedEvent?: boolean;
  /** Name of the test. */
  testName?: string;
  /** Account group that the test belongs to. */
  aid?: string;
  /** Agents of the test. */
  agentSelectorConfig?: AgentSelectorConfig;
  /** When the test was created (RFC 3339, UTC). */
  createdDate?: string;
  /** When the test was last changed (RFC 3339, UTC). */
  modifiedDate?: string;
  /** Seconds between rounds: 60, 120, 300, 600, 900, 1800 or 3600. */
  interval?: number;
  /** Protocol of the probes, such as `icmp` or `prefer-tcp`. */
  protocol?: string;
  /** Which IP versions the probes use: `V4_ONLY`, `V6_ONLY`, `V6_PREFER` or `OS_DEFAULT`. */
  ipVersion?: string;
  /** How TCP probes are sent: `auto`, `sack`, `syn`, `syn-pcap` or `syn-socket`; it has an effect with a TCP protocol only. */
  tcpProbeMode?: string;
  /** Whether the test runs. */
  isEnabled?: boolean;
  /** Whether an agent keeps this test when it has more tests than its license runs. */
  isPrioritized?: boolean;
  /** Whether network measurements run. */
  networkMeasurements?: boolean;
  /** Whether paths are traced inside an established TCP session. */
  hasPathTraceInSession?: boolean;
  /** Labels or groups that the test is filed under. They select no agents. */
  labels?: {
    /** Identifier of the label or group. */
    labelId?: string;
    /** Name of the label or group. */
    name?: string;
    /** Whether the service itself provides it. */
    isBuiltin?: boolean;
  }[];
  /** Links of the record. */
  _links?: {
    /** Link to the test itself. */
    self?: Link;
    /** Links to the results of the test. */
    testResults?: Link[];
  };
}
