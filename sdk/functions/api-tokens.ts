import * as pulumi from "../pulumi";
import { fetching } from "./define";
import type { Fetch } from "./fetch";
import type { ApiToken } from "./records";

/**
 * Replaces the API token in the settings with a new one, and returns it. **It is a secret** that the service returns only
 * once, so store it at once. The new token is valid for two years, and the old one for at most 14 more days. Until then the
 * service refuses another replacement (409). The function needs a user's API token. Tokens from client credentials are renewed
 * automatically.
 *
 * Each call changes the token, so it has no output form, and previews and updates refuse the function: they would replace
 * the token each time. Call it in a separate script.
 *
 * @throws RequestError in a program that the engine runs, without a request
 * @throws ConflictError if the previously replaced token is still valid
 *
 * @example
 * ```ts
 * const { bearerToken, validUntil } = await regenerateApiToken();
 * await writeFile("token.json", JSON.stringify({ bearerToken, validUntil }), { mode: 0o600 });
 * ```
 */
export const regenerateApiToken: Fetch<object, ApiToken> = fetching((session, args) => {
  const { regenerate } = session.api.operations.apiTokens;
  if (pulumi.hasMonitor()) {
    const reason = "it replaces the API token, and the engine would do so each time it runs the program: call it in a script";
    return Promise.reject(new session.api.RequestError(regenerate, [reason]));
  }
  return session.call(regenerate, args);
});
