/** Variations of the API in addition to the emulator's. Each row works, or fails clearly. */
import { gzipSync } from "node:zlib";
import { type Exchange, type JsonValue, type Variation, listed } from "../support/varied-service";

/** Changes a response, or a record in a response for rows with `records`. The members replace the response's members. */
type Change = Partial<Exchange> | ((exchange: JsonValue) => unknown);
/**
 * `on` contains verbs and conditions: `instead` of the service's response, `first` request of a path, `empty` lists, `missing` records, and
 * `records` for each record in responses. `fails` contains words of the message if the provider may fail.
 */
type Row = readonly [name: string, on: string, change: Change, fails?: string];

function variationOf([name, on, change, fails]: Row): Variation {
  const words = on.split(" ");
  const applies = (exchange: Exchange): boolean =>
    (words.includes(exchange.verb) || (words.includes("all") && exchange.verb !== "other")) &&
    (!words.includes("first") || exchange.nth === 1) &&
    (words.includes("missing") ? exchange.status === 404 : exchange.status < 300) &&
    (!words.includes("empty") || listed(exchange).length === 0);
  const apply = (exchange: Exchange): void => {
    if (typeof change !== "function") Object.assign(exchange, change, { headers: { ...exchange.headers, ...change.headers } });
    else if (!words.includes("records")) change(exchange);
    else if (typeof exchange.body === "object") listed(exchange).forEach(change);
  };
  const step = (exchange: Exchange): boolean => {
    if (!applies(exchange)) return false;
    apply(exchange);
    return true;
  };
  return words.includes("instead") ? { name, fails, before: step } : { name, fails, after: step };
}

