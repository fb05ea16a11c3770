import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { join } from "node:path";
import type { MeasuredRequest } from "../../emulator/measure/exchange";
import { fetchOnce } from "../../emulator/measure/http";
import { addressOf, mayContact, parseAllowedTarget } from "../../emulator/measure/targets";
import { probe } from "../../emulator/measure/tcp";
import { closeServer, portOf } from "./loopback";
import { temporary } from "../support/temporary";

const never = new AbortController().signal;
const here = { address: "127.0.0.1", family: 4 };
const servers: (Server | TcpServer)[] = [];

afterAll(() => Promise.all(servers.map(closeServer)));

async function http(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer);
  servers.push(server);
  return `http://127.0.0.1:${await portOf(server)}`;
}

function fetched(url: string, more: Partial<MeasuredRequest> = {}, allowed: readonly { host: string }[] = []) {
  const request = { url, ipVersion: "V4_ONLY", timeLimit: 5000, sslVersionId: "0", verifyCertificate: true, ...more };
  return fetchOnce(request, allowed, never);
}

describe("targets of measurements", () => {
  test.each([
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["localhost", true],
    ["LOCALHOST", true],
    ["0.0.0.0", false],
    ["10.0.0.1", false],
    ["128.0.0.1", false],
    ["::2", false],
    ["127.0.0.1.example.com", false],
    ["localhost.example.com", false],
    ["127.1", false],
    ["www.example.com", false],
    ["", false],
  ])("the host %s is an allowed target by default: %s", (host, expected) => {
    expect(mayContact({ host, port: 80 }, [])).toBe(expected);
  });

  test("an allowed target permits a single port or all ports of a host", () => {
    const allowed = ["gateway.test", "Portal.test:8443", "10.0.0.1:80", "[fd00::1]:443", "fd00::2"].map((text) => {
      const parsed = parseAllowedTarget(text);
      if (!parsed) throw new Error(text);
      return parsed;
    });
    const may = (host: string, port: number) => mayContact({ host, port }, allowed);
    expect([may("gateway.test", 1), may("GATEWAY.test", 65_535)]).toEqual([true, true]);
    expect([may("portal.test", 8443), may("portal.test", 443)]).toEqual([true, false]);
    expect([may("10.0.0.1", 80), may("10.0.0.1", 81), may("10.0.0.2", 80)]).toEqual([true, false, false]);
    expect([may("fd00::1", 443), may("fd00::1", 80), may("fd00::2", 7)]).toEqual([true, false, true]);
    expect(may("other.gateway.test", 1)).toBe(false);
  });

  test.each(["", "a:b", "host:0", "host:65536", "http://host", "a b", ":80"])(
    "the emulator rejects %j as an allowed target",
    (text) => {
      expect(parseAllowedTarget(text)).toBeUndefined();
    },
  );

  test("a measurement uses an address of the test's IP version", async () => {
    await expect(addressOf({ host: "localhost", port: 1 }, "V4_ONLY", [])).resolves.toMatchObject({ address: "127.0.0.1" });
    await expect(addressOf({ host: "::1", port: 1 }, "V6_PREFER", [])).resolves.toMatchObject({ address: "::1" });
    await expect(addressOf({ host: "127.0.0.1", port: 1 }, "V6_ONLY", [])).rejects.toThrow(
      "has no address for the IP version policy V6_ONLY",
    );
  });
});

describe("TCP measurements", () => {
  test("a measurement reports total loss for a closed port", async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on("error", () => undefined).resume();
    });
    servers.push(server);
    const port = await portOf(server);
    const figures = await probe(here, port, never);
    expect(figures).toMatchObject({ loss: 0, sourceIp: "127.0.0.1", error: undefined });
    expect(figures.sent).toBe(figures.received);
    expect(connections).toBe(figures.sent);
    const { minLatency = NaN, avgLatency = NaN, maxLatency = NaN, jitter = NaN } = figures;
    expect(minLatency).toBeGreaterThan(0);
    expect(avgLatency).toBeGreaterThanOrEqual(minLatency);
    expect(maxLatency).toBeGreaterThanOrEqual(avgLatency);
    expect(jitter).toBeLessThanOrEqual(maxLatency - minLatency);

    await closeServer(server);
    const after = await probe(here, port, never);
    expect(after).toMatchObject({ received: 0, loss: 100, error: `connect ECONNREFUSED 127.0.0.1:${port}` });
    expect(after).not.toHaveProperty("avgLatency");
  });

  test("an abort signal stops a measurement", async () => {
    await expect(probe(here, 1, AbortSignal.abort())).rejects.toThrow("aborted");
  });
});

