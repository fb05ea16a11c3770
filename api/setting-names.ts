/** Where a setting comes from and what it is for: one line serves stack configuration, environment and documentation. */
export interface Setting {
  env: string;
  secret?: true;
  meaning: string;
}

/** Every setting: the key in stack configuration (`endpoint-monitoring:<key>`) and the environment variable behind it. */
export const settings = {
  baseUrl: { env: "ENDPOINT_MONITORING_BASE_URL", meaning: "Root of the service, such as https://api.example.com." },
  token: { env: "ENDPOINT_MONITORING_TOKEN", secret: true, meaning: "A user's API token." },
  clientId: { env: "ENDPOINT_MONITORING_CLIENT_ID", meaning: "Client id of the client-credentials grant, instead of a token." },
  clientSecret: { env: "ENDPOINT_MONITORING_CLIENT_SECRET", secret: true, meaning: "Client secret to the client id." },
  clientAuthentication: {
    env: "ENDPOINT_MONITORING_CLIENT_AUTHENTICATION",
    meaning: "form (default) or basic: how client id and secret are sent.",
  },
  scope: { env: "ENDPOINT_MONITORING_SCOPE", meaning: "Scope to ask for, space-separated." },
  tenantId: { env: "ENDPOINT_MONITORING_TENANT_ID", meaning: "x_tenant_id of the token request." },
  serviceBearerToken: {
    env: "ENDPOINT_MONITORING_SERVICE_BEARER_TOKEN",
    secret: true,
    meaning: "service_bearer_token of the token request: the user on whose behalf the client asks.",
  },
  timeout: {
    env: "ENDPOINT_MONITORING_TIMEOUT",
    meaning: "Seconds without progress after which a request is given up; default 30.",
  },
  deadline: {
    env: "ENDPOINT_MONITORING_DEADLINE",
    meaning:
      "Seconds after which a request is given up, whatever has arrived of its answer; default 120, or four times timeout if that is more.",
  },
  createOutcomeTimeout: {
    env: "ENDPOINT_MONITORING_CREATE_OUTCOME_TIMEOUT",
    meaning:
      "Seconds for which a record is looked for whose create failed without saying whether it was stored; default 60. Longer than the service, and what stands between, work on a request.",
  },
  accountGroupId: {
    env: "ENDPOINT_MONITORING_ACCOUNT_GROUP_ID",
    meaning: "Account group (aid) for everything that names none; default is the token's own.",
  },
  adopt: {
    env: "ENDPOINT_MONITORING_ADOPT",
    meaning: "identical: take over exact twins of what is to be created, to recover after a crash.",
  },
  replaceOrder: {
    env: "ENDPOINT_MONITORING_REPLACE_ORDER",
    meaning: "delete-first (default) or create-first: the order in which a replacement happens.",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** What the environment alone says: of the machine that runs something, not of what a stack declares. */
export const environmentVariables = {
  HTTPS_PROXY:
    "Proxy to go through, such as http://user:password@proxy.example.com:3128; HTTP_PROXY counts where this is not set. Small letters will do as well, and go first. A loopback address is never asked through a proxy.",
  NO_PROXY: "Hosts to ask directly, comma-separated: names, with their subdomains, or * for all; a port may follow.",
  NODE_EXTRA_CA_CERTS:
    "File of certificates (PEM) to trust beside the usual ones, such as those of a company's own authority. Node reads it.",
  ENDPOINT_MONITORING_LOG:
    "debug logs each request (operation, status, milliseconds, request id), info only waits, repeats and failures; neither bodies nor secrets.",
  ENDPOINT_MONITORING_LOG_FILE:
    "File to append the log to, of commands and of the provider alike; standard error where it is not set.",
} as const satisfies Record<string, string>;
