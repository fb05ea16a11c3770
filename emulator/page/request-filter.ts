import type { Exchange } from "../requests";
import { type Html, html } from "./html";
import { accountGroupsOf, href, type Visit } from "./visit";

const statuses: Record<string, readonly [name: string, fits: (status: number) => boolean]> = {
  failed: ["failed", (status) => status === 0 || status >= 400],
  "2xx": ["2xx", (status) => status >= 200 && status < 300],
  "3xx": ["3xx", (status) => status >= 300 && status < 400],
  "4xx": ["4xx", (status) => status >= 400 && status < 500],
  "5xx": ["5xx", (status) => status >= 500],
  dropped: ["dropped", (status) => status === 0],
};

/** Requests that named no account group. */
const unnamed = "none";

/** Selects the requests that a page shows, by its query. */
export interface RequestFilter {
  readonly parameters: Readonly<Record<"status" | "operation" | "group", string>>;
  readonly isSet: boolean;
  readonly wants: (exchange: Exchange) => boolean;
}

export function filterOf(query: URLSearchParams): RequestFilter {
  const [status, operation, group] = ["status", "operation", "group"].map((name) => query.get(name) ?? "");
  const parameters = { status: status ?? "", operation: operation ?? "", group: group ?? "" };
  const fits = statuses[parameters.status]?.[1];
  return {
    parameters,
    isSet: Object.values(parameters).some((value) => value !== ""),
    wants: ({ entry }) =>
      (fits === undefined || fits(entry.status)) &&
      (parameters.operation === "" || entry.operation === parameters.operation) &&
      (parameters.group === "" || (entry.aid ?? unnamed) === parameters.group),
  };
}

/** The form of the filter: plain, so that it works without scripts. */
export function filterForm({ server, service, aid }: Visit, path: string, { parameters, isSet }: RequestFilter): Html {
  const operations = Object.keys(server.log.counts());
  const hidden = href("", aid) !== "" && html`<input type="hidden" name="aid" value="${aid}" />`;
  return html`<search>
    <form class="filter" action="${path}" method="get">
      ${choice(
        "status",
        "Status",
        Object.entries(statuses).map(([value, [name]]) => [value, name]),
        parameters.status,
      )}
      ${choice(
        "operation",
        "Operation",
        operations.map((operation) => [operation, operation]),
        parameters.operation,
      )}
      ${choice(
        "group",
        "Account group",
        [...accountGroupsOf(service).map((one) => [one.aid, one.accountGroupName] as const), [unnamed, "none named"]],
        parameters.group,
      )}
      ${hidden}<button>Filter</button>${isSet && html` <a href="${href(path, aid)}">Show all</a>`}
    </form>
  </search>`;
}

function choice(
  name: string,
  title: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html {
  return html`<label
    >${title}
    <select name="${name}">
      <option value="">all</option>
      ${options.map(([value, text]) => html`<option value="${value}" ${value === chosen && html` selected`}>${text}</option>`)}
    </select></label
  >`;
}
