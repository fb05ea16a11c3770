export interface ClientSetting {
  env: string;
  secret?: true;
  meaning: string;
}

/** All settings by their key in the stack configuration (`endpoint-monitoring:<key>`). */
export const settings = {
  baseUrl: {
    env: "ENDPOINT_MONITORING_BASE_URL",
    meaning: "Base URL of the ThousandEyes API, such as https://api.thousandeyes.com.",
  },
  token: { env: "ENDPOINT_MONITORING_TOKEN", secret: true, meaning: "API token of a user." },
  clientId: {
    env: "ENDPOINT_MONITORING_CLIENT_ID",
    meaning: "Client id for the client-credentials grant, as an alternative to a token.",
  },
  clientSecret: { env: "ENDPOINT_MONITORING_CLIENT_SECRET", secret: true, meaning: "Client secret for the client id." },
  clientAuthentication: {
    env: "ENDPOINT_MONITORING_CLIENT_AUTHENTICATION",
    meaning:
      "Whether the client sends the client id and secret in the request body (`form`, default) or in the Authorization header (`basic`).",
  },
  scope: { env: "ENDPOINT_MONITORING_SCOPE", meaning: "Scopes of the token request, separated by spaces." },
  tenantId: { env: "ENDPOINT_MONITORING_TENANT_ID", meaning: "Tenant of the token request (`x_tenant_id`)." },
  serviceBearerToken: {
    env: "ENDPOINT_MONITORING_SERVICE_BEARER_TOKEN",
    secret: true,
    meaning: "Token of the user that the client represents (`service_bearer_token` of the token request).",
  },
  timeout: {
    env: "ENDPOINT_MONITORING_TIMEOUT",
    meaning: "Seconds without progress after which a request fails. Default: 30.",
  },
  deadline: {
    env: "ENDPOINT_MONITORING_DEADLINE",
    meaning:
      "Seconds after which a request fails, even if a part of its response has arrived. Default: 120, or four times `timeout` if that is longer.",
  },
  createOutcomeTimeout: {
    env: "ENDPOINT_MONITORING_CREATE_OUTCOME_TIMEOUT",
    meaning:
      "Seconds to search for a record after an unconfirmed create request. Default: 60. Choose a value greater than the longest time that the service and proxies need for a request.",
  },
  readLag: {
    env: "ENDPOINT_MONITORING_READ_LAG",
    meaning:
      "Seconds after a write during which the service may return old values. Default: 120. Within `readLag` seconds after Pulumi writes a record, the record does not count as deleted or changed. For the emulator, set 0.",
  },
  accountGroupId: {
    env: "ENDPOINT_MONITORING_ACCOUNT_GROUP_ID",
    meaning:
      "Account group (`aid`) of resources and functions that do not set an account group. Default: the token's account group.",
  },
  adopt: {
    env: "ENDPOINT_MONITORING_ADOPT",
    meaning:
      "With `identical`, the provider adopts an existing record that equals the declared resource. Use `identical` to recover from a crash.",
  },
  movedFrom: {
    env: "ENDPOINT_MONITORING_MOVED_FROM",
    meaning:
      "Former base URLs of the service, separated by commas. An operation stops if the state contains records of a service that neither `movedFrom` nor `baseUrl` names.",
  },
  replaceOrder: {
    env: "ENDPOINT_MONITORING_REPLACE_ORDER",
    meaning: "Order of the steps in a replacement: `delete-first` (default) or `create-first`.",
  },
  previewReach: {
    env: "ENDPOINT_MONITORING_PREVIEW_REACH",
    meaning:
      "Whether previews show which agents a change affects: `on` (default) or `off`. To find the agents, a preview sends at most 8 requests.",
  },
} as const satisfies Record<string, ClientSetting>;

export type SettingName = keyof typeof settings;

/** Environment variables that describe the machine or the process, and therefore have no key in the stack configuration. */
export const environmentVariables = {
  ENDPOINT_MONITORING_ALLOWED_HOSTS:
    "Hosts that may receive requests, separated by commas, such as `api.thousandeyes.com,localhost:8080`. Commands, providers and functions send nothing to unlisted hosts. Set this variable in the settings of your CI provider, so that a pull request cannot change it. Without this variable, the commands of this package use only the hosts in the stack's settings and state, but `pulumi` may use any host. An empty value allows any host.",
  HTTPS_PROXY:
    "Proxy for requests: `http://user:password@proxy.example.com:3128`, `https://…`, or `socks5://proxy.example.com:1080`. Default: `ALL_PROXY`, then `HTTP_PROXY`. Lower-case names such as `https_proxy` take precedence. Requests to loopback addresses use no proxy.",
  NO_PROXY:
    "Hosts that need no proxy, separated by commas. Names include their subdomains. IP addresses, ranges such as `10.0.0.0/8`, and `*` for all hosts are also valid. A port may follow. A range applies only if `baseUrl` contains an IP address.",
  NODE_EXTRA_CA_CERTS:
    "File with additional certificates to trust (PEM), such as the certificates of a company's own certificate authority. Node reads this file.",
  ENDPOINT_MONITORING_LOG:
    "`debug` logs the operation, status, duration in milliseconds and request id of each request. `info` logs only waits, retries and failures. The log never contains request bodies, response bodies or secrets.",
  ENDPOINT_MONITORING_VALIDATE:
    "`endpoint-monitoring validate` sets this variable, so that functions in the program send no requests. Do not set the variable yourself.",
  ENDPOINT_MONITORING_REHEARSAL:
    "`endpoint-monitoring rehearse` sets this variable, so that requests go only to a copy of the account. Do not set the variable yourself.",
  ENDPOINT_MONITORING_APPROVED:
    "`endpoint-monitoring apply` sets this variable, so that the provider compares new values with the approval. Do not set the variable yourself.",
  ENDPOINT_MONITORING_DERIVED_REPLACEMENTS:
    "`endpoint-monitoring review` and `apply` set this variable, so that a preview shows a replacement instead of the error `derived-replacement`. Do not set the variable yourself.",
  ENDPOINT_MONITORING_LOG_FILE: "File to which commands and the provider append the log. Default: standard error.",
  ENDPOINT_MONITORING_LAZY_OUTPUTS:
    "Whether a resource creates its outputs when the program first reads them: `on` (default) or `off`. Set `off` to find out whether lazy outputs cause a problem. With `off`, programs need about three times the CPU time.",
} as const satisfies Record<string, string>;
