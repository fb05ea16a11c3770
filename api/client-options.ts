import type { Answer, Unreadable } from "./answer";
import { type LogOptions } from "./log";
import { type Proxies, proxiesOf } from "./proxy";
import type { Wait } from "./wait";
import type { HttpOptions } from "./http-message";

/** Options for a client's connection and authentication. */
export interface ClientOptions {
  /**
   * Base URL of the service, such as `https://api.thousandeyes.com`. Only HTTPS is allowed, except for loopback addresses. The
   * client ignores `/v7` at the end of the base URL.
   */
  baseUrl: string;
  /** A user's API token. Set either `token`, or `clientId` and `clientSecret`. */
  token?: string;
  /** Client id for the OAuth 2.0 client credentials grant. */
  clientId?: string;
  clientSecret?: string;
  /**
   * The part of a token request that contains the client id and secret: the form body or the HTTP Basic header.
   * @defaultValue `"form"`
   */
  clientAuthentication?: "form" | "basic";
  /** Scopes of the requested token, separated by spaces. If omitted, the service chooses the scopes. */
  scope?: string;
  /** Value of the `x_tenant_id` parameter in a token request of the tenant-scoped flow. */
  tenantId?: string;
  /** Token of the user that the client represents. The token request contains this token as `service_bearer_token`. */
  serviceBearerToken?: string;
  /** Seconds without progress after which a request fails. @defaultValue 30 */
  timeout?: number;
  /**
   * Time limit of the whole request, in seconds. The time limit applies even if a part of the response has arrived.
   * @defaultValue 120 or four times `timeout`, whichever is larger
   */
  deadline?: number;
  /**
   * Proxies for requests. Requests to loopback addresses use no proxy.
   * @defaultValue the environment variables HTTPS_PROXY, ALL_PROXY, HTTP_PROXY and NO_PROXY
   */
  proxies?: Proxies;
  /** Abort signal that makes all current and future requests and waits fail with an AbortedError. */
  signal?: AbortSignal;
  /**
   * Abort signal for write requests that wait for a request budget or a retry. After an abort, a waiting write request fails with an
   * AbortedError. The signal affects neither read requests nor write requests that the client has already sent.
   */
  interrupt?: AbortSignal;
  /**
   * Returns additional secrets that error messages must not show. The client always hides its credentials and the secrets in
   * the request. The client calls `secrets` for each error.
   */
  secrets?: () => Iterable<string>;
  /**
   * Log of the client's requests. @defaultValue the environment variables ENDPOINT_MONITORING_LOG and
   * ENDPOINT_MONITORING_LOG_FILE
   */
  log?: LogOptions;
  /**
   * Called when a wait of 2 s or more begins. The client waits for a request budget, for a busy record, or for a pause that the
   * service requested. `onWait` must not throw.
   */
  onWait?: (wait: Wait) => void;
  /** Called for each response, including error responses and responses that cause a retry. `onAnswer` must not throw. */
  onAnswer?: (answer: Answer) => void;
  /** Called when the client ignores unreadable members of a successful response. `onUnreadable` must not throw. */
  onUnreadable?: (unreadable: Unreadable) => void;
}

export function httpOptions({ baseUrl, timeout = 30, deadline, proxies }: ClientOptions): HttpOptions {
  return {
    baseUrl,
    timeout,
    deadline: deadline ?? Math.max(120, 4 * timeout),
    proxies: proxies ?? proxiesOf(process.env),
  };
}