const [records, reads, writes] = ["records list get create update", "list get", "create update delete"];
const html = { body: "<!doctype html><title>Sign in</title>", headers: { "content-type": "text/html" } };
const busy = (status: number, retryAfter?: string): Change => ({
  status,
  body: { title: "Busy", status },
  headers: { "content-type": "application/problem+json", ...(retryAfter !== undefined && { "retry-after": retryAfter }) },
});
const retryAfter = ["1", "0", "-5", "0.5", "soon", "", "2, 3", "Wed, 21 Oct 2015 07:28:00 GMT", "2015-10-21"];
const dates = ["Fri, 01 Jan 2044 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "today", ""];
const types = ["APPLICATION/JSON", "application/json;charset=utf-8", 'application/json; charset="UTF-8"', "text/json"];
const openWords = ["protocol", "ipVersion", "tcpProbeMode", "application", "sslVersionId", "authType", "matchType", "icon"];
const closedWords = ["accessType", "objectType", "status"];
const unknownWord = (name: string) => (record: JsonValue) => name in record && (record[name] = "next-generation");
const emptied = ({ body }: Exchange): void =>
  void (body[Object.keys(body).find((name) => Array.isArray(body[name])) ?? ""] = []);
const next = (link: unknown, page: (exchange: Exchange) => void = emptied): Change => {
  const isLinked = (exchange: Exchange): boolean => !exchange.url.searchParams.has("cursor");
  return (exchange) => (isLinked(exchange) ? Object.assign((exchange.body._links ??= {}), { next: link }) : page(exchange));
};
const path = ({ url: { pathname }, body }: Exchange): string => `${pathname}/${body.testId ?? body.id}`;
const located = (of: (exchange: Exchange) => string) => (exchange: Exchange) =>
  Object.assign(exchange, { headers: { location: of(exchange) }, body: undefined });
const unlisted = (get: Partial<Exchange>) => (exchange: Exchange) =>
  exchange.verb === "list" ? emptied(exchange) : Object.assign(exchange, get);
const text = ({ body }: Exchange): string => JSON.stringify(body);
const each = <T>(values: readonly T[], row: (value: T) => Row): Row[] => values.map(row);

// oxfmt-ignore
const rows: readonly Row[] = [
  // Busy responses
  ...each([409, 423, 425], (status) => [`answers the first update with ${status}`, "instead first update", busy(status)]),
  ...each([409, 423, 425], (status) => [`answers the first deletion with ${status}`, "instead first delete", busy(status)]),
  ...each([409, 423, 425], (status) => [`answers every update with ${status}`, "instead update", busy(status), `answered ${status}`]),
  ...each([409, 423, 425], (status) => [`answers every deletion with ${status}`, "instead delete", busy(status), `answered ${status}`]),
  ...each(retryAfter, (value) => [`answers 503 once and Retry-After "${value}"`, "instead first list get update delete", busy(503, value)]),
  ["asks to retry in three years", "instead first all", busy(429, "99999999")],
  ["answers every request with 429", "instead all", busy(429), "answered 429"],
  ...each([408, 504], (status) => [`answers each first request but creates with ${status}`, "instead first list get update delete", busy(status)]),
  ["answers every read with 401", "instead list get", busy(401), "answered 401"],
  ["answers every list with 403", "instead list", busy(403), "answered 403"],
  ...each([408, 500, 503, 504], (status) => [`stores the first write and answers ${status}`, `first ${writes}`, { status, ...html }]),
  ["deletes and answers 404", "delete", busy(404)],
  // Empty lists and missing ids
  ["lists nothing without the member", "empty list", { body: {} }],
  ["lists nothing as null", "empty list", { body: "null" }],
  ["lists nothing with a member that is null", "empty list", ({ body }) => Object.assign(body, { labels: null, tests: null, tags: null })],
  ...each([200, 204, 404], (status) => [`lists nothing with ${status} and no body`, "empty list", { status, body: undefined }]),
  ...each([400, 500], (status) => [`answers a missing id with ${status}`, "missing get update delete", busy(status)]),
  ["answers a missing id with 403", "missing get update delete", busy(403), "answered 403"],
  ["answers a missing id with null", "missing get update delete", { status: 200, body: "null" }],
  ["answers a missing id with 204", "missing get update delete", { status: 204, body: undefined }],
  ["answers a missing id with an empty object", "missing get update delete", { status: 200, body: {} }],
  ["answers a missing id with an error in 200", "missing get update delete", { status: 200, body: { errorMessage: "not found" } }],
  // Lists, pages and redirects
  ["links the next page relative to the list", "list", next({ href: "?cursor=2" })],
  ["links the next page by its path", "list", (exchange) => (next({ href: `${exchange.url.pathname}?cursor=2` }) as (x: Exchange) => void)(exchange)],
  ["links the next page at another host", "list", next({ href: "https://elsewhere.invalid/?cursor=2" })],
  ["repeats the first page as the second", "list", next({ href: "?cursor=2" }, () => undefined)],
  ["links the next page as text", "list", next("?cursor=2"), "_links.next"],
  ["links a page to itself", "list", next({ href: "?" }), "without a cursor"],
  ["links a next page that is null", "list", next(null)],
  ["links a next page without an address", "list", next({}), "_links.next.href"],
  ["lists with links that are null", "list", ({ body }) => (body._links = null)],
  ["lists an array", "list", (exchange) => (exchange.body = listed(exchange)), "received array"],
  ["lists null next to records", "list", (exchange) => listed(exchange).push(null)],
  ["lists null in place of records", "list", (exchange) => listed(exchange).fill(null)],
  ["omits records from lists", "list", emptied],
  ["omits records from lists, and reads are null", reads, unlisted({ body: "null" }), "pulumi state delete"],
  ["omits records from lists, and reads are 304", reads, unlisted({ status: 304, body: undefined }), "answered 304"],
  ["omits records from lists, and reads have another id", reads, unlisted({ body: { id: "9", testId: "9" } }), "GET"],
  ...each([301, 302, 307, 308], (status) => [`redirects with ${status}`, "instead all", { status, headers: { location: "/v7/" } }, `answered ${status}`]),
  ["redirects to another host", "instead all", { status: 307, headers: { location: "https://elsewhere.invalid/" } }, "answered 307"],
  // Words and values
  ...each(openWords, (name) => [`answers with an unknown word as ${name}`, records, unknownWord(name), name]),
  ...each(closedWords, (name) => [`answers with an unknown word as ${name}`, records, unknownWord(name)]),
  ["answers with an unknown selector type", records, ({ agentSelectorConfig: agents }) => agents && (agents.agentSelectorType = "by-mood"), "agentSelectorType"],
  ["answers with an unknown filter key", records, ({ filters = [] }) => filters.forEach((filter: JsonValue) => (filter.key = "mood")), "filters"],
  ["answers with an unknown filter mode", records, ({ filters = [] }) => filters.forEach((filter: JsonValue) => (filter.mode = "near")), "filters"],
  ["answers with null filters", records, (record) => record.filters && (record.filters = null), "filters"],
  ["answers with a masked password", records, (record) => record.username && (record.password = "********")],
  ["answers with dates as numbers", records, (record) => Object.assign(record, { createdDate: 17e8, modifiedDate: 17e8 })],
  ["answers with dates without a zone", records, (record) => Object.assign(record, { createdDate: "2026-01-01 00:00", modifiedDate: "today" })],
  ["answers with intervals as durations", records, (record) => record.interval && (record.interval = "PT5M"), "interval"],
  ["answers with ids as objects", records, (record) => Object.assign(record, record.testId ? { testId: {} } : { id: {} }), "received object"],
  ["answers with null links", records, (record) => (record._links = null)],
  ["answers with empty text for absent members", records, (record) => Object.assign(record, { modifiedDate: "", serverName: "", createdBy: "" })],
  ["answers with a derived name", records, (record) => ["name", "testName", "value"].forEach((name) => record[name] && (record[name] += " (1)")), "(1)"],
  // Confirmations
  ["confirms a create with a path", "create", located(path)],
  ["confirms a create with a URL", "create", located((exchange) => `${exchange.url.origin}${path(exchange)}`)],
  ["confirms a create with a path that ends with a slash", "create", located((exchange) => `${path(exchange)}/`)],
  ["confirms a create with a path and a query", "create", located((exchange) => `${path(exchange)}?aid=1001`)],
  ["confirms a create with the path of the list", "create", located(({ url }) => url.pathname)],
  ["confirms a create with 303", "create", { status: 303 }, "answered 303"],
  ["confirms writes with a page", "create update", { status: 200, ...html }],
  ["confirms writes with null", "create update", { body: "null" }],
  ["confirms updates with another record", "update", ({ body }) => Object.assign(body, body.testId ? { testId: "9" } : { id: "9" }), "9"],
  ["confirms a deletion with another body", "delete", { status: 200, body: { deleted: true, id: 5 } }],
  // Transport
  ...each(dates, (value) => [`has the date "${value}"`, "all", { headers: { date: value } }]),
  ...each(types, (value) => [`answers with the type ${value}`, "all", { headers: { "content-type": value } }]),
  ...each(["text/plain", ""], (value) => [`answers with the type "${value}"`, "all", { headers: { "content-type": value } }, "content type"]),
  ["has names of headers in capitals", "all", (x) => (x.headers = Object.fromEntries(Object.entries(x.headers).map(([k, v]) => [k.toUpperCase(), v])))],
  ["closes each connection", "all", { headers: { connection: "close" } }],
  ["keeps connections for no time", "all", { headers: { "keep-alive": "timeout=0" } }],
  ["sends early hints", "all", { hasEarlyHints: true }],
  ["names the encoding identity", "all", { headers: { "content-encoding": "identity" } }],
  ["compresses with x-gzip", reads, (x) => Object.assign(x, { body: gzipSync(text(x)), headers: { ...x.headers, "content-encoding": "x-gzip" } })],
  ["names gzip and does not compress", reads, { headers: { "content-encoding": "gzip" } }, "gzip encoding"],
  ["compresses in an unknown way", reads, { headers: { "content-encoding": "zip" } }, "content encoding"],
  ["surrounds JSON with space", reads, (x) => (x.body = `\r\n ${text(x)}\n\n`)],
  ["escapes slashes and letters", reads, (x) => (x.body = text(x).replaceAll(/"[^"\\]*"/g, (t) => t.replaceAll("e", "\\u0065").replaceAll("/", "\\/")))],
  ["breaks each first response", "first all", { breaksAfter: 20 }],
  ["breaks every read", reads, { breaksAfter: 20 }, "closed before"],
  ["breaks every response to a write", "create update", { breaksAfter: 20 }, "closed before"],
  ["truncates JSON", reads, (x) => (x.body = text(x).slice(0, -1)), "not JSON"],
  ["answers reads with a page", reads, html, "not JSON"],
];

export const variations: readonly Variation[] = rows.map(variationOf);
