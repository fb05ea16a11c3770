import * as pulumi from "../pulumi";
import { fetching } from "./define";
import type { Fetch } from "./fetch";
import type { ApiToken } from "./records";

/**
 * Replaces the API token in the settings with a new token, and returns the new token. **The new token is a secret** that the
 * service returns only once, so store the token immediately. The new token is valid for two years. The old token stays valid
 * for at most 14 days. While the old token is valid, the service refuses another replacement (409). The function works only
 * with a user's API token. The client renews tokens from client credentials automatically.
 *
 * Call `regenerateApiToken` in a separate script. The function fails in previews and updates, because each preview or update
 * would replace the token. The function has no variant that returns an output, because each preview and update would replace
 * the token.
 *
 * @throws RequestError if the Pulumi engine runs the program; the function then sends no request
 * @throws ConflictError if a previously replaced token is still valid
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
