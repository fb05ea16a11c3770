import { defaults } from "../defaults";
import { faultKinds } from "../fault";
import type { PendingFault } from "../faults";
import { shellQuoted } from "../shell";
import { count, moment } from "./format";
import { type Html, html } from "./html";
import { facts, part, table } from "./parts";
import type { Screen, Visit } from "./visit";

/** The emulator itself: how to reach it, how it was started, what is left, and which faults wait. */
export function emulatorScreen(visit: Visit): Screen {
  const { service, server, origin } = visit;
  const { settings } = service;
  return {
    title: "Emulator",
    section: "/emulator",
    main: html`<h1>This emulator</h1>
      <section aria-labelledby="use">
        <h2 id="use">Use it</h2>
        <p class="lead">Paste this into a terminal. A client takes the token, or the client id with its secret.</p>
        <pre tabindex="0" aria-labelledby="use"><code>${exportsOf(visit)}</code></pre>
        <button type="button" class="copy" hidden>Copy</button>
        <p class="note">The token <code>${defaults.readOnlyToken}</code> is that of a user who may only read.</p>
      </section>
      <section aria-labelledby="limits">
        <h2 id="limits">Now</h2>
        ${part("emulator-now", stateOf(visit))}
      </section>
      <section aria-labelledby="faults">
        <h2 id="faults">Faults</h2>
        ${part("emulator-faults", faultTable(server.faults.pending()))} ${faultForm()}
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        ${facts([
          ["Address", html`<code>${origin}</code>`],
          [
            "Data file",
            settings.dataFile === undefined ? "none: records are lost at the end" : html`<code>${settings.dataFile}</code>`,
          ],
          [
            "Speed",
            settings.speed === 1 ? "1: tests run at their interval" : `${settings.speed} times faster than the interval`,
          ],
          [
            "Targets allowed off this machine",
            named(settings.allowTargets.map(({ host, port }) => (port === undefined ? host : `${host}:${port}`))),
          ],
          ["Further names of this emulator", named(settings.allowHosts)],
          ["Agents of a new store", count(settings.agents)],
          ["Page size", count(settings.pageSize)],
          [
            "Licenses",
            named(
              Object.entries(settings.licenses).map(([type, seats]) => `${type}: ${seats}`),
              "no limit",
            ),
          ],
          ["Lifetime of issued tokens", `${count(settings.tokenLifetimeSeconds)} s`],
          ["Transfers take", `${count(settings.transferDelayMs)} ms`],
          ["Names of tests", settings.uniqueTestNames ? "unique" : "free"],
          ["URL of HTTP tests", settings.urlPort === "added" ? "returned with its port" : "returned as sent"],
        ])}
      </section>`,
  };
}

function named(texts: readonly string[], none = "none"): string {
  return texts.length === 0 ? none : texts.join(", ");
}

function exportsOf({ service: { settings }, origin }: Visit): string {
  return [
    `export ENDPOINT_MONITORING_BASE_URL=${origin}`,
    `export ENDPOINT_MONITORING_TOKEN=${shellQuoted(settings.token)}`,
    "# or, instead of the token:",
    `export ENDPOINT_MONITORING_CLIENT_ID=${shellQuoted(settings.clientId)}`,
    `export ENDPOINT_MONITORING_CLIENT_SECRET=${shellQuoted(settings.clientSecret)}`,
  ].join("\n");
}

function stateOf({ server, service: { settings } }: Visit): Html {
  const now = settings.now();
  const left = server.limits.remaining();
  return facts([
    ["Requests", count(server.log.total())],
    [
      "Rate limit left",
      left ? html`${count(left.remaining)} of ${count(left.limit)} a minute, until ${moment(left.resetAt, now)}` : "no limit",
    ],
    ["Pending faults", count(server.faults.pending().length)],
  ]);
}

function faultTable(faults: readonly PendingFault[]): Html {
  return table(
    "Pending faults",
    [
      { name: "Fault", cell: (one: PendingFault) => html`<code>${one.kind}</code>` },
      { name: "For", plain: true, cell: (one) => [one.method ?? "any method", one.operation ?? "any operation"].join(", ") },
      { name: "Requests", number: true, cell: ({ n }) => count(n) },
      { name: "Details", plain: true, cell: detailsOf },
      {
        name: "Drop",
        plain: true,
        cell: ({ id, kind }) =>
          html`<button type="button" class="drop" data-fault="${id}" aria-label="Drop ${kind}" disabled>Drop</button>`,
      },
    ],
    faults,
    "None is pending.",
  );
}

function detailsOf({ kind, status, ms, storedAfterMs, after }: PendingFault): string {
  const parts = [
    kind === "status" && `status ${status}`,
    ms !== undefined && `${count(ms)} ms`,
    storedAfterMs !== undefined && `carried out after ${count(storedAfterMs)} ms`,
    after && "after it was carried out",
  ];
  return parts.filter((text) => text !== false).join(", ");
}

/** Sent by the script, as JSON: the control API takes no plain form. */
function faultForm(): Html {
  return html`<form class="filter fault" hidden>
      <label
        >Kind
        <select name="kind">
          ${faultKinds.map((kind) => html`<option>${kind}</option>`)}
        </select></label
      >
      <label>Operation <input name="operation" placeholder="any" autocomplete="off" spellcheck="false" /></label>
      <label>Requests <input name="n" type="number" min="1" value="1" /></label>
      <label>Milliseconds <input name="ms" type="number" min="0" /></label>
      <label>Status <input name="status" type="number" min="200" max="599" placeholder="503" /></label>
      <button>Add fault</button>
      <p role="status" class="small"></p>
    </form>
    <noscript
      ><p class="note">Without scripts, add faults by <code>POST /_emulator/faults</code>.</p></noscript
    >`;
}
