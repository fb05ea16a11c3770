// `npm run generate` writes this file from the schemas in api/schemas.
import type { TestRecordMembers } from "./tests";

/** A scheduled test of any type. The member `type` contains the test type. */
export interface ScheduledTestRecord extends TestRecordMembers {
  /** Type of the test: `http-server`. */
  type?: string;
  /** URL of the target. The service may add a scheme and a port to the URL. */
  url?: string;
  /** Host of the target, derived from `url`. */
  server?: string;
  /** Port of the target, derived from `url`. */
  port?: number;
  /** HTTP authentication: `none`, `basic` or `ntlm`. */
  authType?: string;
  /** User name for HTTP authentication. */
  username?: string;
  /** Timeout of a request, in milliseconds. */
  httpTimeLimit?: number;
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. */
  sslVersionId?: string;
  /** Whether the server's certificate must be valid. */
  verifyCertificate?: boolean;
  /** Whether agents follow redirects (read-only). */
  followRedirects?: boolean;
  /** Target response time, in milliseconds, 100 to 5000 (read-only). */
  httpTargetTime?: number;
  /** HTTP version (read-only): 2 if agents prefer HTTP/2, 1 if they use HTTP/1.1. */
  httpVersion?: number;
  /** The TLS version in words, such as `Auto` (read-only). */
  sslVersion?: string;
  /** Whether HTTP authentication uses NTLM instead of basic authentication (read-only). */
  useNtlm?: boolean;
  /** Whether the record is a saved snapshot of a test instead of a running test. */
  isSavedEvent?: boolean;
}
