import { z } from "zod";
import { operation } from "./operation";

/** A new API token. */
export const apiToken = z.looseObject({
  /** The new API token (secret). No later answer contains the token. */
  bearerToken: z.string().min(1).meta({ sensitive: true }),
  /** End of the token's validity (RFC 3339, UTC). */
  validUntil: z.string().optional(),
});
export type ApiToken = z.output<typeof apiToken>;

export const apiTokenOperations = {
  /**
   * Replaces the API token of the request with a new token, which is valid for two years. The previous token stays valid for up
   * to 14 days. A second replacement during this time fails with a 409 (docs/service/requests.md, Authentication).
   */
  regenerate: operation({
    id: "apiTokens.regenerate",
    method: "POST",
    path: "/v7/api-tokens",
    status: 201,
    response: apiToken,
  }),
};