describe("HTTP measurements", () => {
  test("an HTTP measurement contains the headers of request and response", async () => {
    const body = "x".repeat(100_000);
    const url = await http((_request, response) => response.writeHead(200, { "x-server": "bench" }).end(body));
    const figures = await fetched(`${url}/page?q=1`);
    expect(figures).toMatchObject({
      errorType: "none",
      responseCode: 200,
      numRedirects: 0,
      redirectTime: 0,
      wireSize: body.length,
      serverIp: "127.0.0.1",
      sourceIp: "127.0.0.1",
    });
    expect(figures).not.toHaveProperty("errorDetails");
    expectSums(figures);
    expect(figures.throughput).toBeGreaterThan(0);
    expect(figures.headers.requestHeaders).toMatch(/^GET \/page\?q=1 HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
    expect(figures.headers.responseHeaders).toMatch(/^HTTP\/1\.1 200 OK\r\nx-server: bench\r\n/);
  });

  test("an HTTP measurement reports the wait time and the receive time separately", async () => {
    const url = await http((_request, response) => {
      setTimeout(() => {
        response.writeHead(200).write("first");
        setTimeout(() => response.end("second"), 100);
      }, 200);
    });
    const figures = await fetched(url);
    expectSums(figures);
    // Timers may fire up to a millisecond early.
    expect(figures.waitTime).toBeGreaterThanOrEqual(195);
    expect(figures.receiveTime).toBeGreaterThanOrEqual(95);
    expect(figures.connectTime).toBeLessThan(195);
  });

  test.each([
    ["before the response", (): RequestListener => () => undefined, undefined],
    ["in its body", (): RequestListener => (_request, response) => void response.writeHead(200).write("part"), 200],
  ])("the time limit of a test ends a request %s", async (_when, listener, responseCode) => {
    const figures = await fetched(await http(listener()), { timeLimit: 150 });
    expect(figures).toMatchObject({ errorType: "receive", errorDetails: "not complete within 150 ms" });
    expect(figures.responseCode).toBe(responseCode);
    expect(figures.totalTime).toBeGreaterThanOrEqual(145);
    expect(figures.totalTime).toBeLessThan(5000);
  });

  test.each([404, 500, 503])("an HTTP measurement reports status %d as an error and includes the times", async (status) => {
    const figures = await fetched(await http((_request, response) => response.writeHead(status).end("no")));
    expect(figures).toMatchObject({ errorType: "http", responseCode: status, errorDetails: `HTTP ${status}`, wireSize: 2 });
    expectSums(figures);
  });

  test("an HTTP measurement reports invalid HTTP, broken connections and refused connections differently", async () => {
    const babble = createTcpServer((socket) =>
      socket
        .on("error", () => undefined)
        .resume()
        .end("SSH-2.0-nothing\r\n"),
    );
    const hangUp = createTcpServer((socket) => socket.on("error", () => undefined).once("data", () => socket.destroy()));
    servers.push(babble, hangUp);
    const [babblePort, two] = await Promise.all([portOf(babble), portOf(hangUp)]);
    expect(await fetched(`http://127.0.0.1:${babblePort}`)).toMatchObject({ errorType: "http", numRedirects: 0 });
    expect(await fetched(`http://127.0.0.1:${two}`)).toMatchObject({ errorType: "receive" });
    await closeServer(hangUp);
    const refused = await fetched(`http://127.0.0.1:${two}`);
    expect(refused).toMatchObject({ errorType: "connect", errorDetails: `connect ECONNREFUSED 127.0.0.1:${two}` });
    expect([refused.responseCode, refused.waitTime, refused.responseTime]).toEqual([undefined, undefined, undefined]);
  });

  test("an HTTP measurement reports an unresolvable host name as an error of type dns", async () => {
    const figures = await fetched("http://name.invalid/", {}, [{ host: "name.invalid" }]);
    expect(figures).toMatchObject({ errorType: "dns" });
    expect(figures).not.toHaveProperty("serverIp");
    expect(await fetched("http://127.0.0.1/", { ipVersion: "V6_ONLY" })).toMatchObject({ errorType: "dns" });
  });

  test("an HTTP measurement follows only local redirects", async () => {
    const url = await http((request, response) => {
      const [, remaining = "0"] = /^\/(\d+)$/.exec(request.url ?? "") ?? [];
      if (request.url === "/away") response.writeHead(302, { location: "http://www.example.com/" }).end();
      else if (request.url === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
      else if (remaining === "0") response.end("here");
      else setTimeout(() => response.writeHead(302, { location: `/${Number(remaining) - 1}` }).end(), 20);
    });
    const followed = await fetched(`${url}/3`);
    expect(followed).toMatchObject({ errorType: "none", responseCode: 200, numRedirects: 3, wireSize: 4 });
    expect(followed.redirectTime).toBeGreaterThanOrEqual(3 * 18);
    expect(await fetched(`${url}/20`)).toMatchObject({ errorType: "http", responseCode: 302, numRedirects: 10 });
    const away = await fetched(`${url}/away`);
    expect(away).toMatchObject({ errorType: "http", responseCode: 302, numRedirects: 0, serverIp: "127.0.0.1" });
    expect(away.errorDetails).toContain("www.example.com:80");
    expect(await fetched(`${url}/file`)).toMatchObject({
      errorType: "http",
      errorDetails: "redirect to file: is not followed",
    });
  });

  test("an HTTP measurement sends user and password only to the test's own origin", async () => {
    const seen: (string | undefined)[] = [];
    const other = await http((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const url = await http((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: other }).end();
    });
    const figures = await fetched(url, { basic: { username: "anna", password: "s3cret" } });
    expect(seen).toEqual([`Basic ${Buffer.from("anna:s3cret").toString("base64")}`, undefined]);
    expect(JSON.stringify(figures)).not.toContain(Buffer.from("anna:s3cret").toString("base64"));
  });
});

describe("HTTPS measurements", () => {
  let url: string;

  beforeAll(async () => {
    const folder = temporary();
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const certificate = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", [...certificate, "-subj", "/CN=localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
    const server = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
      response.end("secret page");
    });
    servers.push(server);
    url = `https://localhost:${await portOf(server)}`;
  });

  test("an HTTPS measurement rejects a self-signed certificate unless verification is off", async () => {
    const refused = await fetched(url);
    expect(refused).toMatchObject({ errorType: "ssl", serverIp: "127.0.0.1" });
    expect(refused.errorDetails).toContain("self-signed certificate");
    expect([refused.connectTime, refused.sslTime, refused.responseCode]).toEqual([expect.any(Number), undefined, undefined]);
    const taken = await fetched(url, { verifyCertificate: false });
    expect(taken).toMatchObject({ errorType: "none", responseCode: 200, wireSize: 11 });
    expectSums(taken);
  });

  test("an HTTPS measurement uses the TLS version that the test requests", async () => {
    const tls13 = await fetched(url, { verifyCertificate: false, sslVersionId: "7" });
    expect(tls13).toMatchObject({ errorType: "none" });
    expect(await fetched(url, { verifyCertificate: false, sslVersionId: "3" })).toMatchObject({
      errorType: "ssl",
      errorDetails: "SSLv3 is not supported on this machine",
    });
    // The server's own minimum is TLS 1.2.
    expect(await fetched(url, { verifyCertificate: false, sslVersionId: "4" })).toMatchObject({ errorType: "ssl" });
  });

  test("an HTTPS measurement reports a port without TLS as an error of type ssl", async () => {
    const plain = await http((_request, response) => response.end());
    expect(await fetched(plain.replace("http:", "https:"))).toMatchObject({ errorType: "ssl" });
  });
});

function expectSums(figures: Awaited<ReturnType<typeof fetchOnce>>): void {
  const { dnsTime, connectTime, sslTime, waitTime, receiveTime, responseTime, totalTime } = figures;
  const parts = [dnsTime, connectTime, sslTime, waitTime].map((time) => time ?? NaN);
  for (const part of [...parts, receiveTime ?? NaN]) expect(part).toBeGreaterThanOrEqual(0);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(responseTime);
  expect(totalTime).toBe((responseTime ?? NaN) + (receiveTime ?? NaN));
}
