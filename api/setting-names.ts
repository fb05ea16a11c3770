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
