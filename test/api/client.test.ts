import { type Answer, ConfigurationError, ConnectionError, createClient, readSettings, UnauthorizedError } from "../../api";
import { start } from "../../emulator";
import { calls, label } from "../support/api/calls";
import { bench, failureOf, type Answer as Scripted } from "../support/api/service";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const { serve, connect } = bench();

const date = "Sat, 21 Nov 2026 16:00:00 GMT";
const limits = {
  date,
  "x-organization-rate-limit-limit": "240",
  "x-organization-rate-limit-remaining": "17",
  "x-organization-rate-limit-reset": "1795276860",
};

test("the callback onAnswer receives each response, including errors and responses to retries", async () => {
  const seen: Answer[] = [];
  const service = await serve((_request, nth): Scripted =>
    nth === 1 ? { status: 503, body: {}, headers: limits } : { body: label, headers: { date } },
  );
  const client = connect(service, { onAnswer: (answer) => seen.push(answer) });
  await calls.GET(client);
  expect(seen).toMatchObject([
    {
      operation: "labels.get",
      status: 503,
      date: Date.parse(date),
      limits: { organization: { limit: 240, remaining: 17, reset: 1_795_276_860_000 }, instant: undefined },
    },
    { operation: "labels.get", status: 200, limits: { organization: undefined, instant: undefined } },
  ]);
});

test("the callback onAnswer receives responses to token requests without secrets", async () => {
  const seen: Answer[] = [];
  const service = await serve(({ path }): Scripted =>
    path === "/v7/oauth2/token"
      ? { body: { access_token: "issued-token" }, headers: { "set-cookie": "session=cookie-value" } }
      : { status: 401, body: { error_description: "no" }, headers: { "www-authenticate": "Bearer issued-token" } },
  );
  const credentials = { clientId: "some-client", clientSecret: "some-secret" };
  const client = createClient({ baseUrl: service.url, ...credentials, onAnswer: (answer) => seen.push(answer) });
  await failureOf(UnauthorizedError, calls.GET(client));
  expect(seen.map(({ operation, status }) => [operation, status])).toEqual([
    ["token.issue", 200],
    ["labels.get", 401],
    ["token.issue", 200],
    ["labels.get", 401],
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/issued-token|some-client|some-secret|cookie-value/);
});

test("the callback onAnswer receives no request budget if the rate-limit headers are incomplete", async () => {
  const seen: Answer[] = [];
  const { "x-organization-rate-limit-reset": _reset, ...partial } = limits;
  const service = await serve(() => ({ body: label, headers: { ...partial, date: "whenever" } }));
  await calls.GET(connect(service, { onAnswer: (answer) => seen.push(answer) }));
  expect(seen).toMatchObject([{ date: undefined, limits: { organization: undefined } }]);
});

test("the emulator's Date headers follow the emulator's clock", async () => {
  const now = Date.parse("2031-05-06T07:08:09.500Z");
  const emulator = await start({ now: () => now });
  const seen: Answer[] = [];
  const client = createClient({ baseUrl: emulator.url, token: "emulator-token", onAnswer: (answer) => seen.push(answer) });
  try {
    await client.accountGroups.list();
    expect(seen).toMatchObject([
      { date: Date.parse("2031-05-06T07:08:09Z"), limits: { organization: { limit: 240, remaining: 239 } } },
    ]);
  } finally {
    await client.close();
    await emulator.close();
  }
});

test("a connection error names the failed phase of the connection", async () => {
  const gone = await serve(() => ({}));
  const { port } = gone;
  await gone.close();
  const silent = await serve(() => ({ silent: true }));
  const broken = await serve(() => ({ breaks: "in the body", body: label }));
  const phaseOf = async (url: string): Promise<string> =>
    (await failureOf(ConnectionError, calls.POST(connect({ url }, { timeout: 0.5 })))).phase;
  expect(await phaseOf("https://nowhere.invalid")).toBe("dns");
  expect(await phaseOf(`http://127.0.0.1:${port}`)).toBe("connect");
  expect(await phaseOf(silent.url.replace("http:", "https:"))).toBe("tls");
  expect(await phaseOf(silent.url)).toBe("answer");
  expect(await phaseOf(broken.url)).toBe("answer");
});

test("a configuration error lists all wrong settings", () => {
  const read = (values: Record<string, string>): unknown => {
    try {
      return readSettings((name) => values[name], {});
    } catch (error) {
      return error instanceof ConfigurationError ? error.settings : error;
    }
  };
  expect(read({})).toEqual(["baseUrl", "token"]);
  expect(read({ baseUrl: "https://a.example", clientId: "c", timeout: "-1", adopt: "x" })).toEqual([
    "clientSecret",
    "timeout",
    "adopt",
  ]);
});
