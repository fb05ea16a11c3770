/** One setting: its environment variable and its documentation. */
export interface ClientSetting {
  env: string;
  secret?: true;
  meaning: string;
}

/** Every setting, by its key in stack configuration (`endpoint-monitoring:<key>`). */
export const settings = {
  baseUrl: { env: "ENDPOINT_MONITORING_BASE_URL", meaning: "Root of the service, such as https://api.thousandeyes.com." },
  token: { env: "ENDPOINT_MONITORING_TOKEN", secret: true, meaning: "A user's API token." },
  clientId: { env: "ENDPOINT_MONITORING_CLIENT_ID", meaning: "Client id of the client-credentials grant, instead of a token." },
  clientSecret: { env: "ENDPOINT_MONITORING_CLIENT_SECRET", secret: true, meaning: "Client secret for the client id." },
  clientAuthentication: {
    env: "ENDPOINT_MONITORING_CLIENT_AUTHENTICATION",
    meaning: "form (default) or basic: how the client id and secret are sent.",
  },
  scope: { env: "ENDPOINT_MONITORING_SCOPE", meaning: "Scope of the token request, space-separated." },
  tenantId: { env: "ENDPOINT_MONITORING_TENANT_ID", meaning: "x_tenant_id of the token request." },
  serviceBearerToken: {
    env: "ENDPOINT_MONITORING_SERVICE_BEARER_TOKEN",
    secret: true,
    meaning: "service_bearer_token of the token request: the user on whose behalf the client acts.",
  },
  timeout: {
    env: "ENDPOINT_MONITORING_TIMEOUT",
    meaning: "Seconds without progress after which a request fails; default 30.",
  },
  deadline: {
    env: "ENDPOINT_MONITORING_DEADLINE",
    meaning:
      "Seconds after which a request fails, even if parts of its answer have arrived; default 120, or four times timeout if that is more.",
  },
  createOutcomeTimeout: {
    env: "ENDPOINT_MONITORING_CREATE_OUTCOME_TIMEOUT",
    meaning:
      "Seconds for which the provider looks for a record after a create whose outcome is unknown; default 60. It should exceed the time that the service and proxies may take for a request.",
  },
  readLag: {
    env: "ENDPOINT_MONITORING_READ_LAG",
    meaning:
      "Seconds for which the service's reads may lag behind writes; default 120. A record that the stack wrote within that time does not count as deleted or changed. Set 0 if every read shows every write, as the emulator's do.",
  },
  accountGroupId: {
    env: "ENDPOINT_MONITORING_ACCOUNT_GROUP_ID",
    meaning: "Account group (aid) of resources and functions that set none; default is the token's own.",
  },
  adopt: {
    env: "ENDPOINT_MONITORING_ADOPT",
    meaning: "identical: adopt exact duplicates of the resources to create, to recover after a crash.",
  },
  movedFrom: {
    env: "ENDPOINT_MONITORING_MOVED_FROM",
    meaning:
      "Origins at which the service was before, comma-separated: states of them belong to this service. The state of any other origin stops.",
  },
  replaceOrder: {
    env: "ENDPOINT_MONITORING_REPLACE_ORDER",
    meaning: "delete-first (default) or create-first: the order of the steps of a replacement.",
  },
  previewReach: {
    env: "ENDPOINT_MONITORING_PREVIEW_REACH",
    meaning:
      "on (default) or off: whether previews show which agents a change of a label, tag or test reaches. It takes at most 8 requests a preview.",
  },
} as const satisfies Record<string, ClientSetting>;

export type SettingName = keyof typeof settings;

/** Settings that only the environment has: they describe the machine, not the stack. */
export const environmentVariables = {
  ENDPOINT_MONITORING_ALLOWED_HOSTS:
    "Hosts that may get requests, comma-separated, with the port if it is not the default, such as `api.thousandeyes.com,api.example.com`. Set it in CI, where a pull request cannot reach: commands, providers and functions then send nothing, and no token, to any other host. Without it, the operations that commands run may use the hosts in the stack's settings and in the state of its last update. `pulumi` itself, or an empty value, may use any host.",
  HTTPS_PROXY:
    "Proxy for requests: `http://user:password@proxy.example.com:3128`, `https://…`, or `socks5://proxy.example.com:1080`. Default is ALL_PROXY, then HTTP_PROXY. Names in lower case take precedence. Loopback addresses need no proxy.",
  NO_PROXY:
    "Hosts to reach without a proxy, comma-separated: names, including their subdomains, IP addresses, address ranges such as `10.0.0.0/8`, or * for all; a port may follow. A range applies only if baseUrl has an IP address.",
  NODE_EXTRA_CA_CERTS:
    "File of additional certificates (PEM) to trust, such as those of a company's own authority. Node reads it.",
  ENDPOINT_MONITORING_LOG:
    "debug logs each request (operation, status, milliseconds, request id); info logs only waits, retries and failures. Neither logs bodies or secrets.",
  ENDPOINT_MONITORING_VALIDATE:
    "Set by `endpoint-monitoring validate` for the program that it runs: functions then send no requests. Do not set it yourself.",
  ENDPOINT_MONITORING_REHEARSAL:
    "Set by `endpoint-monitoring rehearse` for the engine that it runs: requests then go to a copy of the account, and nowhere else. Do not set it yourself.",
  ENDPOINT_MONITORING_APPROVED:
    "Set by `endpoint-monitoring apply` for the engine that it runs: values that are known only during the update are held against what was approved. Do not set it yourself.",
  ENDPOINT_MONITORING_DERIVED_REPLACEMENTS:
    "Set by `endpoint-monitoring review` and `apply` for the engine that they run: a replacement because of a value that no program can declare is then a step that the review reports. Do not set it yourself.",
  ENDPOINT_MONITORING_LOG_FILE: "File to which commands and the provider append the log; default is standard error.",
  ENDPOINT_MONITORING_LAZY_OUTPUTS:
    "on (default) or off: whether a resource's outputs are created when the program first reads them. With off, Pulumi's SDK creates all of them with the resource, which takes about three times the CPU time. Set off to find out whether lazy outputs cause a problem.",
} as const satisfies Record<string, string>;
