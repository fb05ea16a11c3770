import { tolerated, type Variation, inRecords, inRequests, inTexts, type Json, rejected } from "./variation";

const names = ["name", "testName", "key", "value", "description"];
const kept = "labels came back as sent (recorded), with names without such characters; tests were never recorded";
const hosts = "how the service normalizes a target is not stated; samples have lower case alone";
const urls = "samples have a URL with scheme and port, which requests may leave out";
const bounds = "version 7.0.0 stated 5000 agents at most, 100000 for dynamic tests; later versions state 150000";
const order = "the order of arrays in responses is not stated";
const filtersKnown = "one filter with one value was recorded, as sent";

/** Changes the filters of labels and tags. */
function inFilters(change: (filters: Json[]) => Json[]) {
  return inRequests((body) => {
    if (Array.isArray(body.filters)) body.filters = change(body.filters);
  });
}

function inValues(change: (values: string[]) => string[]) {
  return inFilters((filters) => filters.map((filter) => ({ ...filter, values: change(filter.values) })));
}

const sorted = (list: Json[]): Json[] => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Changes only the host of a URL. */
const withHost = (url: string, change: (host: string) => string): string =>
  url.replace(/^(\w+:\/\/)?([^/:?#]+)/, (_, scheme: string | undefined, host: string) => `${scheme ?? ""}${change(host)}`);

/** Spelling of names, targets and lists, numbers that are limited, and defaults. */
export const spelling: readonly Variation[] = [
  tolerated(
    "trim-names",
    "removes space around names and descriptions",
    kept,
    inTexts(names, (text) => text.trim()),
  ),
  tolerated(
    "unicode-nfc",
    "composes the characters of names (Unicode NFC)",
    kept,
    inTexts(names, (text) => text.normalize("NFC")),
  ),
  tolerated(
    "unicode-nfd",
    "decomposes the characters of names (Unicode NFD)",
    kept,
    inTexts(names, (text) => text.normalize("NFD")),
  ),
  rejected(
    "lower-names",
    "folds names to lower case",
    kept,
    "the service returned",
    inTexts(names, (text) => text.toLowerCase()),
  ),
  rejected(
    "escaped-names",
    "escapes `&` in names",
    kept,
    "the service returned",
    inTexts(names, (text) => text.replaceAll("&", "&amp;")),
  ),
  rejected(
    "short-names",
    "cuts names after 8 characters",
    "the product's pages take 64 characters for labels",
    "the service returned",
    inTexts(["name", "testName"], (text) => text.slice(0, 8)),
  ),
  rejected(
    "collapsed-space",
    "makes one space of several in names",
    kept,
    "the service returned",
    inTexts(names, (text) => text.replaceAll(/ +/g, " ")),
  ),
  tolerated(
    "lower-hosts",
    "folds the host of a server to lower case",
    hosts,
    inTexts(["server"], (text) => text.toLowerCase()),
  ),
  tolerated(
    "upper-hosts",
    "folds the host of a server to upper case",
    hosts,
    inTexts(["server"], (text) => text.toUpperCase()),
  ),
  tolerated(
    "host-with-port",
    "answers with `server` and port in one text",
    hosts,
    inRecords((record) => {
      if (record.server && record.port && record.url === undefined) record.server = `${record.server}:${record.port}`;
    }),
  ),
  tolerated(
    "root-dot",
    "ends the host of a server with a dot",
    hosts,
    inTexts(["server"], (text) => (/[a-z]$/i.test(text) ? `${text}.` : text)),
  ),
  tolerated(
    "lower-url-hosts",
    "folds the host of a URL to lower case",
    urls,
    inRecords((record) => {
      if (record.url) record.url = withHost(record.url, (host) => host.toLowerCase());
    }),
  ),
  tolerated(
    "url-without-port",
    "answers with a URL without its default port",
    urls,
    inRecords((record) => {
      if (record.url) record.url = record.url.replace(/:(80|443)(?=\/|$|\?)/, "");
    }),
  ),
  tolerated(
    "url-with-slash",
    "ends a URL without a path with a slash",
    urls,
    inRecords((record) => {
      if (record.url && /^\w+:\/\/[^/?#]+$/.test(record.url)) record.url += "/";
    }),
  ),
  rejected(
    "url-without-query",
    "drops the query of a URL",
    urls,
    "the service returned",
    inTexts(["url"], (text) => text.replace(/\?.*/, "")),
  ),
  tolerated(
    "clamp-agents",
    "cuts the number of agents to 5000, or 100000 for dynamic tests",
    bounds,
    inRequests((body, { operation }) => {
      if (body.maxMachines) body.maxMachines = Math.min(body.maxMachines, operation.id.includes("dynamic") ? 100_000 : 5_000);
    }),
  ),
  rejected(
    "least-interval",
    "raises intervals to 120 s",
    "the intervals are stated",
    "interval: sent 60, but the service returned 120",
    inRequests((body) => {
      if (body.interval) body.interval = Math.max(body.interval, 120);
    }),
  ),
  tolerated(
    "lower-colors",
    "folds colors to lower case",
    filtersKnown,
    inTexts(["color"], (text) => text.toLowerCase()),
  ),
  tolerated(
    "upper-colors",
    "folds colors to upper case",
    filtersKnown,
    inTexts(["color"], (text) => text.toUpperCase()),
  ),
  rejected(
    "upper-match-type",
    "answers with the match type in capitals",
    "recorded in lower case, and capitals refused",
    "the service returned",
    inRecords((record) => {
      if (record.matchType) record.matchType = record.matchType.toUpperCase();
    }),
  ),
  tolerated("sorted-filters", "sorts filters", order, inFilters(sorted)),
  tolerated(
    "reversed-filters",
    "reverses filters",
    order,
    inFilters((filters) => filters.toReversed()),
  ),
  tolerated(
    "sorted-values",
    "sorts the values of filters",
    order,
    inValues((values) => values.toSorted()),
  ),
  tolerated(
    "distinct-values",
    "drops repeated values of filters",
    order,
    inValues((values) => [...new Set(values)]),
  ),
  rejected(
    "lower-values",
    "folds the values of filters to lower case",
    filtersKnown,
    "the service returned",
    inValues((values) => values.map((value) => value.toLowerCase())),
  ),
  tolerated(
    "no-mode",
    "answers without the mode of a filter that is `in`",
    "the default of `mode` is inferred",
    inRecords((record) => {
      for (const filter of record.filters ?? []) if (filter.mode === "in") delete filter.mode;
    }),
  ),
  tolerated(
    "default-ip-version",
    "chooses another IP version than samples have",
    "no default is stated",
    inRequests((body, { operation, verb }) => {
      if (verb === "create" && operation.id.startsWith("tests.")) body.ipVersion ??= "V6_PREFER";
    }),
  ),
  tolerated(
    "no-path-trace",
    "chooses no path trace in session",
    "not stated",
    inRecords((record) => {
      if ("testId" in record && record.type === "agent-to-server") record.hasPathTraceInSession = false;
    }),
  ),
];
