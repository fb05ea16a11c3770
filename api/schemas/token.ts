import { z } from "zod";
import { operation } from "./operation";

/** Form body of a token request; client id and secret may travel by HTTP Basic instead. */
export const tokenRequest = z.object({
  grant_type: z.literal("client_credentials"),
  client_id: z.string().optional(),
  client_secret: z.string().optional().meta({ sensitive: true }),
  scope: z.string().optional(),
  /** Tenant, in the tenant-scoped flow. Header or form field is not stated; we send and take the form field. */
  x_tenant_id: z.string().optional(),
  /** Bearer token of the user on whose behalf the client asks. Sent and taken as a form field, too. */
  service_bearer_token: z.string().optional().meta({ sensitive: true }),
});

/** Not published: assumed from RFC 6749, section 5.1. Without `expires_in` a token is kept until a 401. */
export const tokenResponse = z.looseObject({
  access_token: z.string().min(1).meta({ sensitive: true }),
  token_type: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});

export const tokenOperations = {
  issue: operation({
    id: "token.issue",
    method: "POST",
    path: "/v7/oauth2/token",
    body: tokenRequest,
    bodyType: "application/x-www-form-urlencoded",
    status: 200,
    response: tokenResponse,
    // A second token does no harm: asking again is how a lost answer is made up for.
    repeatable: true,
    writes: false,
    authenticated: false,
    budget: "none",
  }),
};
