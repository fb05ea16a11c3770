import * as pulumi from "../pulumi";
import { fetching } from "./define";
import type { Fetch } from "./fetch";
import type { ApiToken } from "./records";

/**
 * Replaces the API token that the settings hold with a new one, and gives that. **It is a secret**, given once: store it at once. The new
 * token is valid for two years, the old one for 14 days at most; until then the service refuses a second replacement (409). It takes
 * a user's API token: what client credentials are exchanged for is renewed by itself.
 *
 * It changes something whenever it is called, so it is no `get…` and has no form that gives an output: a program that the engine
 * runs, in a preview or an update, would replace the token each time. There it is refused; call it in a script of its own.
 *
 * @throws RequestError in a program that the engine runs: nothing was sent
 * @throws ConflictError while the token before the last one is still valid
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
