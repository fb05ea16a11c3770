import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ConfigurationError, ConnectionError, type ClientOptions, readSettings } from "../../api";
import { skipIdleTime } from "../support/idle-time";
import { proxyOf } from "../../api/proxy";
import { Authority, type Fault, Proxy, type ProxyOptions, SocksProxy, type SocksOptions } from "../support/proxy";
import { calls, label, verbs } from "../support/api/calls";
import { bench, failureOf, type Service } from "../support/api/service";

/** A host that no name server knows, so that a request can only reach it through the proxy. */
const host = "service.invalid";
const baseUrl = `https://${host}`;
const { serve, connect } = bench();
const usual = getCACertificates("default");
const authority = Authority.make(host);
const opened: { close(): Promise<void> }[] = [];

beforeAll(() => setDefaultCACertificates([...usual, authority.certificate]));
afterEach(async () => {
  for (const server of opened.splice(0).toReversed()) await server.close();
});
afterAll(() => {
  setDefaultCACertificates(usual);
  authority.remove();
});

interface Behind {
  service: Service;
  proxy: Proxy;
}

/** The service, which is only reachable through a proxy. */
async function behindProxy(options: Partial<ProxyOptions> = {}): Promise<Behind> {
  const service = await serve(({ method }) => (method === "DELETE" ? {} : { body: label }));
  const tls = await authority.terminate(service.port);
  const proxy = await new Proxy({ hosts: { [`${host}:443`]: tls.port }, ...options }).start();
  opened.push(tls, proxy);
  return { service, proxy };
}

/** Options of a client in an environment with these variables. */
const within = (env: NodeJS.ProcessEnv): Partial<ClientOptions> =>
  readSettings((name) => ({ baseUrl, token: "given-token" } as Record<string, string>)[name], env).client;
const client = (env: NodeJS.ProcessEnv) => connect({ url: baseUrl }, within(env));

test.each(["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"])(
  "the client sends each request through the proxy in the variable %s",
  async (variable) => {
    const { service, proxy } = await behindProxy();
    const through = client({ [variable]: proxy.url });
    for (const verb of verbs) await calls[verb](through);
    expect(service.arrived).toHaveLength(verbs.length);
    expect([...new Set(proxy.log)]).toEqual([`CONNECT ${host}:443 200`]);
    // The client keeps connections.
    expect(proxy.log.length).toBeLessThan(verbs.length);
  },
);

test("the client prefers the variable HTTPS_PROXY to ALL_PROXY and HTTP_PROXY", async () => {
  const { service, proxy } = await behindProxy();
  const dead = "http://127.0.0.1:9";
  await calls.GET(client({ https_proxy: proxy.url, HTTPS_PROXY: dead, ALL_PROXY: dead, HTTP_PROXY: dead }));
  await calls.GET(client({ all_proxy: proxy.url, ALL_PROXY: dead, HTTP_PROXY: dead }));
  expect(service.arrived).toHaveLength(2);
});

