import {
  checkBaseUrl,
  ConfigurationError,
  createClient,
  readSettings,
  settings,
  type SettingName,
  type Settings,
} from "../../api";
import { createClient as createPublicClient } from "../../api/public";

const url = "https://api.example.com";
const valid = { baseUrl: url, token: "t" };
type Given = Partial<Record<SettingName, string>>;

const read = (configured: Given, env: NodeJS.ProcessEnv = {}): Settings => readSettings((name) => configured[name], env);

/** Returns the message about wrong settings. */
function problems(configured: Given, env?: NodeJS.ProcessEnv): string {
  try {
    read(configured, env);
  } catch (error) {
    if (error instanceof ConfigurationError && error.code === "configuration" && !error.outcomeUnknown) return error.message;
    throw error;
  }
  throw new Error("nothing was found wrong");
}

/** Each setting with a distinct value. */
const all: Record<SettingName, string> = {
  baseUrl: url,
  token: "a-token",
  clientId: "an-id",
  clientSecret: "a-secret",
  clientAuthentication: "basic",
  scope: "read write",
  tenantId: "tenant",
  serviceBearerToken: "user-token",
  timeout: "2.5",
  deadline: "9.5",
  createOutcomeTimeout: "7.5",
  readLag: "0",
  accountGroupId: "12",
  adopt: "identical",
  movedFrom: "https://old.example.com/v7, http://127.0.0.1:1",
  replaceOrder: "create-first",
  previewReach: "off",
};
const allRead: Settings = {
  client: {
    baseUrl: url,
    token: "a-token",
    clientId: "an-id",
    clientSecret: "a-secret",
    clientAuthentication: "basic",
    scope: "read write",
    tenantId: "tenant",
    serviceBearerToken: "user-token",
    timeout: 2.5,
    deadline: 9.5,
    proxies: {},
  },
  accountGroupId: "12",
  createOutcomeTimeout: 7.5,
  readLag: 0,
  adopt: "identical",
  movedFrom: ["https://old.example.com", "http://127.0.0.1:1"],
  replaceOrder: "create-first",
  previewReach: false,
};
// The keys of a literal.
const names = Object.keys(settings) as SettingName[];
const inEnvironment = (configured: Given): NodeJS.ProcessEnv =>
  Object.fromEntries(names.flatMap((name) => (configured[name] === undefined ? [] : [[settings[name].env, configured[name]]])));

test("the client reads each setting from the stack configuration or the environment", () => {
  expect(read(all)).toEqual(allRead);
  expect(read({}, inEnvironment(all))).toEqual(allRead);
});

