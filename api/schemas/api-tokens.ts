import { z } from "zod";
import { operation } from "./operation";

/** A new API token. */
export const apiToken = z.looseObject({
  /** The token. It is a secret, and the service shows it only here. */
  bearerToken: z.string().min(1).meta({ sensitive: true }),
  /** When it ends (RFC 3339, UTC). */
  validUntil: z.string().optional(),
});
export type ApiToken = z.output<typeof apiToken>;

export const apiTokenOperations = {
  /**
   * Makes the token that the request carries give way to a new one, which is valid for two years; the old one lasts 14 days
   * at most, and until then a second request is a 409 (docs/service/requests.md, Authentication).
   */
  regenerate: operation({
    id: "apiTokens.regenerate",
    method: "POST",
    path: "/v7/api-tokens",
    status: 201,
    response: apiToken,
  }),
};
