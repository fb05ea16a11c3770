import { operations } from "../../api/schemas";
import { type HandlerCall, handle } from "../handler";
import type { Caller } from "../organization";
import { Problem, type ProblemStyle } from "../problem";
import type { Tokens } from "../tokens";

type TokenCall = HandlerCall<typeof operations.token.issue>;

/** The documented scope `read`, and scopes that clients also send (docs/service/requests.md, Authentication). */
const knownScopes = new Set(["read", "offline_access", "organization:read", "tests:read", "endpoint-tests:read", "tags:read"]);

/** Errors have the format of RFC 6749, section 5.2, because the service's own format is not public. */
const oauthStyle: ProblemStyle = {
  invalid: (_where, errors) => {
    const unsupported = errors.some(({ field, code }) => field === "grant_type" && code !== "missing");
    const names = errors.map(({ field, message }) => `${field} ${message}`).join(", ");
    return unsupported
      ? new Problem(400, "The grant type must be client_credentials", { oauth: "unsupported_grant_type" })
      : new Problem(400, names, { oauth: "invalid_request" });
  },
  mediaType: "application/json",
  body: ({ detail }) => ({ error: "invalid_request", error_description: detail }),
};

export const tokenRoutes = [
  handle(
    operations.token.issue,
    async (call) => {
      const owner = await ownerOf(call);
      const { scope, service_bearer_token: userToken } = call.body;
      const scopes = scope?.split(" ").filter((name) => name !== "") ?? ["read"];
      const unknown = scopes.find((name) => !knownScopes.has(name));
      if (unknown !== undefined) throw new Problem(400, `Unknown scope ${unknown}`, { oauth: "invalid_scope" });
      return {
        body: {
          access_token: call.service.tokens.issue(owner ?? userOf(call.service.tokens, userToken)),
          token_type: "Bearer",
          expires_in: call.service.settings.tokenLifetimeSeconds,
          scope: scopes.join(" "),
        },
        headers: { "cache-control": "no-store" },
      };
    },
    { open: true, mediaType: "application/json", style: oauthStyle },
  ),
];

/**
 * Checks the client's id and secret. HTTP Basic credentials take precedence over form fields.
 *
 * @returns the caller, if the twin (copy) of an account accepts the credentials of another client
 */
async function ownerOf({ body, header, service }: TokenCall): Promise<Caller | undefined> {
  const { clientId, clientSecret, twin } = service.settings;
  const basic = header("authorization");
  const client = basic === undefined ? [body.client_id ?? "", body.client_secret ?? ""] : credentialsOf(basic);
  // RFC 6749, section 2.3.1 requires form encoding in the header, but few clients encode their credentials.
  const spellings = [client, basic === undefined ? [] : client.map(formDecoded)];
  if (spellings.some(([id, secret]) => id === clientId && secret === clientSecret)) return undefined;
  const [id = "", secret = ""] = client;
  const { service_bearer_token: serviceBearerToken } = body;
  const caller = await twin?.callerOf({
    clientId: id,
    clientSecret: secret,
    ...(serviceBearerToken !== undefined && { serviceBearerToken }),
  });
  if (caller) return caller;
  const headers = { "www-authenticate": 'Basic realm="token"' };
  throw new Problem(401, "Unknown client, or wrong secret", { oauth: "invalid_client", headers });
}

function credentialsOf(header: string): string[] {
  const encoded = /^Basic +(\S+)$/i.exec(header)?.[1] ?? "";
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)];
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll("&", "%26")}`).get("v") ?? "";
}

/** Returns the user of the token in the request, or the owner of the client. */
function userOf(tokens: Tokens, userToken: string | undefined): Caller {
  if (userToken === undefined) return tokens.owner;
  const user = tokens.apiUserOf(userToken);
  if (!user) throw new Problem(401, "service_bearer_token is not a user's token", { oauth: "invalid_token" });
  return user;
}