test.each(names)("a configured value of the setting %s overrides the environment unless the value is empty", (name) => {
  const wrong = { ...inEnvironment(all), [settings[name].env]: "http://no.example.com" };
  // Credentials in the environment are only for the service in the environment: see below.
  const credentials = name === "baseUrl" ? { token: all.token } : {};
  expect(read({ ...credentials, [name]: all[name] }, wrong)).toEqual(allRead);
  expect(read({ [name]: "" }, inEnvironment(all))).toEqual(allRead);
  expect(settings[name].env).toBe(`ENDPOINT_MONITORING_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
});

describe("allowed hosts of a token", () => {
  const elsewhere = "https://elsewhere.example.org";
  const ofEnvironment = inEnvironment({ baseUrl: url, token: "t" });

  test("the client sends a token from the environment only to the environment's base URL", () => {
    expect(problems({ baseUrl: elsewhere }, ofEnvironment)).toBe(
      `${baseUrl} in the configuration leads to elsewhere.example.org, but ENDPOINT_MONITORING_TOKEN belongs to api.example.com, the host of ENDPOINT_MONITORING_BASE_URL. Nothing was sent. Correct the wrong setting, or set token for elsewhere.example.org in the configuration.`,
    );
  });

  test.each([
    ["client secret", { clientId: "a", clientSecret: "b" }, { clientId: "a" }],
    ["bearer token", { serviceBearerToken: "b" }, { clientId: "a", clientSecret: "b" }],
  ])("the client sends a %s from the environment only to the environment's base URL", (_, environment, configured) => {
    const env = inEnvironment({ baseUrl: url, ...environment });
    expect(problems({ ...configured, baseUrl: elsewhere }, env)).toContain("Nothing was sent");
    expect(read({ ...configured, baseUrl: `${url}/v7` }, env).client.clientSecret).toBe("b");
  });

  test.each<[string, Given, NodeJS.ProcessEnv]>([
    ["the same service", { baseUrl: `${url}/v7/` }, ofEnvironment],
    ["a token of its own", { baseUrl: elsewhere, token: "own" }, ofEnvironment],
    ["an environment without a service", { baseUrl: elsewhere }, inEnvironment({ token: "t" })],
    [
      "a rehearsal",
      { baseUrl: "http://127.0.0.1:1" },
      { ...ofEnvironment, ENDPOINT_MONITORING_REHEARSAL: "http://127.0.0.1:1" },
    ],
  ])("the settings permit a base URL that differs from the environment's base URL: %s", (_, configured, env) => {
    expect(read(configured, env).client.baseUrl).toBe(configured.baseUrl);
  });

  test.each([
    "api.example.com",
    "API.example.com , other.example.com",
    "other.example.com,api.example.com",
    "api.example.com:443",
  ])("the client rejects a base URL with a host outside ENDPOINT_MONITORING_ALLOWED_HOSTS=%s", (hosts) => {
    const env = { ENDPOINT_MONITORING_ALLOWED_HOSTS: hosts };
    const allowed = hosts.toLowerCase().replace(":443", "").split(/[ ,]+/);
    expect(read({ token: "t", baseUrl: `${url}:443` }, env).client.token).toBe("t");
    for (const other of [elsewhere, `${url}:8443`, "https://api.example.com.evil.example", "http://127.0.0.1:1"]) {
      expect(problems({ token: "t", baseUrl: other }, env)).toBe(
        `${baseUrl} leads to ${new URL(other).host}, but requests may go only to ${allowed.join(" and ")}. Nothing was sent. ` +
          `If ${new URL(other).host} is right, set ENDPOINT_MONITORING_ALLOWED_HOSTS=${[...allowed, new URL(other).host].join(",")}.`,
      );
    }
  });

  test("ENDPOINT_MONITORING_ALLOWED_HOSTS accepts internationalized host names", () => {
    const none = problems({ token: "t", baseUrl: url }, { ENDPOINT_MONITORING_ALLOWED_HOSTS: "," });
    expect(none).toContain(
      "leads to api.example.com, but no host is allowed yet. Nothing was sent. If api.example.com is right, set",
    );
    const env = { ENDPOINT_MONITORING_ALLOWED_HOSTS: "bücher.example" };
    expect(read({ token: "t", baseUrl: "https://BÜCHER.example" }, env).client.token).toBe("t");
    expect(problems({ token: "t", baseUrl: "https://xn--bcher-lva.example" }, env)).toContain("leads to xn--bcher-lva.example");
  });

  test("ENDPOINT_MONITORING_ALLOWED_HOSTS also restricts a client that a program creates directly", () => {
    process.env["ENDPOINT_MONITORING_ALLOWED_HOSTS"] = "api.example.com";
    try {
      expect(() => createPublicClient({ ...valid, baseUrl: elsewhere })).toThrow(/leads to elsewhere\.example\.org/);
      expect(createPublicClient(valid)).toBeDefined();
    } finally {
      delete process.env["ENDPOINT_MONITORING_ALLOWED_HOSTS"];
    }
  });
});

test("the client reads settings from the process environment by default", () => {
  const before = { ...process.env };
  Object.assign(process.env, inEnvironment({ baseUrl: url, token: "from-the-process" }));
  try {
    expect(readSettings(() => undefined).client).toMatchObject({ baseUrl: url, token: "from-the-process" });
  } finally {
    process.env = before;
  }
});

test("each setting has its documented default", () => {
  const { client, ...rest } = read(valid);
  expect(rest).toEqual({
    accountGroupId: undefined,
    createOutcomeTimeout: 60,
    readLag: 120,
    adopt: undefined,
    movedFrom: [],
    previewReach: true,
    replaceOrder: "delete-first",
  });
  expect(Object.entries(client).filter(([, value]) => value !== undefined)).toEqual(Object.entries({ ...valid, proxies: {} }));
});

test("one error lists all wrong environment variables and stack settings", () => {
  const env = { HTTPS_PROXY: "http://", ENDPOINT_MONITORING_LOG: "everything" };
  const log = "ENDPOINT_MONITORING_LOG must be info or debug";
  expect(problems({ token: "t" }, env)).toBe(`${baseUrl} is missing; ${log}.`);
  expect(problems({ token: "t", baseUrl: "https://api.example.com" }, env)).toBe(
    `${log}; HTTPS_PROXY is not a proxy URL. Use a URL such as http://proxy.example.com:3128 or ` +
      "socks5://proxy.example.com:1080, or add api.example.com to NO_PROXY.",
  );
});

const secretValue = "s3cret-value";

