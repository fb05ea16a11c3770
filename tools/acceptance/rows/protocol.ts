import { gzipSync } from "node:zlib";
import { paths } from "../ask";
import { type Json, type Row } from "../row";
import { type Answer } from "../session";

const sizeHeaders = ["content-encoding", "transfer-encoding", "content-length"];

/** HTTP: sizes, methods, media types. */
export const protocolRows: readonly Row[] = [
  {
    id: "body-size-and-nesting",
    topic: "body size, nesting",
    emulator: "at most 1 MiB (413) and 32 levels (400)",
    known: "not stated",
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
    emulator: "problem bodies",
    known: "the statuses are stated, their bodies are not",
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
    emulator: "the quality counts; between equal ones `application/hal+json`",
    known: "not stated",
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
    topic: "how bodies of answers are sent",
    emulator: "with their length, without compression and without a byte order mark",
    known: "HTTP allows others (RFC 9110); of the recorded headers only three were kept",
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
    topic: "a host that is not the emulator's",
    emulator: "421, as protection from web pages; a malformed one is a 400",
    known: "not stated",
    file: "emulator/server.ts",
    reason: "it protects the emulator alone; which hosts lead to the service is for its network to decide",
  },
  {
    id: "compressed-body",
    topic: "compressed request body",
    emulator: "400 with a problem body",
    known: "reported without a body",
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
    topic: "unknown path",
    emulator: "404 with a problem body, so that a wrong base URL explains itself",
    known: "reported without a body",
    file: "emulator/server.ts",
    probe: async (ask) => {
      const { status, body } = await ask.get("/v7/endpoint/no-such-path");
      return { status, hasBody: body !== undefined };
    },
    answers: { status: 404, hasBody: true },
  },
  {
    id: "repeated-parameter",
    topic: "a parameter given twice",
    emulator: "400, lists excepted",
    known: "not stated",
    file: "emulator/request.ts",
    probe: async (ask) => ({ status: (await ask.get(paths.label, { max: ["1", "2"] })).status }),
    answers: { status: 400 },
  },
  {
    id: "refusals-without-a-reason",
    topic: "429 within the request budget, and 5xx",
    emulator: "none, unless it is told to",
    known: "a limit of 240 a minute is stated; 500 and 502 are listed for tests",
    file: "emulator/rate-limit.ts",
    // oxlint-disable-next-line require-await -- it looks at all requests before it
    probe: async (ask) => ({ seen: ask.trouble }),
    answers: { seen: [] },
  },
];
