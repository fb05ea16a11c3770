import { digest } from "../../support/digest";
import { Bench, minimal, paths } from "../support";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.close());

test.each([
  ["https://example.com:443", "https://example.com:443", "example.com", 443],
  ["https://example.com", "https://example.com:443", "example.com", 443],
  ["http://example.com/a?b=c#d", "http://example.com:80/a?b=c#d", "example.com", 80],
  ["example.com", "https://example.com:443", "example.com", 443],
  ["example.com:8443/x", "https://example.com:8443/x", "example.com", 8443],
  ["example.com/from?to=http://b", "https://example.com:443/from?to=http://b", "example.com", 443],
  ["HTTPS://Example.com", "https://Example.com:443", "Example.com", 443],
  ["http://[::1]", "http://[::1]:80", "[::1]", 80],
  ["http://[::1]:8080/", "http://[::1]:8080/", "[::1]", 8080],
])("the emulator returns the URL %s as %s", async (sent, url, server, port) => {
  const created = await bench.call("POST", paths.httpServer, { body: { ...minimal.httpServer, url: sent } });
  expect(created.body).toMatchObject({ url, server, port });
  const testPath = `${paths.httpServer}/${created.body.testId}`;
  const again = await bench.call("PATCH", testPath, { body: { url } });
  expect(again.body).toMatchObject({ url, server, port });
});

test("the emulator never returns the password of an HTTP server test", async () => {
  const secret = { password: "s3cret-word", targetResponseTime: 900 };
  const body = { ...minimal.httpServer, ...secret, authType: "ntlm", username: "u", sslVersionId: "6", hasPing: false };
  const created = await bench.call("POST", paths.httpServer, { body });
  expect(created.body).toMatchObject({ useNtlm: true, username: "u", sslVersionId: "6", sslVersion: "TLSv1.2" });
  const got = await bench.call("GET", `${paths.httpServer}/${created.body.testId}`);
  const listed = await bench.call("GET", paths.httpServer);
  for (const text of [created.text, got.text, listed.text]) {
    for (const member of ["password", "s3cret-word", "targetResponseTime", "hasPing", "hasTraceroute", "serverName"]) {
      expect(text).not.toContain(member);
    }
  }
  const { body: record } = await bench.call("GET", `/_emulator/records/http-server-tests/${created.body.testId}`);
  expect(record.body).toMatchObject({ ...secret, password: digest(secret.password) });
});
