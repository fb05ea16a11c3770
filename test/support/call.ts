import type { Json } from "../emulator/support";

/** Headers of an administrator's request with a JSON body. */
export const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };

/**
 * Calls an operation or the control API of an emulator as the administrator.
 *
 * @returns the body of the response, and {} without a body
 * @throws Error if the response is not a success
 */
export async function call(url: string, method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(path.startsWith("/_emulator/") && { "x-emulator-control": "test" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}
