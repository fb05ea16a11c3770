import type { StoreRow } from "../store";
import { userText } from "./format";
import { type Html, html } from "./html";
import type { FleetAgent, PageLabel, Tag } from "./sources";
import { href, type SectionPath } from "./visit";

export const agentsPath = "/agents";

export function agentLink({ id, aid, body }: FleetAgent): Html {
  return html`<a href="${href(`${agentsPath}/${encodeURIComponent(id)}`, aid)}">${userText(body.name)}</a>`;
}

export interface GroupLinks<R extends StoreRow<unknown>> {
  readonly path: SectionPath;
  readonly name: (group: R) => string;
  readonly color: (group: R) => string;
}

export const labelLinks: GroupLinks<PageLabel> = {
  path: "/labels",
  name: ({ body }) => body.name,
  color: ({ body }) => body.color,
};

export const tagLinks: GroupLinks<Tag> = {
  path: "/tags",
  name: ({ body }) => `${body.key}: ${body.value}`,
  color: ({ body }) => body.color,
};

export function groupLink<R extends StoreRow<unknown>>(kind: GroupLinks<R>, group: R): Html {
  const link = html`<a href="${href(`${kind.path}/${encodeURIComponent(group.id)}`, group.aid)}"
    >${userText(kind.name(group))}</a
  >`;
  return groupNamed(kind, group, link);
}

export function groupNamed<R extends StoreRow<unknown>>({ color }: GroupLinks<R>, group: R, name: Html): Html {
  const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect width="10" height="10" rx="2" fill="${color(group)}" />
  </svg>`;
  return html`<span class="named">${swatch}${name}</span>`;
}
