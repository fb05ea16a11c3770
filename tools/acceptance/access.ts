import { readSettings } from "../../api/settings";

/** The service that the checks use, its credentials, and the records that the checks may change. */
export interface Access {
  /** Base URL without a final slash or `/v7`. */
  readonly baseUrl: string;
  readonly token?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly serviceBearerToken?: string;
  readonly readerToken?: string;
  readonly accountGroupId: string;
  /** Id of an agent that the checks may rename, disable and enable. */
  readonly agentId?: string;
  readonly readOnly: boolean;
  readonly maxRequests: number;
  readonly secrets: readonly string[];
}

export interface AccessOptions {
  readonly agentId?: string;
  readonly readOnly: boolean;
  readonly maxRequests: number;
}

/** Environment variable with the token of a read-only user, for checks of roles. */
export const readerVariable = "ACCEPTANCE_READER_TOKEN";

/** Reads the ENDPOINT_MONITORING_* variables. @throws ConfigurationError, or Error if the account group is missing */
export function accessFrom(env: NodeJS.ProcessEnv, options: AccessOptions): Access {
  const { client, accountGroupId } = readSettings(() => undefined, env);
  if (accountGroupId === undefined) {
    throw new Error("ENDPOINT_MONITORING_ACCOUNT_GROUP_ID is missing. Set it to the account group for the checks.");
  }
  const { token, clientId, clientSecret, scope, serviceBearerToken } = client;
  const readerToken = env[readerVariable] || undefined;
  const secrets = [token, clientSecret, serviceBearerToken, readerToken].filter((secret) => secret !== undefined);
  const baseUrl = client.baseUrl.replace(/\/+$/, "").replace(/\/v7$/, "");
  return {
    ...options,
    baseUrl,
    token,
    clientId,
    clientSecret,
    scope,
    serviceBearerToken,
    readerToken,
    accountGroupId,
    secrets,
  };
}
