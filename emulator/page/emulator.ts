import { defaults } from "../defaults";
import { faultKinds } from "../fault";
import type { PendingFault } from "../faults";
import { count, shellWord } from "../../common/text";
import { moment } from "./format";
import { type Html, html } from "./html";
import { facts, part, table } from "./parts";
import type { Screen, PageRequest } from "./visit";

export function emulatorScreen(visit: PageRequest): Screen {
  const { server } = visit;
  return {
    title: "Emulator",
    section: "/emulator",
    main: html`<h1>This emulator</h1>
      <section aria-labelledby="use">
        <h2 id="use">Use it</h2>
        <p class="lead">Paste this into a terminal. A client needs the token, or the client id and secret.</p>
        <pre tabindex="0" aria-labelledby="use"><code>${exportsOf(visit)}</code></pre>
        <button type="button" class="copy" hidden>Copy</button>
        <p class="note">The token <code>${defaults.readOnlyToken}</code> belongs to a user who may only read.</p>
      </section>
      <section aria-labelledby="limits">
        <h2 id="limits">Now</h2>
        ${part("emulator-now", stateOf(visit))}
      </section>
      <section aria-labelledby="faults">
        <h2 id="faults">Faults</h2>
        ${part("emulator-faults", faultTable(server.faults.pending()))} ${faultForm()}
      </section>`,
  };
}

function exportsOf({ service: { settings }, origin }: PageRequest): string {
  return [
    `export ENDPOINT_MONITORING_BASE_URL=${origin}`,
    `export ENDPOINT_MONITORING_TOKEN=${shellWord(settings.token)}`,
    "# or, instead of the token:",
    `export ENDPOINT_MONITORING_CLIENT_ID=${shellWord(settings.clientId)}`,
    `export ENDPOINT_MONITORING_CLIENT_SECRET=${shellWord(settings.clientSecret)}`,
  ].join("\n");
}

function stateOf({ server, service: { settings } }: PageRequest): Html {
  const now = settings.now();
  const budget = server.limits.remaining();
  return facts([
    ["Requests", count(server.log.total())],
    [
      "Rate limit left",
      budget
        ? html`${count(budget.remaining)} of ${count(budget.limit)} a minute, until ${moment(budget.resetAt, now)}`
        : "no limit",
    ],
    ["Pending faults", count(server.faults.pending().length)],
  ]);
}

function faultTable(faults: readonly PendingFault[]): Html {
  return table(
    "Pending faults",
    [
      { name: "Fault", cell: (fault: PendingFault) => html`<code>${fault.kind}</code>` },
      {
        name: "For",
        plain: true,
        cell: (fault) => [fault.method ?? "any method", fault.operation ?? "any operation"].join(", "),
      },
      { name: "Requests", number: true, cell: ({ n }) => count(n) },
      { name: "Details", plain: true, cell: detailsOf },
      {
        name: "Drop",
        plain: true,
        cell: ({ id, kind }) =>
          html`<button type="button" class="edit" data-send="DELETE /_emulator/faults/${id}" aria-label="Drop ${kind}">
            Drop
          </button>`,
      },
    ],
    faults,
    "No fault is pending.",
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

function faultForm(): Html {
  return html`<form class="filter edit fault" data-send="POST /_emulator/faults" data-whole="{}">
    <label
      >Kind
      <select name="kind">
        ${faultKinds.map((kind) => html`<option>${kind}</option>`)}
      </select></label
    >
    <label>Operation <input name="operation" placeholder="any" autocomplete="off" spellcheck="false" /></label>
    <label>Requests <input name="n" type="number" data-as="integer" min="1" value="1" /></label>
    <label>Milliseconds <input name="ms" type="number" data-as="integer" min="0" /></label>
    <label>Status <input name="status" type="number" data-as="integer" min="200" max="599" placeholder="503" /></label>
    <button>Add fault</button>
    <p role="status" class="small"></p>
  </form>`;
}
