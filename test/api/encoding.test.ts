import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { decode } from "../../api/encoding";
import { ApiError, ProtocolError, UnconfirmedError } from "../../api";
import { calls, label } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";

const { serve, connect } = bench();

const text = JSON.stringify({ ...label, name: "Büro 🏢 ".repeat(200) });
const encodings: [string, Buffer][] = [
  ["gzip", gzipSync(text)],
  ["x-gzip", gzipSync(text)],
  ["GZip", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["deflate", deflateRawSync(text)],
  ["br", brotliCompressSync(text)],
  ["identity", Buffer.from(text)],
  ["deflate, gzip", gzipSync(deflateSync(text))],
  ["gzip, identity", gzipSync(text)],
];

test.each(encodings)("the client decodes a response body with content encoding %s", async (encoding, body) => {
  const service = await serve(() => ({ headers: { "content-type": "application/json", "content-encoding": encoding }, body }));
  expect(await calls.GET(connect(service))).toMatchObject(JSON.parse(text) as object);
  expect(service.arrived[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br");
});

test.each<[string, string, Buffer, string]>([
  ["an encoding that it did not accept", "zstd", zstdCompressSync(text), "its content encoding is zstd"],
  ["text that is not compressed", "gzip", Buffer.from(text), "its gzip encoding is damaged, or was cut off"],
  ["half of a gzip response", "gzip", gzipSync(text).subarray(0, 60), "its gzip encoding is damaged, or was cut off"],
  ["half of a response", "br", brotliCompressSync(text).subarray(0, 40), "its br encoding is damaged, or was cut off"],
  ["a chain of encodings", "gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(text))), "it has 3 content encodings"],
])("the client rejects a response body with %s (%s)", async (_, encoding, body, reason) => {
  const service = await serve(() => ({ headers: { "content-type": "application/json", "content-encoding": encoding }, body }));
  expect((await failureOf(ProtocolError, calls.GET(connect(service)))).message).toContain(reason);
  // The service may have stored the record.
  expect(await failureOf(UnconfirmedError, calls.POST(connect(service)))).toMatchObject({ outcomeUnknown: true });
});

test("the client stops decoding a compressed body at the size limit", async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  const service = await serve(() => ({
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: bomb,
  }));
  const { message } = await failureOf(ProtocolError, calls.GET(connect(service)));
  expect(message).toContain("it is larger than 64 MiB when decoded");
  expect(await decode(gzipSync(Buffer.alloc(101)), "gzip", 100)).toMatchObject({
    text: "",
    damage: expect.stringContaining("larger"),
  });
  expect(await decode(gzipSync(Buffer.alloc(100)), "gzip", 100)).toEqual({ text: "\0".repeat(100) });
});

test("the client reports the status of an error response with an undecodable body", async () => {
  const headers = { "content-type": "application/problem+json", "content-encoding": "gzip" };
  const good = await serve(() => ({ status: 400, headers, body: gzipSync('{"detail":"Bad name"}') }));
  expect((await failureOf(ApiError, calls.GET(connect(good)))).reason).toBe("Bad name");
  const bad = await serve(() => ({ status: 403, headers, body: Buffer.from("{}") }));
  expect(await failureOf(ApiError, calls.GET(connect(bad)))).toMatchObject({ status: 403, reason: "" });
});

test("the client accepts a content-encoding header in a response without a body", async () => {
  const service = await serve(() => ({ status: 204, headers: { "content-encoding": "gzip" } }));
  expect(await calls.DELETE(connect(service))).toBeUndefined();
});
