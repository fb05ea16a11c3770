import { readSettings } from "../../api/settings";

/** The service of a run, its credentials, and the records that the run may change. */
export interface Access {
  /** Without a final slash or `/v7`. */
  readonly baseUrl: string;
  readonly token?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly serviceBearerToken?: string;
  /** Token of a user with a read-only role. */
  readonly readerToken?: string;
  readonly accountGroupId: string;
  /** An agent that may be renamed, disabled and enabled. */
  readonly agentId?: string;
  readonly readOnly: boolean;
  readonly maxRequests: number;
  /** Secrets that reports must not show. */
  readonly secrets: readonly string[];
}

export interface Given {
  readonly agentId?: string;
  readonly readOnly: boolean;
  readonly maxRequests: number;
}

/** Variable with the token of a user whose role only reads. Rows about roles require it. */
export const readerVariable = "ACCEPTANCE_READER_TOKEN";

/** Reads ENDPOINT_MONITORING_*. @throws ConfigurationError, or Error if the account group is missing */
export function accessFrom(env: NodeJS.ProcessEnv, given: Given): Access {
  const { client, accountGroupId } = readSettings(() => undefined, env);
  if (accountGroupId === undefined) {
    throw new Error("ENDPOINT_MONITORING_ACCOUNT_GROUP_ID is missing. Set it to the account group for the checks.");
  }
  const { token, clientId, clientSecret, scope, serviceBearerToken } = client;
  const readerToken = env[readerVariable] || undefined;
  const secrets = [token, clientSecret, serviceBearerToken, readerToken].filter((one) => one !== undefined);
  const baseUrl = client.baseUrl.replace(/\/+$/, "").replace(/\/v7$/, "");
  return { ...given, baseUrl, token, clientId, clientSecret, scope, serviceBearerToken, readerToken, accountGroupId, secrets };
}
