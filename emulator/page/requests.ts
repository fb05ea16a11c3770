import { count, counted } from "../../common/text";
import { type LoggedExchange, maxBodies } from "../requests";
import { latest } from "./arrivals";
import { readable } from "./bodies";
import { milliseconds, moment } from "./format";
import { type Html, html } from "./html";
import { badge, facts, pager, part, searchBox, slice } from "./parts";
import { accountGroupName, href, type Screen, type PageRequest } from "./visit";

export const livePath = "/page/requests";
const path = "/requests";

const pageSize = 50;

export function requestsScreen(visit: PageRequest): Screen {
  const { log } = visit.server;
  const search = searchOf(visit);
  const page = slice(latest(log, Infinity, 0, mentions(search)), visit.query, pageSize);
  return {
    title: "Requests",
    section: path,
    main: html`<h1>Requests</h1>
      ${part(
        "requests-total",
        html`<p class="lead">
          ${counted(log.total(), "request")} of all account groups since the start or the last reset. The page lists the last
          ${count(log.exchanges().length)}. The emulator keeps the bodies of the last ${count(maxBodies)}.
        </p>`,
      )}
      ${searchBox("requests", path, visit.aid, search)}
      ${page.page === 1 ? requestList(visit, pageSize) : requestTable(visit, page.rows)}
      ${pager(page, path, visit.aid, { search })}`,
  };
}

function searchOf({ query }: PageRequest): string {
  return query.get("search") ?? "";
}

function mentions(search: string): (exchange: LoggedExchange) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ entry: { method, path: target, operation, status } }) => {
    const text = `${method} ${target} ${operation} ${answerOf(status)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function answerOf(status: number): string {
  return status === 0 ? "dropped" : String(status);
}

export function requestList(visit: PageRequest, limit: number): Html {
  const search = searchOf(visit);
  const newest = latest(visit.server.log, limit, 0, mentions(search));
  const none = newest.length === 0;
  const query = new URLSearchParams({ aid: visit.aid, limit: String(limit), search });
  return html`<p class="empty" id="no-requests" ${none || html` hidden`}>
      ${
        search === ""
          ? html`No requests yet. <a href="${href("/emulator", visit.aid)}">How a client reaches this emulator</a>`
          : "No request matches the search."
      }
    </p>
    ${requestTable(
      visit,
      newest,
      html` data-live="${livePath}?${query.toString()}" data-keep="${limit}" data-after="${visit.server.log.next - 1}"`,
    )}`;
}

function requestTable(visit: PageRequest, exchanges: readonly LoggedExchange[], live?: Html): Html {
  return html`<table role="table" class="requests" ${exchanges.length === 0 && html` hidden`}>
    <caption class="hidden">
      Latest requests
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">Request</th>
        <th role="columnheader" scope="col">Status</th>
        <th role="columnheader" scope="col">Operation</th>
        <th role="columnheader" scope="col" class="number">Duration</th>
        <th role="columnheader" scope="col">Time</th>
      </tr>
    </thead>
    <tbody role="rowgroup" ${live}>
      ${requestRows(visit, exchanges)}
    </tbody>
  </table>`;
}

export function newRows(visit: PageRequest): Html {
  const number = (name: string) => Math.max(0, Number(visit.query.get(name)) || 0);
  const wanted = mentions(searchOf(visit));
  return requestRows(visit, latest(visit.server.log, Math.min(number("limit"), pageSize), number("after"), wanted));
}

function requestRows(visit: PageRequest, exchanges: readonly LoggedExchange[]): Html {
  const now = visit.service.settings.now();
  return html`${exchanges.map(({ number, at, durationMs, entry: { method, path: target, operation, status, aid } }) => {
    const answer = answerOf(status);
    return html`<tr role="row" data-number="${number}">
      <th role="rowheader" scope="row">
        <a class="plain" href="${href(`${path}/${number}`, visit.aid)}"
          ><code>${method} <bdi>${target}</bdi></code></a
        >
      </th>
      <td role="cell" class="plain" data-name="Status">${badge(toneOf(status), answer)}</td>
      <td role="cell" class="plain" data-name="Operation">
        <code class="whole">${operation}</code
        >${aid !== undefined && html`<span class="under">${accountGroupName(visit.service, aid)}</span>`}
      </td>
      <td role="cell" class="number" data-name="Duration">${milliseconds(durationMs)}</td>
      <td role="cell" class="plain" data-name="Time">${moment(at, now)}</td>
    </tr> `;
  })}`;
}

export function requestScreen({ server, service, id, aid }: PageRequest): Screen | undefined {
  const exchange = server.log.exchanges().find(({ number }) => String(number) === id);
  if (!exchange) return undefined;
  const { entry, at, durationMs, sent, answered } = exchange;
  const answer = answerOf(entry.status);
  const newer = server.log.exchanges().filter(({ number }) => number > exchange.number).length;
  const missing = newer >= maxBodies ? `The emulator keeps the bodies of only the last ${maxBodies} requests.` : "None.";
  const body = (name: string, logged: LoggedExchange["sent"]) =>
    html`<h2>${name}</h2>
      ${
        logged
          ? html`<p class="note small">${logged.mediaType}</p>
              <pre tabindex="0" aria-label="${name}"><code>${readable(logged)}</code></pre>`
          : html`<p class="empty">${missing}</p>`
      }`;
  return {
    title: `${entry.method} ${entry.operation}`,
    section: path,
    main: html`<p class="crumb"><a href="${href(path, aid)}">Requests</a></p>
      <h1 class="long">
        <code>${entry.method} <bdi>${entry.path}</bdi></code>
      </h1>
      ${facts([
        ["Status", badge(toneOf(entry.status), answer)],
        ["Operation", html`<code>${entry.operation}</code>`],
        ["Duration", milliseconds(durationMs)],
        ["Time", moment(at, service.settings.now())],
        ["Account group", entry.aid === undefined ? "none named" : accountGroupName(service, entry.aid)],
      ])}
      ${body("Request body", sent)} ${body("Answer", answered)}`,
  };
}

function toneOf(status: number): "good" | "bad" {
  return status === 0 || status >= 400 ? "bad" : "good";
}
