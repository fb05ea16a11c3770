import {
  ApiError,
  ConnectionError,
  EndpointMonitoringError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  ValidationError,
  type ClientOptions,
} from "../../api";
import { calls, label, tokenCall } from "../support/api/calls";
import { bench, failureOf, type Answer, type Script, type Service } from "../support/api/service";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const { serve, connect } = bench();

const credentials: Partial<ClientOptions> = { token: undefined, clientId: "client", clientSecret: "client-secret" };

/** Issues the tokens `t1`, `t2`, … and answers other calls with a label, or with the result of `others` for the token. */
function issuing(answer: object = {}, others: (token: string) => Answer = () => ({ body: label })): Script {
  return ({ path, headers }, nth) =>
    path === "/v7/oauth2/token"
      ? { body: { access_token: `t${nth}`, token_type: "Bearer", ...answer } }
      : others(headers.authorization?.replace("Bearer ", "") ?? "");
}

const refuse: Answer = { status: 401, body: { error: "invalid_token", error_description: "Invalid access token" } };
const tokensOf = (service: Service): (string | undefined)[] =>
  service.to("GET /v7/endpoint/labels/1").map(({ headers }) => headers.authorization);
const form = (text = ""): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const everything = { scope: "read write", tenantId: "tenant-7", serviceBearerToken: "user-token" };
const everythingSent = { scope: "read write", x_tenant_id: "tenant-7", service_bearer_token: "user-token" };
const grant = { grant_type: "client_credentials" };
const inForm = { client_id: "client", client_secret: "client-secret" };

test.each<[string, Partial<ClientOptions>, object, string | undefined]>([
  ["by form", {}, { ...grant, ...inForm }, undefined],
  ["by form, with all options", everything, { ...grant, ...inForm, ...everythingSent }, undefined],
  ["by Basic", { clientAuthentication: "basic" }, grant, "client:client-secret"],
  [
    "by Basic, with all options",
    { clientAuthentication: "basic", ...everything },
    { ...grant, ...everythingSent },
    "client:client-secret",
  ],
  [
    "by Basic, with form-encoded user and password",
    { clientAuthentication: "basic", clientId: "a:b c", clientSecret: "p+/%ü&=" },
    grant,
    "a%3Ab+c:p%2B%2F%25%C3%BC%26%3D",
  ],
])("the client sends a token request %s", async (_, options, body, basic) => {
  const service = await serve(issuing());
  await calls.GET(connect(service, { ...credentials, ...options }));
  const [request] = service.to(tokenCall);
  expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(form(request?.body)).toEqual(body);
  const authorization = request?.headers.authorization;
  expect(authorization && Buffer.from(authorization.replace("Basic ", ""), "base64").toString()).toBe(basic);
  expect(tokensOf(service)).toEqual(["Bearer t1"]);
});

test("the client uses a configured token and requests no token", async () => {
  const service = await serve(issuing());
  await calls.GET(connect(service, { ...credentials, token: "given" }));
  expect(service.to(tokenCall)).toEqual([]);
  expect(tokensOf(service)).toEqual(["Bearer given"]);
});

test("concurrent requests share one token and one renewal", async () => {
  let revoked: string | undefined;
  const service = await serve(issuing({ expires_in: 3600 }, (token) => (token === revoked ? refuse : { body: label })));
  const client = connect(service, credentials);
  const together = (): Promise<unknown> => Promise.all(Array.from({ length: 12 }, () => calls.GET(client)));
  await together();
  expect(service.to(tokenCall)).toHaveLength(1);
  revoked = "t1";
  await together();
  expect(service.to(tokenCall)).toHaveLength(2);
  expect(tokensOf(service).filter((token) => token === "Bearer t2")).toHaveLength(12);
});

