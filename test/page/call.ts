/** A client that fills an emulator as the administrator. */
export async function call(url: string, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  // Every operation called here returns an object or no body.
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
