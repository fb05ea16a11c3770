import { tolerated, type Variation, type Effect, isManaged, problem, rejected, type PendingResponse } from "./variation";

const http = "HTTP allows it (RFC 9110); of the recorded headers only three were kept";
const hal = "the interface states application/hal+json; recorded with an Accept of application/json, and answered so";
const limits = "a limit of 240 a minute is stated; what a 429 looks like was never recorded";
const failures = "500 and 502 are listed for tests, and for no labels";
const area = "refusals of endpoint tests were never recorded; neighboring areas have this form";

const each = (change: (response: PendingResponse) => void): Effect => ({ answer: (_heard, response) => change(response) });
const encoded = (encoding: NonNullable<PendingResponse["encoding"]>): Effect =>
  each((response) => void (response.encoding = encoding));

function typed(name: string, type: string): Variation {
  const effect = each((response) => {
    if (response.status < 300 && response.body !== undefined) response.headers["content-type"] = type;
  });
  return tolerated(name, `answers with the content type \`${type}\``, hal, effect);
}

/** Returns this response to the first request of each method and path, without carrying it out. */
function firstOf(methods: readonly string[], response: () => PendingResponse): Effect {
  return {
    request: (request) =>
      isManaged(request) && methods.includes(request.operation.method) && request.nth === 1 ? response() : undefined,
  };
}

/** Rejects each create. */
function creates(response: () => PendingResponse): Effect {
  return { request: (request) => (isManaged(request) && request.verb === "create" ? response() : undefined) };
}

const correction = "There were some errors in your request, please correct them before trying again.";

/** Encodings, content types, pace, and the texts of rejections. */
export const transport: readonly Variation[] = [
  tolerated("gzip", "compresses responses with gzip", http, encoded("gzip")),
  tolerated("deflate", "compresses responses with deflate", http, encoded("deflate")),
  tolerated("br", "compresses responses with brotli", http, encoded("br")),
  tolerated(
    "chunked",
    "sends responses in chunks, without their length",
    http,
    each((response) => void (response.chunked = true)),
  ),
  tolerated(
    "byte-order-mark",
    "begins responses with a byte order mark",
    "JSON should have none (RFC 8259)",
    each((response) => {
      if (typeof response.body === "object") response.body = `\ufeff${JSON.stringify(response.body)}`;
    }),
  ),
  typed("type-json", "application/json"),
  typed("type-charset", "application/json;charset=UTF-8"),
  typed("type-vendor", "application/vnd.service.v7+json"),
  {
    ...tolerated("slow", "takes a time for every response", "no times are stated", (ms) =>
      each((response) => void (response.waitMs = ms)),
    ),
    takesTime: true,
  },
  tolerated(
    "rate-limited-once",
    "answers each first request with 429",
    limits,
    firstOf(["GET", "POST", "PATCH", "PUT", "DELETE"], () => ({
      ...problem(429, "429 Too Many Requests"),
      headers: { "content-type": "application/problem+json", "retry-after": "0" },
    })),
  ),
  tolerated(
    "rate-limited-bare",
    "answers each first write with a 429 without a body",
    limits,
    firstOf(["POST", "PATCH", "PUT"], () => ({
      status: 429,
      headers: { "retry-after": "0" },
      body: undefined,
    })),
  ),
  tolerated(
    "reads-503-once",
    "fails each first read with 503",
    failures,
    firstOf(["GET"], () => problem(503, "503 Service Unavailable")),
  ),
  tolerated(
    "updates-502-once",
    "fails each first update with 502",
    failures,
    firstOf(["PATCH", "PUT"], () => problem(502, "502 Bad Gateway")),
  ),
  tolerated(
    "deletes-500-once",
    "fails each first delete with 500",
    failures,
    firstOf(["DELETE"], () => problem(500, "500 Internal Server Error")),
  ),
  tolerated("account-groups-403", "does not show account groups to the role", "its permission is not stated", {
    request: ({ operation }) => (operation.id === "accountGroups.list" ? problem(403, "403 Forbidden") : undefined),
  }),
  rejected(
    "mute-400",
    "refuses creates with `400 Bad Request` alone",
    area,
    "the request had",
    creates(() => problem(400, "400 Bad Request")),
  ),
  rejected(
    "bare-400",
    "refuses creates with a 400 without a body",
    area,
    "the request had",
    creates(() => ({ status: 400, headers: {}, body: undefined })),
  ),
  rejected(
    "titled-400",
    "names a field in the title of a 400",
    area,
    "agents: No agents selected",
    creates(() => problem(400, `${correction} Error in field agentSet : No agents selected.`)),
  ),
  rejected(
    "word-400",
    "names a field in the detail of a 400",
    area,
    "protocol: invalid value",
    creates(() =>
      problem(400, "request validation failed. There are invalid or missing fields", {
        detail: "Invalid value for fields: protocol",
      }),
    ),
  ),
  rejected(
    "listed-400",
    "names a field in a list of errors",
    "stated in the interface document, and never recorded",
    "name is too long",
    creates(() => problem(400, "Validation failed", { errors: [{ code: "size", field: "name", message: "is too long" }] })),
  ),
  rejected(
    "forbidden-400",
    "answers a missing permission with 400",
    "recorded for account groups",
    "You do not have permissions",
    creates(() => problem(400, `${correction} You do not have permissions to do this..`)),
  ),
  rejected(
    "forbidden-403",
    "answers a missing permission with 403 for creates",
    "stated; recorded for account groups",
    "Add the permission to the role",
    creates(() => problem(403, "403 Forbidden\nYou do not have permissions to create this")),
  ),
  rejected(
    "role-500",
    "answers a missing permission with 500",
    "recorded for roles",
    "the permissions of the role",
    creates(() => problem(500, "500 Internal Server Error\nPlease contact support if the problem persists.")),
  ),
];