test("one error lists all wrong settings without their values", () => {
  const message = problems({
    baseUrl: `ftp://${secretValue}`,
    clientId: secretValue,
    clientAuthentication: secretValue,
    timeout: secretValue,
    createOutcomeTimeout: secretValue,
    readLag: secretValue,
    adopt: secretValue,
    replaceOrder: secretValue,
  });
  expect(
    message
      .split("; ")
      .map((problem) => problem.replace(/ \(pulumi config set (--secret )?endpoint-monitoring:\w+, or [A-Z_]+\)/, "")),
  ).toEqual([
    "baseUrl must start with https://",
    "clientSecret is required with clientId",
    "timeout must be a number of seconds above 0",
    "createOutcomeTimeout must be a number of seconds above 0",
    "readLag must be a number of seconds, 0 or more",
    "clientAuthentication must be form or basic",
    "adopt must be identical",
    "replaceOrder must be delete-first or create-first.",
  ]);
  expect(message).not.toContain(secretValue);
});

const token = "token (pulumi config set --secret endpoint-monitoring:token, or ENDPOINT_MONITORING_TOKEN)";
const baseUrl = "baseUrl (pulumi config set endpoint-monitoring:baseUrl, or ENDPOINT_MONITORING_BASE_URL)";

test.each<[Given, string]>([
  [{}, `${baseUrl} is missing; ${token} is missing, and so are clientId and clientSecret.`],
  [{ token: "t" }, `${baseUrl} is missing.`],
  [{ baseUrl: url }, `${token} is missing, and so are clientId and clientSecret.`],
  [
    { baseUrl: url, clientSecret: secretValue },
    "clientId (pulumi config set endpoint-monitoring:clientId, or ENDPOINT_MONITORING_CLIENT_ID) is required with clientSecret.",
  ],
  [
    { ...valid, token: `${secretValue}\n` },
    `${token} contains a space, a line break or another character that tokens never contain.`,
  ],
  [
    { ...valid, token: `Bearer ${secretValue}` },
    `${token} contains a space, a line break or another character that tokens never contain.`,
  ],
  ...["0", "-1", "x", "1s", "Infinity"].map((timeout): [Given, string] => [
    { ...valid, timeout },
    "timeout (pulumi config set endpoint-monitoring:timeout, or ENDPOINT_MONITORING_TIMEOUT) must be a number of seconds above 0.",
  ]),
])("the error explains the mistake in the settings %j", (configured, message) => {
  const reported = problems(configured);
  expect(reported).toBe(message);
  expect(reported).not.toContain(secretValue);
});

describe("base URLs in the settings", () => {
  test.each([
    "https://api.example.com",
    "https://api.example.com/v7",
    "https://10.0.0.1:8443/gateway",
    "http://localhost:8080",
    "http://127.0.0.1:1",
    "http://127.9.9.9",
    "http://127.1",
    "http://[::1]:80/",
    "HTTPS://API.EXAMPLE.COM",
  ])("the settings accept the base URL %s", (good) => {
    expect(checkBaseUrl(good)).toBeUndefined();
    expect(read({ ...valid, baseUrl: good }).client.baseUrl).toBe(good);
  });

  const plain = "is plain HTTP to a host that is not this machine; use https (plain HTTP is for loopback addresses only)";
  test.each([
    ["http://api.s3cret-value.com", plain],
    ["http://127.0.0.1.s3cret-value.com", plain],
    ["http://localhost.s3cret-value.com", plain],
    ["http://128.0.0.1", plain],
    ["http://0.0.0.0", plain],
    ["http://[::2]", plain],
    ["api.s3cret-value.com", "is not a URL; use a URL such as https://api.thousandeyes.com"],
    ["https://", "is not a URL; use a URL such as https://api.thousandeyes.com"],
    ["ftp://api.s3cret-value.com", "must start with https://"],
    ["localhost:8080", "must start with https://"],
    [
      "https://user:s3cret-value@api.example.com",
      "must not contain a user or password; use token, or clientId and clientSecret",
    ],
    ["https://s3cret-value@api.example.com", "must not contain a user or password; use token, or clientId and clientSecret"],
    ["https://api.example.com?token=s3cret-value", "must not have a query or a fragment, which a request would not send"],
    ["https://api.example.com/v7?s3cret-value", "must not have a query or a fragment, which a request would not send"],
    ["http://localhost:1#s3cret-value", "must not have a query or a fragment, which a request would not send"],
    ["https://api.example.com/?", "must not have a query or a fragment, which a request would not send"],
  ])("the settings and the client reject the base URL %s", (bad, reason) => {
    expect(problems({ ...valid, baseUrl: bad })).toBe(`${baseUrl} ${reason}.`);
    expect(() => createClient({ baseUrl: bad, token: "t" })).toThrow(new ConfigurationError(`${baseUrl} ${reason}.`));
    expect(`${baseUrl} ${reason}`).not.toContain(secretValue);
  });
});
