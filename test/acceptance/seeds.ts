/** Responses that differ from the emulator's, each with the rows that must find it. */
import type { Body } from "../../tools/acceptance/session";

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parses JSON, otherwise returns the text. */
  readonly body: Body;
}

export interface Said {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

export interface Seed {
  /** Exactly the rows and operations that differ. */
  readonly found: readonly string[];
  readonly what: string;
  /** Changes a response, or leaves it unchanged. */
  change(heard: Heard, said: Said): void;
}

const labels = "/v7/endpoint/labels";
const scheduled = "/v7/endpoint/tests/scheduled-tests";
const network = `${scheduled}/agent-to-server`;
const http = `${scheduled}/http-server`;
const dynamic = "/v7/endpoint/tests/dynamic-tests/agent-to-server";
const agents = "/v7/endpoint/agents";
const rules = "/v7/alerts/rules";
const results = "/v7/endpoint/test-results/scheduled-tests/network/filter";
const isCreate = ({ method, path }: Heard, ...of: string[]): boolean => method === "POST" && of.includes(path);
const refuse = (said: Said, status = 400): void => void Object.assign(said, { status, body: { title: "Refused", status } });
const accept = (said: Said, body: Body, status = 201): void => {
  Object.assign(said, { status, body });
  said.headers["content-type"] = "application/json";
};
const json = "application/json";

/** A record that was never stored, as a service returns that accepts more than the emulator. */
const asLabel = (body: Body): Body => ({
  id: "4711",
  color: "#d9d9d9",
  ...body,
  _links: { self: { href: "http://127.0.0.1/" } },
});

function seed(what: string, found: readonly string[], change: Seed["change"]): Seed {
  return { what, found, change };
}

/** Created for each run, because some keep state. */
export const seeds: readonly (() => Seed)[] = [
  () =>
    seed("a foreign account group is a 401", ["foreign-account-group", "limit-text-of-403"], ({ query, path }, said) => {
      if (query.get("aid") === "1" && path === labels) said.status = 401;
    }),
  () =>
    seed("a record of another group is a 403", ["record-of-another-group"], ({ query }, said) => {
      if (query.get("aid") === "1002") refuse(said, 403);
    }),
  () =>
    seed("a role that reads gets a 401", ["role-that-reads"], ({ headers, method }, said) => {
      if (method === "POST" && headers["authorization"] === "Bearer emulator-read-only-token") said.status = 401;
    }),
  () =>
    seed("tokens last a day", ["token-answer"], ({ path }, { body }) => {
      if (path.endsWith("/token") && body.expires_in) body.expires_in = 86_400;
    }),
  () =>
    seed("unknown scopes are ignored", ["token-scopes"], ({ path, body }, said) => {
      if (path.endsWith("/token") && String(body).includes("scope=nonsense"))
        accept(said, { access_token: "t", token_type: "Bearer" }, 200);
    }),
  () =>
    seed("without a token the body is another", ["no-token"], ({ headers, path }, said) => {
      if (headers["authorization"] === undefined && path === labels) said.body = { errorMessage: "401 Not Authorized" };
    }),
  () =>
    seed("links of a create lack the account group", ["aid-in-links", "self-link"], (heard, said) => {
      if (!isCreate(heard, labels) || said.status !== 201) return;
      const href = said.body._links.self.href.split("?")[0];
      said.body._links.self.href = href;
      said.headers["location"] = href;
    }),
  () =>
    seed("colors are folded", ["label-color"], (heard, { body }) => {
      if (isCreate(heard, labels) && body?.color) body.color = body.color.toLowerCase();
    }),
  () =>
    seed("a filter without mode stays without", ["filter-without-mode"], (heard, { body }) => {
      if (isCreate(heard, labels) && heard.body?.filters?.[0] && !("mode" in heard.body.filters[0]))
        delete body.filters?.[0]?.mode;
    }),
  () =>
    seed("any filter key is taken", ["filter-key-and-mode"], (heard, said) => {
      if (isCreate(heard, labels) && heard.body?.filters?.[0]?.key === "nonsense")
        accept(said, asLabel({ name: "n", matchType: "or" }));
    }),
  () => {
    const names = new Set<string>();
    return seed("names of labels are unique", ["label-names"], (heard, said) => {
      if (!isCreate(heard, labels) || said.status !== 201) return;
      if (names.has(heard.body.name)) refuse(said, 409);
      names.add(heard.body.name);
    });
  },
  () =>
    seed("labels have 64 characters at most", ["label-names", "limit-length-of-names"], (heard, said) => {
      if (isCreate(heard, labels) && String(heard.body?.name).length > 64) refuse(said);
    }),
  () => {
    const patched = new Set<string>();
    return seed("a PATCH adds filters", ["patch-of-filters"], ({ method, path, body }, said) => {
      if (method === "PATCH" && body?.filters) patched.add(path);
      if (method === "GET" && patched.has(path)) said.body.filters?.unshift({ key: "hostname", mode: "in", values: ["first"] });
    });
  },
  () =>
    seed("null is as left out", ["null-in-a-body"], (heard, said) => {
      if (isCreate(heard, labels) && heard.body?.color === null) accept(said, asLabel({ name: "n", matchType: "or" }));
    }),
  () =>
    seed("a PATCH refuses members of a create", ["patch-of-create-only-members"], ({ method, body }, said) => {
      if (method === "PATCH" && body?.isPrioritized !== undefined) refuse(said);
    }),
  () =>
    seed("a create refuses isEnabled", ["create-of-update-only-members"], ({ method, body }, said) => {
      if (method === "POST" && body?.isEnabled === false) refuse(said);
    }),
  () =>
    seed("the default of ipVersion is ANY", ["default-ip-version"], (heard, { body }) => {
      if (isCreate(heard, network, http, dynamic) && body?.ipVersion && heard.body.ipVersion === undefined)
        body.ipVersion = "ANY";
    }),
  () =>
    seed("paths are not traced in session", ["default-path-trace"], (heard, { body }) => {
      if (isCreate(heard, http) && body?.testId) body.hasPathTraceInSession = false;
    }),
  () =>
    seed("a URL comes back as sent", ["url-as-returned"], (heard, { body }) => {
      if (isCreate(heard, http) && body?.url) body.url = heard.body.url;
    }),
  () =>
    seed("HTTP tests speak HTTP/1.1", ["members-of-http-tests"], (heard, { body }) => {
      if (isCreate(heard, http) && body?.httpVersion) body.httpVersion = 1;
    }),
  () =>
    seed("TLS 1.2 has another name", ["ssl-versions"], (heard, { body }) => {
      if (isCreate(heard, http) && body?.sslVersionId === "6") body.sslVersion = "TLS 1.2";
    }),
  () =>
    seed("labels of a test need not exist", ["unknown-label-of-a-test"], (heard, said) => {
      if (isCreate(heard, network) && heard.body?.endpointAgentLabels?.[0] === "1")
        accept(said, { ...heard.body, testId: "4711" });
    }),
  () =>
    seed("agents of a test must exist", ["unknown-agents-and-tags"], (heard, said) => {
      if (isCreate(heard, network) && heard.body?.agentSelectorType === "specific-agents") refuse(said);
    }),
  () => {
    const names = new Set<string>();
    return seed("names of network tests are unique", ["names-of-tests"], (heard, said) => {
      if (!isCreate(heard, network) || said.status !== 201) return;
      if (names.has(heard.body.testName)) refuse(said, 409);
      names.add(heard.body.testName);
    });
  },
  () =>
    seed("the newest label comes first", ["order-of-lists"], ({ method, path }, { body }) => {
      if (method === "GET" && path === labels) body.labels?.reverse();
    }),
  () =>
    seed("tests name their labels", ["labels-of-a-test"], (heard, { body }) => {
      if (isCreate(heard, network, http, dynamic) && body?.labels) body.labels = [{ id: "1", name: "All" }];
    }),
  () => {
    const instant = new Set<string>();
    return seed("an instant test can't be deleted", ["instant-tests"], (heard, said) => {
      if (isCreate(heard, `${network}/instant`)) instant.add(`${network}/${said.body.testId}`);
      if (heard.method === "DELETE" && instant.has(heard.path)) refuse(said, 405);
    });
  },
  () =>
    seed("a scheduled test can't be run", ["run-of-a-test"], ({ path }, said) => {
      if (path.endsWith("/run")) refuse(said, 404);
    }),
  () =>
    seed("results are those of a week", ["results-without-a-range"], ({ path, query }, { body }) => {
      if (path === results && !query.has("window") && body?.startDate) {
        body.startDate = new Date(Date.parse(body.endDate) - 7 * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
      }
    }),
  () =>
    seed("a window counts for more than dates", ["contradictory-ranges"], ({ path, query }, said) => {
      if (path === results && query.has("window") && query.has("startDate")) accept(said, { results: [] }, 200);
    }),
  () =>
    seed("an unknown path has no body", ["unknown-path"], ({ path }, said) => {
      if (path.endsWith("/no-such-path")) said.body = undefined;
    }),
  () =>
    seed("a compressed body is refused without a word", ["compressed-body"], ({ headers }, said) => {
      if (headers["content-encoding"] === "gzip") said.body = undefined;
    }),
  () =>
    seed("a 405 is a page", ["refused-methods-and-media-types"], ({ method }, { headers }) => {
      if (method === "PUT") headers["content-type"] = "text/html";
    }),
  () =>
    seed("a large body is a 400", ["body-size-and-nesting"], (_heard, said) => {
      if (said.status === 413) said.status = 400;
    }),
  () =>
    seed("of a repeated parameter the last counts", ["repeated-parameter"], ({ query }, said) => {
      if (query.getAll("max").length > 1) accept(said, { labels: [] }, 200);
    }),
  () =>
    seed("connection strings are longer", ["connection-string"], (_heard, { body }) => {
      if (body?.connectionString) body.connectionString += "12345678";
    }),
  () =>
    seed("totalAgents is of the page", ["agent-pages"], ({ method, path }, { body }) => {
      if (method === "GET" && path === agents && body?.agents) body.totalAgents = body.agents.length;
    }),
  () =>
    seed("agents lack targetVersion", ["target-version"], ({ method, path }, { body }) => {
      if (method === "GET" && path === agents) for (const agent of body?.agents ?? []) delete agent.targetVersion;
    }),
  () =>
    seed("an unknown agent has an empty log", ["agent-log"], ({ path }, said) => {
      if (path.endsWith("/logs") && said.status === 404) accept(said, { logs: [] }, 200);
    }),
  () =>
    seed(
      "an unknown agent is a 400 in a bulk transfer",
      ["outcomes-of-a-bulk-transfer", "bulk-transfer-as-csv"],
      ({ path }, { body }) => {
        if (path.endsWith("/bulk")) for (const item of body?.items ?? []) if (item.status === 404) item.status = 400;
      },
    ),
  () =>
    seed("labels are blue", ["limit-default-color"], (heard, { body }) => {
      if (isCreate(heard, labels) && body?.color && heard.body.color === undefined) body.color = "#0000ff";
    }),
  () =>
    seed("rules are not listed", ["endpoint-rules-in-the-list", "rule-of-a-label"], ({ method, path }, { body }) => {
      if (method === "GET" && path === rules && body?.alertRules) body.alertRules = [];
    }),
  () => {
    let linked: string[] = [];
    const kept = new Set<string>();
    return seed("an update of a rule keeps its tests", ["rule-update-without-tests"], (heard, { body }) => {
      if (isCreate(heard, rules)) linked = heard.body?.testIds ?? [];
      if (heard.method === "PUT" && heard.path.startsWith(rules)) kept.add(heard.path);
      if (heard.method === "GET" && kept.has(heard.path)) body.testIds = linked;
    });
  },
  () =>
    seed("proxies come by another name", ["proxies.list"], ({ path }, said) => {
      if (path === "/v7/endpoint/proxies") Object.assign(said, { body: { settings: [] }, headers: { "content-type": json } });
    }),
];
