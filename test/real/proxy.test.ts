/**
 * Simulates a company's network: requests reach the service only through a proxy, and the service's certificate is from a
 * private authority.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Authority, Proxy } from "../support/proxy";
import { Stack } from "./support/stack";
import { temporary } from "../support/temporary";

const host = "service.invalid";
const folder = temporary();
const logFile = join(folder, "log");
let stack: Stack;
let authority: Authority;
const opened: { close(): Promise<void> }[] = [];
let proxy: Proxy;

beforeAll(async () => {
  stack = await Stack.start({ agents: 0, allowHosts: [host] });
  authority = Authority.make(host);
  const tls = await authority.terminate(Number(new URL(stack.emulator.url).port));
  proxy = await new Proxy({ hosts: { [`${host}:443`]: tls.port }, credentials: "user:pass-of-proxy" }).start();
  opened.push(proxy, tls);
  stack.configure({ baseUrl: `https://${host}` });
  Object.assign(stack.environment, {
    HTTPS_PROXY: proxy.url.replace("//", "//user:pass-of-proxy@"),
    NODE_EXTRA_CA_CERTS: authority.file,
    ENDPOINT_MONITORING_LOG: "debug",
    ENDPOINT_MONITORING_LOG_FILE: logFile,
  });
  stack.declare({ office: { kind: "Label", args: { name: "Office", matchType: "and", filters: [] } } });
});
afterAll(async () => {
  for (const server of opened) await server.close();
  await stack.end();
  authority.remove();
});

test("the provider sends each request through the proxy", async () => {
  expect(await stack.up()).toEqual({ create: 2 });
  expect(await stack.ids("labels")).toHaveLength(1);
  expect(new Set(proxy.log)).toEqual(new Set([`CONNECT ${host}:443 200`]));
  const log = readFileSync(logFile, "utf8");
  expect(log).toMatch(/Z endpoint-monitoring\[\d+\] debug labels\.create POST \/v7\/endpoint\/labels 201 \d+ ms/);
  expect(log).not.toMatch(/emulator-token|pass-of-proxy/);
});

test("`check` prints the proxy's URL without the password", async () => {
  const run = await stack.startCli("check").ended;
  expect(run.text).toContain(`https://${host} answers through the proxy ${proxy.url}`);
  expect(run.text).not.toContain("pass-of-proxy");
});

test("`check` reports an unknown certificate issuer if the private certificate authority is missing", async () => {
  stack.environment["HTTPS_PROXY"] = proxy.url.replace("//", "//user:pass-of-proxy@");
  delete stack.environment["NODE_EXTRA_CA_CERTS"];
  const run = await stack.startCli("check").ended;
  expect(run.text).toContain("TLS failed (the issuer of its certificate is not known)");
  expect(run.text).toContain("NODE_EXTRA_CA_CERTS");
  expect(stack.output).not.toContain("pass-of-proxy");
});
