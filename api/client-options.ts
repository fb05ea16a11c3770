import type { Answer, Unreadable } from "./answer";
import { type LogOptions } from "./log";
import { type Proxies, proxiesOf } from "./proxy";
import type { Wait } from "./wait";
import type { HttpOptions } from "./http-message";

/** Options for a client's connection and authentication. */
export interface ClientOptions {
  /**
   * Base URL of the service, such as `https://api.thousandeyes.com`. Only HTTPS is allowed, except for loopback addresses. The
   * client ignores a final `/v7`.
   */
  baseUrl: string;
  /** A user's API token. Set either `token`, or `clientId` and `clientSecret`. */
  token?: string;
  /** Client id for the OAuth 2.0 client credentials grant. */
  clientId?: string;
  clientSecret?: string;
  /**
   * Place of the client id and secret in a token request: form body or HTTP Basic header.
   * @defaultValue `"form"`
   */
  clientAuthentication?: "form" | "basic";
  /** Scope of the token, space-separated. Without a scope, the service chooses the scope. */
  scope?: string;
  /** `x_tenant_id` of a token request in the tenant-scoped flow. */
  tenantId?: string;
  /** `service_bearer_token` of a token request. The token identifies the user that the client represents. */
  serviceBearerToken?: string;
  /** Seconds without progress before a request fails. @defaultValue 30 */
  timeout?: number;
  /**
   * Total seconds before a request fails, even if a part of the answer has arrived.
   * @defaultValue 120, or four times `timeout` if that is more
   */
  deadline?: number;
  /**
   * Proxies for requests. Requests to loopback addresses use no proxy.
   * @defaultValue the environment's HTTPS_PROXY, ALL_PROXY, HTTP_PROXY, NO_PROXY
   */
  proxies?: Proxies;
  /** Ends all current and future requests and waits with an AbortedError. */
  signal?: AbortSignal;
  /**
   * Ends writes that wait for a request budget or for another attempt, with an AbortedError. Reads and sent requests continue.
   */
  interrupt?: AbortSignal;
  /**
   * Returns further values that error messages must not show. The client already hides the credentials and the secrets in the
   * request. The client calls this function for each error.
   */
  secrets?: () => Iterable<string>;
  /** Log of the client's requests. @defaultValue the environment's ENDPOINT_MONITORING_LOG and ENDPOINT_MONITORING_LOG_FILE */
  log?: LogOptions;
  /**
   * Called when a wait of 2 s or more begins. The client waits for a request budget, or because the service asks for a pause.
   * The callback must not throw.
   */
  onWait?: (wait: Wait) => void;
  /** Called for each answer, including errors and answers that lead to a retry. The callback must not throw. */
  onAnswer?: (answer: Answer) => void;
  /** Called when the client ignores unreadable members of a successful answer. The callback must not throw. */
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
