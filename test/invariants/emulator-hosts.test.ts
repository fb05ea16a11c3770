import { request } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { type EmulatorOptions, start } from "../../emulator";
import { paths } from "../emulator/support";

/** A header that browsers send to other origins only after the emulator has allowed it. */
const control = { "x-emulator-control": "" };

/** The emulator's status for a request to each host. */
async function statuses(
  options: EmulatorOptions,
  hosts: readonly string[],
  path: string = paths.label,
  method = "GET",
): Promise<Record<string, number | undefined>> {
  const emulator = await start(options);
  const statusOf: Record<string, number | undefined> = {};
  for (const host of hosts) {
    const headers = { host, authorization: "Bearer emulator-token", accept: "text/html, application/json", ...control };
    statusOf[host] = await new Promise((resolve, reject) => {
      const sent = request(emulator.url + path, { method, headers }, (answer) => resolve(answer.resume().statusCode));
      sent.on("error", reject).end();
    });
  }
  await emulator.close();
  return statusOf;
}

test("the emulator answers only requests for loopback host names", async () => {
  expect(
    await statuses({}, [
      "localhost:1",
      "LOCALHOST.",
      "a.localhost",
      "127.0.0.1",
      "127.1.2.3:80",
      "[::1]:9",
      "example.com",
      "10.0.0.1",
    ]),
  ).toEqual({
    "localhost:1": 200,
    "LOCALHOST.": 200,
    "a.localhost": 200,
    "127.0.0.1": 200,
    "127.1.2.3:80": 200,
    "[::1]:9": 200,
    "example.com": 421,
    "10.0.0.1": 421,
  });
});

test.each(["/", "/labels", "/requests", "/page/requests?limit=9", "/page/script.js", "/_emulator/requests"])(
  "the emulator serves %s only if the Host header names a loopback host",
  async (path) =>
    expect(await statuses({}, ["localhost", "rebound.test"], path)).toEqual({ localhost: 200, "rebound.test": 421 }),
);

test.each([
  ["POST", "/_emulator/reset", 204],
  ["DELETE", `${paths.label}/1`, 404],
])("the emulator refuses a %s request to %s unless the Host header names a loopback host", async (method, path, status) =>
  expect(await statuses({}, ["localhost", "rebound.test"], path, method)).toEqual({ localhost: status, "rebound.test": 421 }),
);

test("the emulator also answers requests for host names in the option allowHosts", async () => {
  expect(await statuses({ allowHosts: ["ci.example", "10.0.0.1"] }, ["CI.example:80", "10.0.0.1", "b.ci.example"])).toEqual({
    "CI.example:80": 200,
    "10.0.0.1": 200,
    "b.ci.example": 421,
  });
  for (const host of ["http://ci.example", "ci.example:80", ""]) {
    await expect(start({ allowHosts: [host] })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  }
});

test("the emulator answers requests for this machine's addresses if it listens on all addresses", async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).flatMap((address) => (address.family === "IPv4" ? [address.address] : [])),
  );
  const ownHosts = [hostname(), ...addresses];
  expect(await statuses({ host: "0.0.0.0" }, [...ownHosts, "example.com"])).toEqual({
    ...Object.fromEntries(ownHosts.map((host) => [host, 200])),
    "example.com": 421,
  });
});

test.each([
  ["POST", {}, 403],
  ["POST", { "content-type": "text/plain" }, 403],
  ["POST", { "content-type": "application/json; charset=utf-8" }, 204],
  ["POST", { "x-emulator-control": "" }, 204],
  ["POST", { authorization: "Basic ZTpl" }, 403],
  ["POST", { authorization: "Bearer any" }, 204],
  ["POST", { "content-type": "application/json", origin: "http://evil.test" }, 403],
  ["POST", { "content-type": "application/json", origin: "null" }, 403],
  ["POST", { "content-type": "application/json", "sec-fetch-site": "same-site" }, 403],
  ["POST", { "content-type": "application/json", "sec-fetch-site": "same-origin" }, 204],
  ["GET", {}, 200],
  ["GET", { "sec-fetch-site": "none" }, 200],
  ["GET", { "sec-fetch-site": "cross-site" }, 403],
] as const)("a control request with method %s and headers %j gets status %i", async (method, headers, status) => {
  const emulator = await start();
  const path = method === "GET" ? "requests" : "requests/reset";
  expect((await fetch(`${emulator.url}/_emulator/${path}`, { method, headers })).status).toBe(status);
  await emulator.close();
});
