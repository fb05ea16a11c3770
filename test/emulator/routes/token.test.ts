import { Bench, minimal, paths, type Sent } from "../support";

let now = Date.parse("2026-01-01T00:00:00Z");
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start({ now: () => now, tokenLifetimeSeconds: 60 });
});
afterAll(() => bench.close());

const good = { grant_type: "client_credentials", client_id: "emulator", client_secret: "emulator-secret" };
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
const grantOnly = { grant_type: "client_credentials" };

const ask = (form: Record<string, string>, more: Sent = {}) =>
  bench.call("POST", "/v7/oauth2/token", { token: null, raw: new URLSearchParams(form), ...more });

test.each<[string, Record<string, string>, Record<string, string>]>([
  ["by form", good, {}],
  ["by HTTP Basic", grantOnly, basic("emulator:emulator-secret")],
  ["by HTTP Basic, form-encoded", grantOnly, basic("emul%61tor:emulator%2Dsecret")],
  ["with a tenant", { ...good, x_tenant_id: "t1" }, {}],
  ["with a known scope", { ...good, scope: "read endpoint-tests:read" }, {}],
  ["for a user", { ...good, service_bearer_token: "emulator-read-only-token" }, {}],
  ["with unknown parameters", { ...good, audience: "x" }, {}],
])("the emulator issues a valid token %s", async (_title, form, headers) => {
  const issued = await ask(form, { headers });
  expect(issued.status).toBe(200);
  expect(issued.body).toMatchObject({ token_type: "Bearer", expires_in: 60, scope: form["scope"] ?? "read" });
  expect(issued.headers.get("cache-control")).toBe("no-store");
  expect((await bench.call("GET", paths.label, { token: issued.body.access_token })).status).toBe(200);
});

test.each<[string, number, string, Record<string, string>, Sent]>([
  ["wrong grant type", 400, "unsupported_grant_type", { ...good, grant_type: "password" }, {}],
  ["no grant type", 400, "invalid_request", { client_id: "emulator", client_secret: "emulator-secret" }, {}],
  ["wrong secret", 401, "invalid_client", { ...good, client_secret: "x" }, {}],
  ["wrong client", 401, "invalid_client", { ...good, client_id: "x" }, {}],
  ["no client", 401, "invalid_client", grantOnly, {}],
  ["wrong client secret in Basic", 401, "invalid_client", grantOnly, { headers: basic("emulator:x") }],
  ["Basic without colon", 401, "invalid_client", grantOnly, { headers: basic("emulator") }],
  ["a Bearer header", 401, "invalid_client", good, { headers: { authorization: "Bearer emulator-token" } }],
  ["unknown scope", 400, "invalid_scope", { ...good, scope: "read everything" }, {}],
  ["unknown user token", 401, "invalid_token", { ...good, service_bearer_token: "nobody" }, {}],
  [
    "a parameter twice",
    400,
    "invalid_request",
    {},
    { raw: new URLSearchParams([...Object.entries(good), ["client_id", "x"]]) },
  ],
  ["empty body", 400, "invalid_request", {}, {}],
])("a token request with %s returns status %i and the error %s", async (_title, status, error, form, more) => {
  const refused = await ask(form, more);
  expect([refused.status, refused.body]).toEqual([status, { error, error_description: expect.any(String) }]);
  expect(refused.text).not.toContain("emulator-secret");
});

test("the emulator rejects a token request if its body is not a form", async () => {
  const json = { headers: { "content-type": "application/json" }, raw: JSON.stringify(good) };
  expect(await ask(good, json)).toMatchObject({ status: 415, body: { error: "invalid_request" } });
});

test("an issued token becomes invalid when it expires or is revoked", async () => {
  const list = async (token: string | null) => (await bench.call("GET", paths.label, { token })).status;
  const first = (await ask(good)).body.access_token;
  now += 59_999;
  expect(await list(first)).toBe(200);
  now += 1;
  expect(await list(first)).toBe(401);

  const second = (await ask(good)).body.access_token;
  expect(await list(second)).toBe(200);
  await bench.call("POST", "/_emulator/tokens/revoke");
  expect(await list(second)).toBe(401);
  expect(await list("emulator-token")).toBe(200);
});

test("the emulator rejects a forged token", async () => {
  const token: string = (await ask({ ...good, service_bearer_token: "emulator-read-only-token" })).body.access_token;
  const [payload = "", signature] = token.split(".");
  const claims = Buffer.from(payload, "base64url").toString().replace('"2"', '"1"');
  const forged = `${Buffer.from(claims).toString("base64url")}.${signature}`;
  expect(forged).not.toBe(token);
  for (const bad of [forged, payload, `${token}.x`, "."]) {
    expect((await bench.call("GET", paths.label, { token: bad })).status).toBe(401);
  }
});

describe("bearer tokens", () => {
  test.each<[string, Sent]>([
    ["no token", { token: null }],
    ["an unknown token", { token: "x" }],
    ["another scheme", { token: null, headers: basic("emulator:emulator-secret") }],
    ["an empty token", { token: null, headers: { authorization: "Bearer " } }],
  ])("the emulator returns status 401 for a write request with %s and stores nothing", async (_title, sent) => {
    const refused = await bench.call("POST", paths.label, { ...sent, body: minimal.label });
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ error: "invalid_token", error_description: "Invalid access token" });
    expect(await bench.everything()).toEqual([]);
  });
});
