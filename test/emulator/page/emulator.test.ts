import { useEmulator } from "../../support/emulator";
import { flat, look } from "../support";

const ownCredentials = { token: "own-token", clientId: "own-id", clientSecret: "own's-secret" };
const emulator = useEmulator({ ...ownCredentials, rateLimit: 100 });

test("the page /emulator shows the URL, credentials, rate limit and pending faults", async () => {
  const { url } = emulator;
  await fetch(`${url}/v7/account-groups`, { headers: { authorization: "Bearer own-token" } });
  const faults = [
    { kind: "status", status: 502, operation: "labels.list", n: 3 },
    { kind: "latency", ms: 1200, method: "GET" },
  ];
  for (const fault of faults) await emulator.call("POST", "/_emulator/faults", fault);
  const markup = await (await look(url, "/emulator")).text();
  for (const fact of [
    `ENDPOINT_MONITORING_BASE_URL=${url}`,
    "ENDPOINT_MONITORING_TOKEN=own-token",
    "ENDPOINT_MONITORING_CLIENT_ID=own-id",
    "ENDPOINT_MONITORING_CLIENT_SECRET='own'\\''s-secret'",
    "99 of 100 a minute",
    "Pending faults 2",
    "status any method, labels.list 3 status 502",
    "latency GET, any operation 1 1,200 ms",
  ])
    expect(flat(markup)).toContain(fact);
  // The page's script sends this request if the user presses "Drop".
  const [, method = "", path = ""] = /data-send="(DELETE) ([^"]*)" aria-label="Drop status"/.exec(markup) ?? [];
  await emulator.call(method, path);
  expect(await emulator.call("GET", "/_emulator/faults")).toMatchObject({ faults: [{ kind: "latency" }] });
  await expect(emulator.call(method, path)).rejects.toThrow("404");
});
