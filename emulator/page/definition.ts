import { secretMembers } from "../secrets";
import type { Service } from "../service";
import { count, interval, moment } from "./format";
import { type Content, type Html, html } from "./html";
import { agentLink, groupLink, labelLinks, tagLinks } from "./links";
import { facts } from "./parts";
import { agentById, labelById, tagById, type Test } from "./sources";

/** Words for stored members, in the order they are shown; members without a word are shown by their names. */
const words: Readonly<Record<string, string>> = {
  url: "URL",
  server: "Server",
  port: "Port",
  application: "Application",
  interval: "Interval",
  protocol: "Protocol",
  ipVersion: "IP version",
  tcpProbeMode: "TCP probe mode",
  networkMeasurements: "Network measurements",
  hasPathTraceInSession: "Path trace in session",
  isPrioritized: "Prioritized",
  authType: "Authentication",
  username: "User name",
  password: "Password",
  httpTimeLimit: "Time limit",
  targetResponseTime: "Target response time",
  sslVersionId: "TLS version",
  verifyCertificate: "Certificate is verified",
};

/** How some members read better than as they are stored. */
const readings: Readonly<Record<string, (value: unknown) => string>> = {
  interval: (seconds) => interval(Number(seconds)),
  httpTimeLimit: (ms) => `${count(Number(ms))} ms`,
  targetResponseTime: (ms) => `${count(Number(ms))} ms`,
  sslVersionId: (id) =>
    ({ "0": "0: automatic", "3": "3: SSLv3", "4": "4: TLS 1.0", "5": "5: TLS 1.1", "6": "6: TLS 1.2", "7": "7: TLS 1.3" })[
      String(id)
    ] ?? String(id),
};

/** Shown elsewhere on the page. */
const elsewhere = new Set([
  "testName",
  "isEnabled",
  "agentSelectorType",
  "agents",
  "endpointAgentLabels",
  "tagIds",
  "maxMachines",
  "createdDate",
  "modifiedDate",
]);

/** All that a test is made of, whatever its kind. */
export function definition({ id, body }: Test, now: number): Html {
  const known = Object.keys(words);
  const place = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
  const members = Object.entries(body)
    .filter(([name, value]) => value !== undefined && !elsewhere.has(name))
    .toSorted(([a], [b]) => place(a) - place(b));
  return facts([
    ["Id", html`<code>${id}</code>`],
    ...members.map(([name, value]) => [words[name] ?? name, reading(name, value)] as const),
    ["Created", moment(body.createdDate, now)],
    ["Changed", moment(body.modifiedDate, now)],
  ]);
}

function reading(name: string, value: unknown): Content {
  if (secretMembers.has(name)) return "set, not shown";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = readings[name]?.(value) ?? (typeof value === "string" ? value : JSON.stringify(value));
  return html`<bdi>${text}</bdi>`;
}

/** Returns the agents, labels and tags of a test's selection, as links to those that still exist. */
export function selection({ body }: Test, service: Service): Html {
  const { agentSelectorType, endpointAgentLabels = [], agents = [], tagIds = [], maxMachines } = body;
  const names = [
    ...endpointAgentLabels.map((id) => linked(id, labelById(service, id), (label) => groupLink(labelLinks, label))),
    ...agents.map((id) => linked(id, agentById(service, id), agentLink)),
    ...tagIds.map((id) => linked(id, tagById(service, id), (tag) => groupLink(tagLinks, tag))),
  ];
  return html`${agentSelectorType}${names.length > 0 && ": "}${names.map((name, at) => html`${at > 0 && ", "}${name}`)}; at most
  ${count(maxMachines)}`;
}

function linked<T>(id: string, found: T | undefined, link: (found: T) => Html): Html {
  return found === undefined ? html`<code>${id}</code> <span class="quiet">(does not exist)</span>` : link(found);
}
