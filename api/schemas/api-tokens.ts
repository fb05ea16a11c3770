import { z } from "zod";
import { operation } from "./operation";

/** A new API token. */
export const apiToken = z.looseObject({
  /** The new API token (secret). The service never returns the token again. */
  bearerToken: z.string().min(1).meta({ sensitive: true }),
  /** Expiry time of the token (RFC 3339, UTC). */
  validUntil: z.string().optional(),
});
export type ApiToken = z.output<typeof apiToken>;

export const apiTokenOperations = {
  /**
   * Replaces the API token that authenticates the request. The new token is valid for two years. The previous token stays valid for up to
   * 14 days. While the previous token is valid, another replacement fails with status 409 (docs/service/requests.md, Authentication).
   */
  regenerate: operation({
    id: "apiTokens.regenerate",
    method: "POST",
    path: "/v7/api-tokens",
    status: 201,
    response: apiToken,
  }),
};
