import { count } from "../../common/text";
import { secretMembers } from "../secrets";
import type { Service } from "../service";
import { moment } from "./format";
import { type Content, type Html, html } from "./html";
import { agentLink, groupLink, labelLinks, tagLinks } from "./links";
import { facts } from "./parts";
import { agentById, labelById, tagById, type ShownTest } from "./sources";

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

export function definition({ id, body }: ShownTest, now: number): Html {
  const members = Object.entries(body).filter(([name, value]) => value !== undefined && !elsewhere.has(name));
  return facts([
    ["Id", html`<code>${id}</code>`],
    ...members.map(([name, value]) => [name, reading(name, value)] as const),
    ["Created", moment(body.createdDate, now)],
    ["Changed", moment(body.modifiedDate, now)],
  ]);
}

function reading(name: string, value: unknown): Content {
  if (secretMembers.has(name)) return "set, not shown";
  return html`<bdi>${typeof value === "string" ? value : JSON.stringify(value)}</bdi>`;
}

export function selection({ body }: ShownTest, service: Service): Html {
  const { agentSelectorType, endpointAgentLabels = [], agents = [], tagIds = [], maxMachines } = body;
  const names = [
    ...endpointAgentLabels.map((id) => linked(id, labelById(service, id), (label) => groupLink(labelLinks, label))),
    ...agents.map((id) => linked(id, agentById(service, id), agentLink)),
    ...tagIds.map((id) => linked(id, tagById(service, id), (tag) => groupLink(tagLinks, tag))),
  ];
  return html`${agentSelectorType}${names.length > 0 && ": "}${names.map((name, at) => html`${at > 0 && ", "}${name}`)}; at most
  ${count(maxMachines)}`;
}

function linked<T>(id: string, target: T | undefined, link: (target: T) => Html): Html {
  return target === undefined ? html`<code>${id}</code> <span class="quiet">(does not exist)</span>` : link(target);
}
