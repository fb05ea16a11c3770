import { type Exchange, maxBodies } from "../requests";
import { latest } from "./arrivals";
import { readable } from "./bodies";
import { count, counted, milliseconds, moment } from "./format";
import { type Html, html } from "./html";
import { badge, facts, pager, part, slice, table } from "./parts";
import { filterForm, filterOf, type RequestFilter } from "./request-filter";
import { accountGroupName, href, type Screen, type Visit } from "./visit";

/** Where the script asks for new rows. */
export const livePath = "/page/requests";
const path = "/requests";

/** Rows on a page. */
const pageSize = 50;

/** Every request, of all account groups: what came last, and how often each operation was asked for. */
export function requestsScreen(visit: Visit): Screen {
  const { log } = visit.server;
  const filter = filterOf(visit.query);
  const found = latest(log, Infinity, 0, filter.wants);
  const page = slice(found, visit.query, pageSize);
  const counts = Object.entries(log.counts()).toSorted(([, a], [, b]) => b - a);
  const most = counts[0]?.[1] ?? 1;
  const operations = table(
    "Requests by operation",
    [
      { name: "Operation", cell: ([operation, n]) => html`${operationLink(visit, operation)}${bar(n / most)}` },
      { name: "Requests", number: true, cell: ([, n]) => count(n) },
    ],
    counts,
    "None yet.",
  );
  return {
    title: "Requests",
    section: path,
    main: html`<h1>Requests</h1>
      ${part(
        "requests-total",
        html`<p class="lead">
          ${counted(log.total(), "request")} of all account groups since the start or the last reset. The last
          ${count(log.exchanges().length)} are listed; bodies are kept of the last ${count(maxBodies)}.
        </p>`,
      )}
      ${filterForm(visit, path, filter)}
      <div class="columns">
        <section aria-labelledby="latest">
          <h2 id="latest">Latest first</h2>
          ${page.page === 1 ? requestList(visit, pageSize, filter) : requestTable(visit, page.rows)}
          ${pager(page, path, visit.aid, filter.parameters)}
        </section>
        <section aria-labelledby="operations">
          <h2 id="operations">By operation</h2>
          ${part("requests-operations", operations)}
        </section>
      </div>`,
  };
}

function operationLink({ aid }: Visit, operation: string): Html {
  return html`<a class="plain" href="${href(path, aid, { operation })}"><code>${operation}</code></a>`;
}

/** The latest requests, and what the script needs to keep them so. */
export function requestList(visit: Visit, limit: number, filter: RequestFilter = filterOf(new URLSearchParams())): Html {
  const newest = latest(visit.server.log, limit, 0, filter.wants);
  const none = newest.length === 0;
  const query = new URLSearchParams({ aid: visit.aid, limit: String(limit) });
  for (const [name, value] of Object.entries(filter.parameters)) if (value !== "") query.set(name, value);
  return html`<p class="empty" id="no-requests" ${none || html` hidden`}>
      ${
        filter.isSet
          ? "No request fits the filter."
          : html`No requests yet. <a href="${href("/emulator", visit.aid)}">How a client reaches this emulator</a>`
      }
    </p>
    ${requestTable(
      visit,
      newest,
      html` data-live="${livePath}?${query.toString()}" data-keep="${limit}" data-after="${visit.server.log.next - 1}"`,
    )}`;
}

/** @param live attributes by which the script finds the rows */
function requestTable(visit: Visit, exchanges: readonly Exchange[], live?: Html): Html {
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

/** Rows that came after one, for the script to put in. */
export function newRows(visit: Visit): Html {
  const number = (name: string) => Math.max(0, Number(visit.query.get(name)) || 0);
  const { wants } = filterOf(visit.query);
  return requestRows(visit, latest(visit.server.log, Math.min(number("limit"), pageSize), number("after"), wants));
}

function requestRows(visit: Visit, exchanges: readonly Exchange[]): Html {
  const now = visit.service.settings.now();
  return html`${exchanges.map(({ number, at, durationMs, entry: { method, path: target, operation, status, aid } }) => {
    const answer = status === 0 ? "dropped" : String(status);
    return html`<tr role="row" data-number="${number}" data-summary="${method} ${operation}, ${answer}">
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

/** One request with its bodies. */
export function requestScreen({ server, service, id, aid }: Visit): Screen | undefined {
  const exchange = server.log.exchanges().find(({ number }) => String(number) === id);
  if (!exchange) return undefined;
  const { entry, at, durationMs, sent, answered } = exchange;
  const answer = entry.status === 0 ? "dropped" : String(entry.status);
  const newer = server.log.exchanges().filter(({ number }) => number > exchange.number).length;
  const missing = newer >= maxBodies ? `Bodies are kept of the last ${maxBodies} requests only.` : "None.";
  const body = (name: string, logged: Exchange["sent"]) =>
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

/** A share as a bar. The number stands beside it, so it is nothing for a screen reader. */
function bar(share: number): Html {
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect y="2" width="${Math.max(1, share * 100)}" height="4" />
  </svg>`;
}
