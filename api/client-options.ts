import type { Answer, Unreadable } from "./answer";
import { type LogOptions } from "./log";
import { type Proxies, proxiesOf } from "./proxy";
import type { Wait } from "./wait";
import type { HttpOptions } from "./http-message";

/** Options for a client's connection and authentication. */
export interface ClientOptions {
  /**
   * Base URL of the service, such as `https://api.thousandeyes.com`. Only HTTPS is allowed, except for loopback addresses. A
   * final `/v7` is dropped.
   */
  baseUrl: string;
  /** A user's API token. Set this, or `clientId` and `clientSecret`. */
  token?: string;
  /** Client id of the client-credentials grant. */
  clientId?: string;
  clientSecret?: string;
  /** Whether client id and secret are in the form body or in an HTTP Basic header. @defaultValue `"form"` */
  clientAuthentication?: "form" | "basic";
  /** Scope of the token, space-separated. If omitted, the service decides. */
  scope?: string;
  /** `x_tenant_id` of the token request, in the tenant-scoped flow. */
  tenantId?: string;
  /** `service_bearer_token` of the token request: the user that the client represents. */
  serviceBearerToken?: string;
  /** Seconds without progress after which a request fails. @defaultValue 30 */
  timeout?: number;
  /** Seconds after which a request fails, even if parts of its answer have arrived. @defaultValue 120, or four times `timeout` if that is more */
  deadline?: number;
  /**
   * Proxies for requests, except to loopback addresses. @defaultValue the environment's HTTPS_PROXY, ALL_PROXY, HTTP_PROXY,
   * NO_PROXY
   */
  proxies?: Proxies;
  /** Ends all pending and future requests and waits with an AbortedError. */
  signal?: AbortSignal;
  /**
   * Ends the waits of unsent writes with an AbortedError: waits for a request budget, and waits before another attempt. Reads
   * and sent requests are not affected.
   */
  interrupt?: AbortSignal;
  /**
   * Returns values that messages must not show, in addition to the credentials and the secrets in the request. Called for each
   * error.
   */
  secrets?: () => Iterable<string>;
  /** Log of requests. @defaultValue the environment's ENDPOINT_MONITORING_LOG and ENDPOINT_MONITORING_LOG_FILE */
  log?: LogOptions;
  /** Called when a wait of 2 s or more begins: for a request budget, or because the service requests it. It must not throw. */
  onWait?: (wait: Wait) => void;
  /** Called for each answer, including errors and answers that lead to a retry. It must not throw. */
  onAnswer?: (answer: Answer) => void;
  /** Called for each successful answer with unreadable members that were ignored. It must not throw. */
  onUnreadable?: (unreadable: Unreadable) => void;
}

/** Returns a client's options for sending requests, with their defaults. */
export function httpOptions({ baseUrl, timeout = 30, deadline, proxies }: ClientOptions): HttpOptions {
  return {
    baseUrl,
    timeout,
    deadline: deadline ?? Math.max(120, 4 * timeout),
    proxies: proxies ?? proxiesOf(process.env),
  };
}