test("the client accepts a proxy setting without a scheme", async () => {
  const { service, proxy } = await behindProxy();
  await calls.GET(client({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` }));
  expect(service.arrived).toHaveLength(1);
});

test("the client decodes percent-encoded credentials in the proxy's URL", async () => {
  const { service, proxy } = await behindProxy({ credentials: "user:pass@word" });
  await calls.GET(client({ HTTPS_PROXY: `http://user:pass%40word@127.0.0.1:${proxy.port}` }));
  expect([service.arrived.length, proxy.log]).toEqual([1, [`CONNECT ${host}:443 200`]]);
  // Only the proxy receives them.
  expect(service.arrived[0]?.headers).not.toHaveProperty("proxy-authorization");
});

test("the client connects directly to the host only if NO_PROXY names the host", async () => {
  const { service, proxy } = await behindProxy();
  for (const variable of ["NO_PROXY", "no_proxy"]) {
    const direct = client({ HTTPS_PROXY: proxy.url, [variable]: `other.example.com, ${host}` });
    const error = await failureOf(ConnectionError, calls.GET(direct));
    expect([error.phase, proxy.log]).toEqual(["dns", []]);
  }
  await calls.GET(client({ HTTPS_PROXY: proxy.url, NO_PROXY: `x${host}` }));
  expect(service.arrived).toHaveLength(1);
});

test("the client never uses a proxy for loopback addresses", async () => {
  const { service, proxy } = await behindProxy();
  const options = within({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url });
  await calls.GET(connect(service, { ...options, baseUrl: service.url }));
  expect([service.arrived.length, proxy.log]).toEqual([1, []]);
});

test("the client reads the proxy from the process environment by default", async () => {
  const { service, proxy } = await behindProxy();
  const before = { ...process.env };
  process.env["HTTPS_PROXY"] = proxy.url;
  try {
    await calls.GET(connect({ url: baseUrl }));
  } finally {
    process.env = before;
  }
  expect(service.arrived).toHaveLength(1);
});

const faults: Fault[] = ["reset", "close", "tunnel reset", "tunnel close", "tunnel page"];

describe("a proxy that fails before the request is sent", () => {
  skipIdleTime();

  type Case = [what: string, options: Partial<ProxyOptions>, message: RegExp, asked: number];
  test.each<Case>([
    [
      "missing or wrong credentials",
      { credentials: "user:secret" },
      /the proxy http:\/\/127\.0\.0\.1:\d+ requires a user name and password/,
      1,
    ],
    [
      "a host that the proxy forbids",
      { refuses: 403 },
      /does not allow connections to the host; if the host is reachable without a proxy, add it to NO_PROXY \(it answered 403\)/,
      1,
    ],
    ["an internal failure of the proxy", { refuses: 500 }, /could not reach the host \(it answered 500\)/, 4],
    ["a host that the proxy does not know", { hosts: {} }, /could not reach the host \(it answered 502\)/, 4],
  ])("the error message names the failure of the proxy: %s", async (_what, options, message, asked) => {
    const { service, proxy } = await behindProxy(options);
    const error = await failureOf(ConnectionError, calls.POST(client({ HTTPS_PROXY: proxy.url })));
    expect(error).toMatchObject({ phase: "proxy", outcomeUnknown: false });
    expect(error.message).toMatch(message);
    expect([service.arrived.length, proxy.log.length]).toEqual([0, asked]);
  });

  test.each(faults)("the client gives up a POST request after four failures of the proxy: %s", async (refuses) => {
    const { service, proxy } = await behindProxy({ refuses });
    const error = await failureOf(ConnectionError, calls.POST(client({ HTTPS_PROXY: proxy.url })));
    expect(error).toMatchObject({ outcomeUnknown: false });
    expect(error.message).toContain(`the proxy http://127.0.0.1:${proxy.port}`);
    expect([service.arrived.length, proxy.log.length]).toEqual([0, 4]);
  });

  test("the client reports rejected proxy credentials but hides their values", async () => {
    const { proxy } = await behindProxy({ credentials: "user:secret" });
    const error = await failureOf(
      ConnectionError,
      calls.GET(client({ HTTPS_PROXY: `http://user:wrong-password@127.0.0.1:${proxy.port}` })),
    );
    expect(error.message).toContain("(it answered 407)");
    expect(error.message).not.toContain("wrong-password");
  });

  test("the client reports that a proxy is unreachable", async () => {
    const error = await failureOf(ConnectionError, calls.POST(client({ HTTPS_PROXY: "http://127.0.0.1:9" })));
    expect(error).toMatchObject({ phase: "proxy", outcomeUnknown: false });
    expect(error.message).toContain("the proxy http://127.0.0.1:9 cannot be reached: the connection was refused");
  });

  test("the client reports an unknown proxy host name and does not retry", async () => {
    const error = await failureOf(ConnectionError, calls.GET(client({ HTTPS_PROXY: "http://proxy.invalid:3128" })));
    expect(error).toMatchObject({ phase: "proxy", mayPass: false });
    expect(error.message).toContain("the proxy http://proxy.invalid:3128 cannot be reached: the host name is not known");
  });

  test("the client reports a proxy that sends no response", async () => {
    const { proxy } = await behindProxy({ refuses: "silent" });
    const options = { ...within({ HTTPS_PROXY: proxy.url }), timeout: 0.1, deadline: 0.3 };
    const error = await failureOf(ConnectionError, calls.POST(connect({ url: baseUrl }, options)));
    expect(error.message).toMatch(/no response in time before the request was sent|no connection within 0.3 s/);
  });
});

test("the client reports a certificate error behind a proxy as a TLS error", async () => {
  setDefaultCACertificates(usual);
  try {
    const { proxy } = await behindProxy();
    const error = await failureOf(ConnectionError, calls.GET(client({ HTTPS_PROXY: proxy.url })));
    expect([error.phase, proxy.log.length]).toEqual(["tls", 1]);
  } finally {
    setDefaultCACertificates([...usual, authority.certificate]);
  }
});

test.each(["HTTPS_PROXY", "http_proxy"])(
  "the client rejects an invalid proxy URL in %s without showing the URL",
  (variable) => {
    for (const value of [
      "http://",
      "socks4://user:s3cret@proxy:1080",
      "http://user:s3cret@proxy:99999",
      "http://%E0:s3cret@proxy",
    ]) {
      let message = "";
      try {
        client({ [variable]: value });
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        ({ message } = error);
      }
      expect(message).toContain(`${variable} is not a proxy URL`);
      expect(message).not.toContain("s3cret");
    }
  },
);

/** Whether NO_PROXY exempts a host, and by which entries. */
const exemptions: [url: string, none: string, isExempt: boolean][] = [
  ["https://api.example.com", "example.com", true],
  ["https://api.example.com", ".example.com", true],
  ["https://api.example.com", "api.example.com:443", true],
  ["https://api.example.com", "*", true],
  ["https://api.example.com", "other.example.net, api.example.com", true],
  ["https://api.example.com", "pi.example.com", false],
  ["https://api.example.com", "api.example.com:8443", false],
  ["https://api.example.com", "example.net", false],
  ["https://10.1.2.3", "10.0.0.0/8", true],
  ["https://10.1.2.3", "example.com 10.1.2.0/24", true],
  ["https://10.1.2.3", "10.1.2.3", true],
  ["https://10.1.2.3:8443", "10.1.2.3:8443", true],
  ["https://10.1.2.3:8443", "10.0.0.0/8:8443", true],
  ["https://[2001:db8::7]", "2001:db8::/32", true],
  ["https://[2001:db8::7]", "[2001:db8::7]", true],
  ["https://[2001:db8::7]:8443", "[2001:db8::]/32", false],
  ["https://[2001:db8::7]:8443", "[2001:db8::7]:8443", true],
  ["https://10.1.2.3", "*", true],
  ["https://API.Example.com.", "api.example.com", true],
  ["https://api.example.com", "*.example.com", true],
  ["https://example.com", "*.example.com", false],
  ["https://11.1.2.3", "10.0.0.0/8", false],
  ["https://10.1.2.3", "10.0.0.0/33", false],
  ["https://10.1.2.3", "10.0.0.0/x", false],
  ["https://10.1.2.3:8443", "10.0.0.0/8:443", false],
  ["https://[2001:db9::7]", "2001:db8::/32", false],
  ["https://10.1.2.3", ".2.3", false],
  ["https://api.example.com", "0.0.0.0/0, ::/0", false],
];

test.each(exemptions)("a request to %s with the NO_PROXY entries %s bypasses the proxy: %s", (url, none, isExempt) => {
  const proxy = proxyOf(new URL(url), { https: "http://proxy.example.com:3128", none });
  expect(proxy?.host).toBe(isExempt ? undefined : "proxy.example.com:3128");
});

test("the client ignores an invalid proxy setting that no request uses", () => {
  const broken = { https_proxy: "socks4://proxy:1", ALL_PROXY: "http://", HTTP_PROXY: "ftp://proxy" };
  const read = (url: string, env: NodeJS.ProcessEnv): unknown =>
    readSettings((name) => ({ baseUrl: url, token: "given-token" } as Record<string, string>)[name], env).client.baseUrl;
  for (const url of ["http://127.0.0.1:8080", "http://localhost:8080", "https://[::1]:8443"]) {
    expect(read(url, broken)).toBe(url);
    connect({ url }, { proxies: { https: "socks4://proxy:1" } });
  }
  expect(read(baseUrl, { ...broken, NO_PROXY: host })).toBe(baseUrl);
  expect(read(baseUrl, { ...broken, https_proxy: "http://proxy.example.com" })).toBe(baseUrl);
  expect(() => connect({ url: baseUrl }, { proxies: { all: "socks4://proxy:1" } })).toThrow("proxies.all is not a proxy URL");
});

describe("a POST request that was not sent", () => {
  test.each(faults)("the client retries a POST request after a temporary proxy failure: %s", async (refuses) => {
    const { service, proxy } = await behindProxy({ refuses, times: 1 });
    await calls.POST(client({ HTTPS_PROXY: proxy.url }));
    expect([service.arrived.length, proxy.log.length]).toEqual([1, 2]);
  });

  test.each(["reset", "close"] as const)(
    "the client retries a POST request after a failed TLS handshake: %s",
    async (fault) => {
      const service = await serve(() => ({ body: label }));
      const ownAuthority = Authority.make("localhost");
      const tls = await ownAuthority.terminateAfter(1, fault, service.port);
      opened.push(tls);
      setDefaultCACertificates([...usual, ownAuthority.certificate]);
      try {
        await calls.POST(connect({ url: `https://localhost:${tls.port}` }));
      } finally {
        setDefaultCACertificates([...usual, authority.certificate]);
        ownAuthority.remove();
      }
      expect(service.arrived).toHaveLength(1);
    },
  );
});

describe("SOCKS5 proxies", () => {
  async function behindSocks(options: Partial<SocksOptions> = {}): Promise<{ service: Service; proxy: SocksProxy }> {
    const service = await serve(({ method }) => (method === "DELETE" ? {} : { body: label }));
    const tls = await authority.terminate(service.port);
    const proxy = await new SocksProxy({ hosts: { [`${host}:443`]: tls.port }, ...options }).start();
    opened.push(tls, proxy);
    return { service, proxy };
  }

  test.each(["socks5", "socks5h", "socks"])("the client lets the proxy resolve the host's name: %s", async (scheme) => {
    const { service, proxy } = await behindSocks();
    const through = client({ ALL_PROXY: `${scheme}://127.0.0.1:${proxy.port}` });
    for (const verb of verbs) await calls[verb](through);
    expect(service.arrived).toHaveLength(verbs.length);
    expect([...new Set(proxy.log)]).toEqual([`${host}:443 0`]);
    expect(proxy.log.length).toBeLessThan(verbs.length);
  });

  test("the client decodes percent-encoded credentials in the SOCKS5 proxy's URL", async () => {
    const { service, proxy } = await behindSocks({ credentials: "user:pass@word" });
    await calls.POST(client({ HTTPS_PROXY: `socks5://user:pass%40word@127.0.0.1:${proxy.port}` }));
    expect(service.arrived).toHaveLength(1);
  });

  describe("a proxy that refuses the connection", () => {
    skipIdleTime();

    type Case = [what: string, options: Partial<SocksOptions>, message: RegExp, asked: number];
    test.each<Case>([
      [
        "missing or wrong credentials",
        { credentials: "user:s3cret" },
        /refuses the user and password in its URL, or requires them/,
        0,
      ],
      [
        "a host that the proxy forbids",
        { refuses: 2 },
        /does not allow connections to the host; if the host is reachable without a proxy, add it to NO_PROXY/,
        1,
      ],
      ["an internal failure of the proxy", { refuses: 1 }, /could not reach the host/, 4],
      ["a host that the proxy does not know", { hosts: {} }, /could not reach the host/, 4],
      ["a closed connection", { refuses: "close" }, /cannot be reached: the connection was closed/, 0],
      ["no response", { refuses: "silent" }, /cannot be reached: no connection in time/, 0],
    ])("the client reports that the proxy refused the connection: %s", async (_what, options, message, asked) => {
      const { service, proxy } = await behindSocks(options);
      const through = within({ ALL_PROXY: `socks5://wrong:wrong-password@127.0.0.1:${proxy.port}` });
      const error = await failureOf(ConnectionError, calls.POST(connect({ url: baseUrl }, { ...through, timeout: 0.3 })));
      expect(error).toMatchObject({ phase: "proxy", outcomeUnknown: false });
      expect(error.message).toMatch(message);
      expect(error.message).toContain(`the proxy socks5://127.0.0.1:${proxy.port}`);
      expect(error.message + String(error.cause)).not.toContain("wrong-password");
      expect([service.arrived.length, proxy.log.length]).toEqual([0, asked]);
    });
  });
});
