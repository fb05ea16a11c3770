import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ownManifest } from "../../api/manifest";
import { redactor } from "../../api/redact";
import { ServerError } from "../../api";
import { calls, label, verbs } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";
import { skipIdleTime } from "../support/idle-time";
import { temporary } from "../support/temporary";

skipIdleTime();

const { serve, connect } = bench();
let folder = "";
beforeEach(() => (folder = temporary()));

const lines = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\S+Z endpoint-monitoring\[\d+\] /, "").replace(/\d+ ms/, "N ms"));

test("each request names the client in its User-Agent header", async () => {
  const service = await serve(({ method }) => (method === "DELETE" ? {} : { body: label }));
  const client = connect(service);
  for (const verb of verbs) await calls[verb](client);
  const { version } = ownManifest();
  const asked = service.arrived.map(({ headers }) => headers["user-agent"]);
  expect(new Set(asked)).toEqual(
    new Set([`pulumi-endpoint-monitoring/${version} (node ${process.versions.node}; ${process.platform})`]),
  );
});

test('the log contains every request at level "debug", but no successful request at level "info"', async () => {
  const service = await serve(({ method }, nth) =>
    method === "GET" && nth === 1
      ? { status: 503, body: { detail: "body-text" } }
      : { body: label, headers: { "x-request-id": "r-7" } },
  );
  for (const level of ["debug", "info"] as const) {
    const client = connect(service, { log: { level, file: join(folder, level) }, token: "given-token" });
    await calls.GET(client);
    await calls.POST(client);
  }
  expect(lines(join(folder, "debug"))).toEqual([
    "debug labels.get GET /v7/endpoint/labels/1 503 N ms",
    "info labels.get GET /v7/endpoint/labels/1 waits: the service failed (503) N ms",
    "debug labels.get GET /v7/endpoint/labels/1 200 N ms request r-7 attempt 2",
    "debug labels.create POST /v7/endpoint/labels 200 N ms request r-7",
  ]);
  // The service works by then.
  expect(() => readFileSync(join(folder, "info"))).toThrow("ENOENT");
  expect(readFileSync(join(folder, "debug"), "utf8")).not.toMatch(/given-token|body-text|Office/);
  expect(statSync(join(folder, "debug")).mode & 0o077).toBe(0);
});

test('the log contains failures and waits at level "info"', async () => {
  const service = await serve((_request, nth) => (nth === 1 ? { breaks: "before the head" } : { body: label }));
  await calls.GET(connect(service, { log: { level: "info", file: join(folder, "log") } }));
  expect(lines(join(folder, "log"))).toMatchObject([
    expect.stringMatching(/^info labels\.get GET \S+ the connection was .* N ms$/),
    expect.stringMatching(/^info labels\.get GET \S+ waits: the connection was .* N ms$/),
  ]);
});

test("the client still sends requests if it cannot write the log file", async () => {
  const written: string[] = [];
  const write = jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const service = await serve(() => ({ body: label }));
    const client = connect(service, { log: { level: "debug", file: join(folder, "no/such/folder") } });
    await calls.GET(client);
    await calls.GET(client);
  } finally {
    write.mockRestore();
  }
  expect(written).toEqual([expect.stringContaining("ENDPOINT_MONITORING_LOG_FILE cannot be written: ENOENT")]);
});

const secret = 'tö"ken/+1 %&=?\\2';
const echoes: [string, string][] = [
  ["as it is", secret],
  ["URL-encoded", encodeURIComponent(secret)],
  ["URL-encoded, in small letters", encodeURIComponent(secret).toLowerCase()],
  ["form-encoded", new URLSearchParams({ a: secret }).toString()],
  ["as JSON", JSON.stringify({ a: secret })],
  ["as JSON in ASCII", String.raw`"t\u00f6\"ken/+1 %&=?\\2"`],
  ["as Base64", Buffer.from(secret).toString("base64")],
  ["as Base64 for URLs", Buffer.from(secret).toString("base64url")],
  ...[0, 1, 2, 3].map((before): [string, string] => [
    `within Base64, after ${before} bytes`,
    Buffer.from(`${"x".repeat(before)}${secret}:more`).toString("base64"),
  ]),
];

test.each(echoes)("errors hide secrets that the service echoes %s", async (_how, echoed) => {
  // Checks the result independently of the known forms: no decoding of the remaining text contains the secret.
  const redacted = redactor([secret])(`before ${echoed} after`);
  expect(redacted).toContain("[secret]");
  const decodings = [redacted, redacted.replaceAll(/%(?![0-9A-Fa-f]{2})/g, ""), Buffer.from(redacted, "base64").toString()];
  for (const text of decodings) expect(text).not.toContain("ken/+1 %");

  const service = await serve(() => ({ status: 500, body: { detail: `no: ${echoed}` }, headers: { "x-request-id": "id" } }));
  const error = await failureOf(
    ServerError,
    calls.POST(connect(service, { token: undefined, clientId: "c", clientSecret: secret })),
  ).catch((other: unknown) => other as Error);
  expect(error.message).toContain("[secret]");
  expect(error.message).not.toContain(echoed);
});

test("errors hide a token that is part of a request id", async () => {
  const service = await serve(() => ({ status: 500, body: {}, headers: { "x-request-id": "id-given-token" } }));
  const error = await failureOf(ServerError, calls.POST(connect(service)));
  expect([error.requestId, error.message.includes("given-token")]).toEqual(["id-[secret]", false]);
});
