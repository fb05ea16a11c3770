import { userText } from "./format";
import { type Html, html } from "./html";
import type { Agent, Label } from "./sources";
import { href } from "./visit";

export const labelsPath = "/labels";
export const agentsPath = "/agents";

/** An agent's name as a link to it. */
export function agentLink({ id, aid, body }: Agent): Html {
  return html`<a href="${href(`${agentsPath}/${encodeURIComponent(id)}`, aid)}">${userText(body.name)}</a>`;
}

/** A label's name with its colour, as a link to it. */
export function labelLink(label: Label): Html {
  const link = html`<a href="${href(`${labelsPath}/${encodeURIComponent(label.id)}`, label.aid)}"
    >${userText(label.body.name)}</a
  >`;
  return labelNamed(label, link);
}

/** A label's name behind its colour. */
export function labelNamed({ body }: Label, name: Html): Html {
  const swatch = html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect width="10" height="10" rx="2" fill="${body.color}" />
  </svg>`;
  return html`<span class="named">${swatch}${name}</span>`;
}
