import { tolerated, type Variation, inRecords, type Json, rejected } from "./variation";

const selection = "samples have the selection as it was requested; answers of tests were never recorded";
const target = "the interface does not state how responses spell a target";
const settings = "answers of tests were never recorded";
const colors = "recorded as requested, or in the default form";

/** Declares a variation with which the first write fails. Later updates accept the form that the service returns. */
function reshapes(name: string, changes: string, between: string, change: (record: Json) => void): Variation {
  return rejected(name, changes, between, "the service returned", inRecords(change));
}

/** Changes a member in records, as a whole or in their selection of agents. */
function member(name: string, change: (value: Json) => Json) {
  return (record: Json): void => {
    for (const part of [record, record.agentSelectorConfig]) if (part?.[name] !== undefined) part[name] = change(part[name]);
  };
}

/** Returns the tag that replaces a label. Its id is derived from the label's. */
const tagOf = (label: Json): string => `00000000-0000-4000-8000-${String(label).slice(-12).padStart(12, "0")}`;

/** Values that the service returns in another form than requested, most of them create-only. */
export const reshaping: readonly Variation[] = [
  reshapes(
    "effective-agents",
    "answers with the number of agents that run a test in place of `maxMachines`",
    selection,
    member("maxMachines", () => 3),
  ),
  reshapes(
    "selector-in-capitals",
    "answers with the agent selector in another spelling, such as `AGENT_LABELS`",
    selection,
    member("agentSelectorType", (value) => value.toUpperCase().replaceAll("-", "_")),
  ),
  reshapes("labels-as-tags", "answers with the tags into which it turned the labels of a test", selection, (record) => {
    const config = record.agentSelectorConfig;
    if (config?.agentSelectorType !== "agent-labels") return;
    const { endpointAgentLabels = [], ...others } = config;
    record.agentSelectorConfig = { ...others, agentSelectorType: "agent-tags", tagIds: endpointAgentLabels.map(tagOf) };
  }),
  reshapes(
    "more-labels",
    "adds a label of its own to the labels of a test",
    selection,
    member("endpointAgentLabels", (labels) => [...labels, "400000000000999"]),
  ),
  reshapes(
    "masked-username",
    "hides the name of a user",
    settings,
    member("username", (value) => `${value.slice(0, 1)}***`),
  ),
  reshapes(
    "short-username",
    "cuts the name of a user after four characters",
    settings,
    member("username", (value) => value.slice(0, 4)),
  ),
  reshapes(
    "time-limit-seconds",
    "answers with the time limit in seconds",
    settings,
    member("httpTimeLimit", (value) => value / 1_000),
  ),
  reshapes(
    "auth-in-capitals",
    "answers with the kind of authentication in capitals",
    settings,
    member("authType", (value) => value.toUpperCase()),
  ),
  reshapes(
    "ssl-in-words",
    "answers with a word for the version of SSL",
    settings,
    member("sslVersionId", () => "AUTO"),
  ),
  reshapes(
    "always-prioritized",
    "prioritizes every test",
    settings,
    member("isPrioritized", () => true),
  ),
  reshapes(
    "unverified-certificate",
    "answers that the certificate is not verified",
    settings,
    member("verifyCertificate", () => false),
  ),
  reshapes("no-network", "takes no network measurements of HTTP server tests", settings, (record) => {
    if (record.url !== undefined && record.networkMeasurements !== undefined) record.networkMeasurements = false;
  }),
  tolerated(
    "icmp-port",
    "answers with port -1 for a test with ICMP",
    target,
    inRecords((record) => {
      if (record.port !== undefined && record.url === undefined && record.protocol === "icmp") record.port = -1;
    }),
  ),
  reshapes("server-with-subdomain", "answers with another host than the requested one", target, (record) => {
    if (record.server !== undefined && record.url === undefined) record.server = `edge.${record.server}`;
  }),
  reshapes(
    "application-in-capitals",
    "answers with the application of a dynamic test in capitals",
    settings,
    member("application", (value) => value.toUpperCase()),
  ),
  reshapes(
    "bare-colors",
    "answers with colors without `#`",
    colors,
    member("color", (value) => value.replace("#", "")),
  ),
  reshapes("more-filters", "adds a filter of its own to labels and tags", colors, (record) => {
    if (record.filters) record.filters = [...record.filters, { key: "platform", mode: "in", values: ["Linux"] }];
  }),
];
