import { z } from "zod";
import { operation } from "./operation";

/** A new API token. */
export const apiToken = z.looseObject({
  /** The token. It is a secret, and only this answer contains it. */
  bearerToken: z.string().min(1).meta({ sensitive: true }),
  /** End of its validity (RFC 3339, UTC). */
  validUntil: z.string().optional(),
});
export type ApiToken = z.output<typeof apiToken>;

export const apiTokenOperations = {
  /**
   * Replaces the request's token with a new one, which is valid for two years. The previous one stays valid for at most 14
   * days, and until then a second request is a 409 (docs/service/requests.md, Authentication).
   */
  regenerate: operation({
    id: "apiTokens.regenerate",
    method: "POST",
    path: "/v7/api-tokens",
    status: 201,
    response: apiToken,
  }),
};
