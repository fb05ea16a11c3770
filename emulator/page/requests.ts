import type { Exchange } from "../requests";
import { latest as latestOf } from "./arrivals";
import { count, counted, moment } from "./format";
import { type Html, html } from "./html";
import { badge, table } from "./parts";
import { accountGroupName, type Screen, type Visit } from "./visit";

/** Where the script asks for new rows. */
export const livePath = "/page/requests";

/** Rows that the script may have on its page at most. */
const mostRows = 200;

/** Every request, of all account groups: what came last, and how often each operation was asked for. */
export function requestsScreen(visit: Visit): Screen {
  const { log } = visit.server;
  const counts = Object.entries(log.counts()).toSorted(([, a], [, b]) => b - a);
  const most = counts[0]?.[1] ?? 1;
  const operations = table(
    "Requests by operation",
    [
      { name: "Operation", cell: ([operation, n]) => html`<code>${operation}</code>${bar(n / most)}` },
      { name: "Requests", number: true, cell: ([, n]) => count(n) },
    ],
    counts,
    "None yet.",
  );
  return {
    title: "Requests",
    section: "/requests",
    main: html`<h1>Requests</h1>
      <p class="lead">${counted(log.total(), "request")} of all account groups since the start or the last reset.</p>
      <div class="columns">
        <section aria-labelledby="latest">
          <h2 id="latest">Latest first</h2>
          ${requestList(visit, mostRows)}
        </section>
        <section aria-labelledby="operations">
          <h2 id="operations">By operation</h2>
          ${operations}
        </section>
      </div>`,
  };
}

/** The latest requests, and what makes them live where scripts run. */
export function requestList(visit: Visit, limit: number): Html {
  const latest = latestOf(visit.server.log, limit);
  const none = latest.length === 0;
  return html`<div class="live" hidden>
      <button type="button">Pause</button>
      <label><input type="checkbox" autocomplete="off" /> Announce new requests</label>
      <p aria-live="off">Live</p>
    </div>
    <p class="empty" id="no-requests" ${none || html` hidden`}>
      No requests yet. Give a client this address and the token <code>emulator-token</code>.
    </p>
    <table role="table" class="requests" ${none && html` hidden`}>
      <caption class="hidden">
        Latest requests
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">Request</th>
          <th role="columnheader" scope="col">Status</th>
          <th role="columnheader" scope="col">Operation</th>
          <th role="columnheader" scope="col">Time</th>
        </tr>
      </thead>
      <tbody role="rowgroup" data-live="${livePath}" data-keep="${limit}" data-after="${latest[0]?.number ?? 0}">
        ${requestRows(visit, latest)}
      </tbody>
    </table>`;
}

/** Rows that came after one, for the script to put in. */
export function newRows(visit: Visit): Html {
  const number = (name: string) => Math.max(0, Number(visit.query.get(name)) || 0);
  return requestRows(visit, latestOf(visit.server.log, Math.min(number("limit"), mostRows), number("after")));
}

function requestRows(visit: Visit, exchanges: readonly Exchange[]): Html {
  const now = visit.service.settings.now();
  return html`${exchanges.map(({ number, at, entry: { method, path, operation, status, aid } }) => {
    const answer = status === 0 ? "dropped" : String(status);
    return html`<tr role="row" data-number="${number}" data-said="${method} ${operation}, ${answer}">
      <th role="rowheader" scope="row">
        <code>${method} <bdi>${path}</bdi></code>
      </th>
      <td role="cell" class="plain" data-name="Status">${badge(toneOf(status), answer)}</td>
      <td role="cell" class="plain" data-name="Operation">
        <code class="whole">${operation}</code>${aid !== undefined && html`<span class="under">${accountGroupName(aid)}</span>`}
      </td>
      <td role="cell" class="plain" data-name="Time">${moment(at, now)}</td>
    </tr> `;
  })}`;
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
