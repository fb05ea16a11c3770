// Written by `npm run generate` from the schemas; change it there.
import type { HttpServerInstantTestRequest } from "./instant-tests";
import type { TestRecordMembers, TestUpdateMembers } from "./tests";

/** Body of an HTTP server test create. The service never returns `password` and `targetResponseTime`. */
export interface HttpServerTestRequest extends HttpServerInstantTestRequest {
  /** Whether an agent prefers this test if it has more tests than its license allows. Default: false. */
  isPrioritized?: boolean;
  /** Seconds between rounds. Default: 60. */
  interval?: 60 | 120 | 300 | 600 | 900 | 1800 | 3600;
}

/** Body of an HTTP server test update. Omitted members keep their values (inferred). */
export interface HttpServerTestUpdate extends TestUpdateMembers {
  /** URL of the target. Without a scheme, the service assumes HTTPS. */
  url?: string;
}

/** An HTTP server test. */
export interface HttpServerTestRecord extends TestRecordMembers {
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
  /** User name for the authentication. */
  username?: string;
  /** Milliseconds after which a request times out. */
  httpTimeLimit?: number;
  /** TLS version: `0` automatic, `3` SSLv3, `4` TLS 1.0, `5` TLS 1.1, `6` TLS 1.2, `7` TLS 1.3. */
  sslVersionId?: string;
  /** Whether the server's certificate must be valid. */
  verifyCertificate?: boolean;
  /** Whether agents follow redirects. It cannot be set. */
  followRedirects?: boolean;
  /** Target time of a response in milliseconds, 100 to 5000. It cannot be set. */
  httpTargetTime?: number;
  /** HTTP version: 2 prefers HTTP/2, 1 uses HTTP/1.1. It cannot be set. */
  httpVersion?: number;
  /** The TLS version in words, such as `Auto`. It cannot be set. */
  sslVersion?: string;
  /** Whether authentication is NTLM instead of basic. It cannot be set. */
  useNtlm?: boolean;
  /** Whether the record is a stored snapshot instead of a live test. */
  isSavedEvent?: boolean;
}
