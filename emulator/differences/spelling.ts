import { bears, type Difference, inRecords, inRequests, inTexts, type Json, refuses } from "./difference";

const names = ["name", "testName", "key", "value", "description"];
const kept = "labels came back as sent (recorded), with names without such characters; tests were never recorded";
const hosts = "how the service normalizes a target is not stated; samples have lower case alone";
const urls = "samples have a URL with scheme and port, which requests may leave out";
const bounds = "version 7.0.0 stated 5000 agents at most, 100000 for dynamic tests; later versions state 150000";
const order = "the order of arrays in answers is not stated";
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

/** Changes the host of a URL, and leaves the rest as it is. */
const withHost = (url: string, change: (host: string) => string): string =>
  url.replace(/^(\w+:\/\/)?([^/:?#]+)/, (_, scheme: string | undefined, host: string) => `${scheme ?? ""}${change(host)}`);

/** Spelling of names, targets and lists, numbers that are cut to a bound, and defaults. */
export const spelling: readonly Difference[] = [
  bears(
    "trim-names",
    "removes space around names and descriptions",
    kept,
    inTexts(names, (text) => text.trim()),
  ),
  bears(
    "unicode-nfc",
    "composes the characters of names (Unicode NFC)",
    kept,
    inTexts(names, (text) => text.normalize("NFC")),
  ),
  bears(
    "unicode-nfd",
    "decomposes the characters of names (Unicode NFD)",
    kept,
    inTexts(names, (text) => text.normalize("NFD")),
  ),
  refuses(
    "lower-names",
    "folds names to lower case",
    kept,
    "the service returned",
    inTexts(names, (text) => text.toLowerCase()),
  ),
  refuses(
    "escaped-names",
    "escapes `&` in names",
    kept,
    "the service returned",
    inTexts(names, (text) => text.replaceAll("&", "&amp;")),
  ),
  refuses(
    "short-names",
    "cuts names after 8 characters",
    "the product's pages take 64 characters for labels",
    "the service returned",
    inTexts(["name", "testName"], (text) => text.slice(0, 8)),
  ),
  refuses(
    "collapsed-space",
    "makes one space of several in names",
    kept,
    "the service returned",
    inTexts(names, (text) => text.replaceAll(/ +/g, " ")),
  ),
  bears(
    "lower-hosts",
    "folds the host of a server to lower case",
    hosts,
    inTexts(["server"], (text) => text.toLowerCase()),
  ),
  bears(
    "upper-hosts",
    "folds the host of a server to upper case",
    hosts,
    inTexts(["server"], (text) => text.toUpperCase()),
  ),
  bears(
    "host-with-port",
    "answers with `server` and port in one text",
    hosts,
    inRecords((record) => {
      if (record.server && record.port && record.url === undefined) record.server = `${record.server}:${record.port}`;
    }),
  ),
  bears(
    "root-dot",
    "ends the host of a server with a dot",
    hosts,
    inTexts(["server"], (text) => (/[a-z]$/i.test(text) ? `${text}.` : text)),
  ),
  bears(
    "lower-url-hosts",
    "folds the host of a URL to lower case",
    urls,
    inRecords((record) => {
      if (record.url) record.url = withHost(record.url, (host) => host.toLowerCase());
    }),
  ),
  bears(
    "url-without-port",
    "answers with a URL without its default port",
    urls,
    inRecords((record) => {
      if (record.url) record.url = record.url.replace(/:(80|443)(?=\/|$|\?)/, "");
    }),
  ),
  bears(
    "url-with-slash",
    "ends a URL without a path with a slash",
    urls,
    inRecords((record) => {
      if (record.url && /^\w+:\/\/[^/?#]+$/.test(record.url)) record.url += "/";
    }),
  ),
  refuses(
    "url-without-query",
    "drops the query of a URL",
    urls,
    "the service returned",
    inTexts(["url"], (text) => text.replace(/\?.*/, "")),
  ),
  bears(
    "clamp-agents",
    "cuts the number of agents to 5000, or 100000 for dynamic tests",
    bounds,
    inRequests((body, { operation }) => {
      if (body.maxMachines) body.maxMachines = Math.min(body.maxMachines, operation.id.includes("dynamic") ? 100_000 : 5_000);
    }),
  ),
  refuses(
    "least-interval",
    "raises intervals to 120 s",
    "the intervals are stated",
    "interval: sent 60, and the service returned 120",
    inRequests((body) => {
      if (body.interval) body.interval = Math.max(body.interval, 120);
    }),
  ),
  bears(
    "lower-colors",
    "folds colors to lower case",
    filtersKnown,
    inTexts(["color"], (text) => text.toLowerCase()),
  ),
  bears(
    "upper-colors",
    "folds colors to upper case",
    filtersKnown,
    inTexts(["color"], (text) => text.toUpperCase()),
  ),
  refuses(
    "upper-match-type",
    "answers with the match type in capitals",
    "recorded in lower case, and capitals refused",
    "the service returned",
    inRecords((record) => {
      if (record.matchType) record.matchType = record.matchType.toUpperCase();
    }),
  ),
  bears("sorted-filters", "sorts filters", order, inFilters(sorted)),
  bears(
    "reversed-filters",
    "reverses filters",
    order,
    inFilters((filters) => filters.toReversed()),
  ),
  bears(
    "sorted-values",
    "sorts the values of filters",
    order,
    inValues((values) => values.toSorted()),
  ),
  bears(
    "distinct-values",
    "drops repeated values of filters",
    order,
    inValues((values) => [...new Set(values)]),
  ),
  refuses(
    "lower-values",
    "folds the values of filters to lower case",
    filtersKnown,
    "the service returned",
    inValues((values) => values.map((value) => value.toLowerCase())),
  ),
  bears(
    "no-mode",
    "answers without the mode of a filter that is `in`",
    "the default of `mode` is inferred",
    inRecords((record) => {
      for (const filter of record.filters ?? []) if (filter.mode === "in") delete filter.mode;
    }),
  ),
  bears(
    "default-ip-version",
    "chooses another IP version than samples have",
    "no default is stated",
    inRequests((body, { operation, verb }) => {
      if (verb === "create" && operation.id.startsWith("tests.")) body.ipVersion ??= "V6_PREFER";
    }),
  ),
  bears(
    "no-path-trace",
    "chooses no path trace in session",
    "not stated",
    inRecords((record) => {
      if ("testId" in record && record.type === "agent-to-server") record.hasPathTraceInSession = false;
    }),
  ),
];
