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
  clientId: { env: "ENDPOINT_MONITORING_CLIENT_ID", meaning: "Client id of the client-credentials grant, instead of a token." },
  clientSecret: { env: "ENDPOINT_MONITORING_CLIENT_SECRET", secret: true, meaning: "Client secret for the client id." },
  clientAuthentication: {
    env: "ENDPOINT_MONITORING_CLIENT_AUTHENTICATION",
    meaning: "Whether the client sends the client id and secret as a form (`form`, default) or in a header (`basic`).",
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
      "Seconds after which a request fails, even if a part of its answer has arrived. Default: 120, or four times `timeout` if that is more.",
  },
  createOutcomeTimeout: {
    env: "ENDPOINT_MONITORING_CREATE_OUTCOME_TIMEOUT",
    meaning:
      "Seconds that the provider looks for a record after an unconfirmed create. Default: 60. Set a longer time than the service and proxies need for a request.",
  },
  readLag: {
    env: "ENDPOINT_MONITORING_READ_LAG",
    meaning:
      "Seconds until reads from the service show a write. Default: 120. A record that the stack wrote within that time does not count as deleted or changed. Set 0 for the emulator, where every read shows every write.",
  },
  accountGroupId: {
    env: "ENDPOINT_MONITORING_ACCOUNT_GROUP_ID",
    meaning: "Account group (`aid`) of resources and functions that do not set one. Default: the token's account group.",
  },
  adopt: {
    env: "ENDPOINT_MONITORING_ADOPT",
    meaning: "`identical` adopts existing records that equal the resources to create. Set it to recover from a crash.",
  },
  movedFrom: {
    env: "ENDPOINT_MONITORING_MOVED_FROM",
    meaning:
      "Former base URLs of the service, separated by commas. An operation stops if the state contains records of any other service.",
  },
  replaceOrder: {
    env: "ENDPOINT_MONITORING_REPLACE_ORDER",
    meaning: "Order of the steps of a replacement: `delete-first` (default) or `create-first`.",
  },
  previewReach: {
    env: "ENDPOINT_MONITORING_PREVIEW_REACH",
    meaning:
      "Whether previews show which agents a change affects: `on` (default) or `off`. A preview sends at most 8 requests for this.",
  },
} as const satisfies Record<string, ClientSetting>;

export type SettingName = keyof typeof settings;

/** Settings that describe the machine instead of the stack, so only environment variables set them. */
export const environmentVariables = {
  ENDPOINT_MONITORING_ALLOWED_HOSTS:
    "Hosts that may receive requests, separated by commas, such as `api.thousandeyes.com,localhost:8080`. Set it in CI, where a pull request cannot change it. Commands, providers and functions then send nothing to any other host. Without it, `pulumi` may use any host, and the commands of this package only the hosts in the stack's settings and in the state of its last update. An empty value allows any host.",
  HTTPS_PROXY:
    "Proxy for requests: `http://user:password@proxy.example.com:3128`, `https://…`, or `socks5://proxy.example.com:1080`. Default: `ALL_PROXY`, then `HTTP_PROXY`. Names in lower case take precedence. Requests to loopback addresses use no proxy.",
  NO_PROXY:
    "Hosts to reach without a proxy, separated by commas. Names include their subdomains. IP addresses, ranges such as `10.0.0.0/8`, and `*` for all hosts are also valid. A port may follow. A range applies only if `baseUrl` has an IP address.",
  NODE_EXTRA_CA_CERTS:
    "File with additional certificates to trust (PEM), such as the certificates of a company's own authority. Node reads it.",
  ENDPOINT_MONITORING_LOG:
    "`debug` logs each request: operation, status, milliseconds, request id. `info` logs only waits, retries and failures. The log never contains bodies or secrets.",
  ENDPOINT_MONITORING_VALIDATE:
    "Set by `endpoint-monitoring validate`, so that functions in the program send no requests. Do not set it yourself.",
  ENDPOINT_MONITORING_REHEARSAL:
    "Set by `endpoint-monitoring rehearse`, so that requests go only to a copy of the account. Do not set it yourself.",
  ENDPOINT_MONITORING_APPROVED:
    "Set by `endpoint-monitoring apply`, so that the provider compares new values with the approval. Do not set it yourself.",
  ENDPOINT_MONITORING_DERIVED_REPLACEMENTS:
    "Set by `endpoint-monitoring review` and `apply`. A preview then shows the replacement instead of the error `derived-replacement`. Do not set it yourself.",
  ENDPOINT_MONITORING_LOG_FILE: "File to which commands and the provider append the log. Default: standard error.",
  ENDPOINT_MONITORING_LAZY_OUTPUTS:
    "Whether a resource creates its outputs when the program first reads them: `on` (default) or `off`. Set `off` to find out whether lazy outputs cause a problem. Programs then need about three times the CPU time.",
} as const satisfies Record<string, string>;