test("the client renews a token before the token expires", async () => {
  const started = new Map<string, number>();
  // A service that rejects a token a second after its first use.
  const ending = await serve(
    issuing({ expires_in: 1 }, (token) => {
      if (!started.has(token)) started.set(token, Date.now());
      return Date.now() - (started.get(token) ?? 0) > 1_000 ? refuse : { body: label };
    }),
  );
  const lasting = await serve(issuing());
  const clients = [connect(ending, credentials), connect(lasting, credentials)];
  for (let call = 0; call < 2; call += 1) {
    await Promise.all(clients.map((client) => calls.GET(client)));
    await Promise.all(clients.map((client) => calls.GET(client)));
    if (call === 0) await pause(1_000);
  }
  expect(tokensOf(ending)).toEqual(["Bearer t1", "Bearer t1", "Bearer t2", "Bearer t2"]);
  expect(lasting.to(tokenCall)).toHaveLength(1);
});

describe("a request that the service answers with 401", () => {
  test.each<[string, Partial<ClientOptions>, string[], number]>([
    ["the client renews the token once if it has client credentials", credentials, ["Bearer t1", "Bearer t2"], 2],
    ["the client does not renew a configured token", { token: "given" }, ["Bearer given"], 0],
  ])("%s", async (_, options, sent, asked) => {
    const service = await serve(issuing({}, () => refuse));
    await failureOf(UnauthorizedError, calls.GET(connect(service, options)));
    expect(tokensOf(service)).toEqual(sent);
    expect(service.to(tokenCall)).toHaveLength(asked);
  });

  test("the client repeats a POST request with a new token if the service returns status 401", async () => {
    const service = await serve(issuing({}, (token) => (token === "t1" ? refuse : { body: label })));
    await calls.POST(connect(service, credentials));
    expect(service.to("POST /v7/endpoint/labels").map(({ headers }) => headers.authorization)).toEqual([
      "Bearer t1",
      "Bearer t2",
    ]);
  });
});

describe("a failed token request", () => {
  const oauth = (error: string): object => ({ error, error_description: "Client authentication failed" });

  test.each<[number, abstract new (...args: never[]) => ApiError]>([
    [400, ValidationError],
    [401, UnauthorizedError],
  ])("the client sends rejected client credentials only once (status %i)", async (status, Class) => {
    const service = await serve(() => ({ status, body: oauth("invalid_client") }));
    const client = connect(service, credentials);
    const errors = await Promise.all([calls.GET(client), calls.GET(client)].map((call) => failureOf(Class, call)));
    errors.push(await failureOf(Class, calls.POST(client)));
    expect(errors.map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => "/v7/oauth2/token"));
    expect(service.arrived).toHaveLength(1);
  });

  test.each<[string, Answer, number, abstract new (...args: never[]) => EndpointMonitoringError]>([
    ["a service that is down", { status: 503, body: {} }, 4, ServerError],
    ["a network that is down", { breaks: "before the head" }, 4, ConnectionError],
    ["a used-up request budget", { status: 429, headers: { "retry-after": "0" }, body: {} }, 6, RateLimitedError],
  ])("the next request asks for a token again after a failed token request: %s", async (_, answer, times, Class) => {
    const issue = issuing();
    const service = await serve((request, nth) =>
      request.path === "/v7/oauth2/token" && nth <= times ? answer : issue(request, nth),
    );
    const client = connect(service, credentials);
    // Without a token, a POST has stored nothing.
    const error = await failureOf(Class, calls.POST(client));
    expect(error.outcomeUnknown).toBe(false);
    expect(service.arrived).toHaveLength(times);
    await calls.GET(client);
    expect(service.to(tokenCall)).toHaveLength(times + 1);
  });

  test("the client retries a token request after a broken connection", async () => {
    const issue = issuing();
    const service = await serve((request, nth) =>
      request.path === "/v7/oauth2/token" && nth === 1 ? { breaks: "in the body" } : issue(request, nth),
    );
    await calls.GET(connect(service, credentials));
    expect(service.to(tokenCall)).toHaveLength(2);
  });
});
