import { gzipSync } from "node:zlib";
import { paths } from "../ask";
import { type Json, type Row } from "../row";
import { type Answer } from "../session";

const sizeHeaders = ["content-encoding", "transfer-encoding", "content-length"];

export const protocolRows: readonly Row[] = [
  {
    id: "body-size-and-nesting",
    topic: "Size and nesting of a request body",
    emulator:
      "A request with a body above 1 MiB returns status 413. A request with more than 32 nested levels returns status 400",
    known: "Not documented",
    file: "emulator/request.ts",
    probe: async (ask) => {
      await ask.nobody();
      const large = await ask.label({ unknown: "x".repeat(1_100_000) });
      const deep = JSON.stringify(ask.labelBody({ unknown: 0 })).replace(":0}", `:${"[".repeat(40)}${"]".repeat(40)}}`);
      const nested = await ask.post(paths.label, undefined, { raw: deep, headers: { "content-type": "application/json" } });
      return { of1100000Bytes: large.status, of40Levels: nested.status };
    },
    answers: { of1100000Bytes: 413, of40Levels: 400 },
  },
  {
    id: "refused-methods-and-media-types",
    topic: "405, 406, 415",
    emulator: "Problem bodies",
    known: "The documentation lists the statuses, but not the response bodies",
    file: "emulator/server.ts",
    probe: async (ask) => {
      const seen = ({ status, headers }: Answer): Json => [status, headers["content-type"]?.split(";")[0]];
      await ask.nobody();
      const json = JSON.stringify(ask.labelBody());
      return {
        method: seen(await ask.send("PUT", paths.label, {})),
        accept: seen(await ask.get(paths.label, undefined, { headers: { accept: "text/plain" } })),
        contentType: seen(await ask.post(paths.label, undefined, { raw: json, headers: { "content-type": "text/plain" } })),
      };
    },
    answers: {
      method: [405, "application/problem+json"],
      accept: [406, "application/problem+json"],
      contentType: [415, "application/problem+json"],
    },
  },
  {
    id: "quality-of-accept",
    topic: "`Accept`",
    emulator:
      "The emulator chooses the media type with the highest quality, and prefers `application/hal+json` among media types of equal quality",
    known: "Not documented",
    file: "emulator/reply.ts",
    probe: async (ask) => {
      const typeFor = async (accept: string): Promise<string | undefined> =>
        (await ask.get(paths.label, undefined, { headers: { accept } })).headers["content-type"]?.split(";")[0];
      return {
        better: await typeFor("application/hal+json;q=0.4, application/json;q=0.5"),
        equal: await typeFor("application/json, application/hal+json"),
      };
    },
    answers: { better: "application/json", equal: "application/hal+json" },
  },
  {
    id: "framing-of-answers",
    topic: "Encoding of responses",
    emulator: "Responses have `content-length`, no compression and no byte order mark",
    known: "The recorded responses contain only three headers",
    file: "emulator/reply.ts",
    probe: async (ask) => {
      const { headers, isMarked } = await ask.get(paths.label);
      const encoding = headers["content-encoding"];
      const type = headers["content-type"];
      return {
        headers: sizeHeaders.filter((name) => name in headers),
        ...(encoding !== undefined && { encoding }),
        isMarked,
        type,
      };
    },
    answers: { headers: ["content-length"], isMarked: false, type: "application/hal+json" },
  },
  {
    id: "foreign-host",
    topic: "`Host` header with the name of another machine",
    emulator:
      "The emulator returns status 421, so that a web page cannot read the emulator's data under another host name. A request with a malformed `Host` header returns status 400",
    known: "Not documented",
    file: "emulator/server.ts",
    reason: "it protects only the emulator, and the network decides which hosts lead to the service",
  },
  {
    id: "compressed-body",
    topic: "Compressed request body",
    emulator: "The emulator returns status 400 with a problem body",
    known: "Users report that the service returns an empty body",
    file: "emulator/request.ts",
    probe: async (ask) => {
      await ask.nobody();
      const raw = new Uint8Array(gzipSync(JSON.stringify(ask.labelBody())));
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      const { status, body } = await ask.post(paths.label, undefined, { raw, headers });
      return { status, hasBody: body !== undefined };
    },
    answers: { status: 400, hasBody: true },
  },
  {
    id: "unknown-path",
    topic: "Unknown path",
    emulator: "The emulator returns status 404 with a problem body, which explains that the base URL may be wrong",
    known: "Users report that the service returns an empty body",
    file: "emulator/server.ts",
    probe: async (ask) => {
      const { status, body } = await ask.get("/v7/endpoint/no-such-path");
      return { status, hasBody: body !== undefined };
    },
    answers: { status: 404, hasBody: true },
  },
  {
    id: "repeated-parameter",
    topic: "A repeated parameter",
    emulator: "400, except for lists",
    known: "Not documented",
    file: "emulator/request.ts",
    probe: async (ask) => ({ status: (await ask.get(paths.label, { max: ["1", "2"] })).status }),
    answers: { status: 400 },
  },
  {
    id: "refusals-without-a-reason",
    topic: "Status 429 below the request limit, and status 5xx",
    emulator: "The emulator returns these statuses only if you inject a fault",
    known: "The documented limit is 240 requests per minute. The documentation lists the statuses 500 and 502 for tests",
    file: "emulator/rate-limit.ts",
    // oxlint-disable-next-line require-await -- it looks at all requests before it
    probe: async (ask) => ({ seen: ask.trouble }),
    answers: { seen: [] },
  },
];
