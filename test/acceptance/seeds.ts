/** Responses that differ from the emulator's, each with the rows that must find it. */
import type { Body } from "../../tools/acceptance/session";

export interface OriginalRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parses JSON, otherwise returns the text. */
  readonly body: Body;
}

export interface ChangedResponse {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

export interface Seed {
  /** Exactly the rows and operations that differ. */
  readonly checks: readonly string[];
  readonly what: string;
  /** Changes a response, or leaves it unchanged. */
  change(request: OriginalRequest, response: ChangedResponse): void;
}

const labels = "/v7/endpoint/labels";
const scheduled = "/v7/endpoint/tests/scheduled-tests";
const network = `${scheduled}/agent-to-server`;
const http = `${scheduled}/http-server`;
const dynamic = "/v7/endpoint/tests/dynamic-tests/agent-to-server";
const agents = "/v7/endpoint/agents";
const rules = "/v7/alerts/rules";
const results = "/v7/endpoint/test-results/scheduled-tests/network/filter";
const isCreate = ({ method, path }: OriginalRequest, ...of: string[]): boolean => method === "POST" && of.includes(path);
const refuse = (response: ChangedResponse, status = 400): void =>
  void Object.assign(response, { status, body: { title: "Refused", status } });
const accept = (response: ChangedResponse, body: Body, status = 201): void => {
  Object.assign(response, { status, body });
  response.headers["content-type"] = "application/json";
};
const json = "application/json";

/** A record that was never stored, as a service returns that accepts more than the emulator. */
const asLabel = (body: Body): Body => ({
  id: "4711",
  color: "#d9d9d9",
  ...body,
  _links: { self: { href: "http://127.0.0.1/" } },
});

function seed(what: string, checks: readonly string[], change: Seed["change"]): Seed {
  return { what, checks, change };
}

/** Created for each run, because some keep state. */
export const seeds: readonly (() => Seed)[] = [
  () =>
    seed(
      "a foreign account group returns status 401",
      ["foreign-account-group", "limit-text-of-403"],
      ({ query, path }, response) => {
        if (query.get("aid") === "1" && path === labels) response.status = 401;
      },
    ),
  () =>
    seed("a record in another account group returns status 403", ["record-of-another-group"], ({ query }, response) => {
      if (query.get("aid") === "1002") refuse(response, 403);
    }),
  () =>
    seed("a write request with a read-only role returns status 401", ["role-that-reads"], ({ headers, method }, response) => {
      if (method === "POST" && headers["authorization"] === "Bearer emulator-read-only-token") response.status = 401;
    }),
  () =>
    seed("tokens are valid for a day", ["token-answer"], ({ path }, { body }) => {
      if (path.endsWith("/token") && body.expires_in) body.expires_in = 86_400;
    }),
  () =>
    seed("unknown scopes are ignored", ["token-scopes"], ({ path, body }, response) => {
      if (path.endsWith("/token") && String(body).includes("scope=nonsense"))
        accept(response, { access_token: "t", token_type: "Bearer" }, 200);
    }),
  () =>
    seed("the error body of a request without a token has another format", ["no-token"], ({ headers, path }, response) => {
      if (headers["authorization"] === undefined && path === labels) response.body = { errorMessage: "401 Not Authorized" };
    }),
  () =>
    seed(
      "links in the response to a create request lack the account group",
      ["aid-in-links", "self-link"],
      (request, response) => {
        if (!isCreate(request, labels) || response.status !== 201) return;
        const href = response.body._links.self.href.split("?")[0];
        response.body._links.self.href = href;
        response.headers["location"] = href;
      },
    ),
  () =>
    seed("colors are returned in lower case", ["label-color"], (request, { body }) => {
      if (isCreate(request, labels) && body?.color) body.color = body.color.toLowerCase();
    }),
  () =>
    seed("a filter without mode is returned without mode", ["filter-without-mode"], (request, { body }) => {
      if (isCreate(request, labels) && request.body?.filters?.[0] && !("mode" in request.body.filters[0]))
        delete body.filters?.[0]?.mode;
    }),
  () =>
    seed("unknown filter keys are accepted", ["filter-key-and-mode"], (request, response) => {
      if (isCreate(request, labels) && request.body?.filters?.[0]?.key === "nonsense")
        accept(response, asLabel({ name: "n", matchType: "or" }));
    }),
  () => {
    const names = new Set<string>();
    return seed("label names are unique", ["label-names"], (request, response) => {
      if (!isCreate(request, labels) || response.status !== 201) return;
      if (names.has(request.body.name)) refuse(response, 409);
      names.add(request.body.name);
    });
  },
  () =>
    seed("label names have at most 64 characters", ["label-names", "limit-length-of-names"], (request, response) => {
      if (isCreate(request, labels) && String(request.body?.name).length > 64) refuse(response);
    }),
  () => {
    const patched = new Set<string>();
    return seed("a PATCH adds filters", ["patch-of-filters"], ({ method, path, body }, response) => {
      if (method === "PATCH" && body?.filters) patched.add(path);
      if (method === "GET" && patched.has(path))
        response.body.filters?.unshift({ key: "hostname", mode: "in", values: ["first"] });
    });
  },
  () =>
    seed("null has the same effect as an omitted member", ["null-in-a-body"], (request, response) => {
      if (isCreate(request, labels) && request.body?.color === null) accept(response, asLabel({ name: "n", matchType: "or" }));
    }),
  () =>
    seed(
      "a PATCH request with create-only members returns status 400",
      ["patch-of-create-only-members"],
      ({ method, body }, response) => {
        if (method === "PATCH" && body?.isPrioritized !== undefined) refuse(response);
      },
    ),
  () =>
    seed(
      "a create request with isEnabled returns status 400",
      ["create-of-update-only-members"],
      ({ method, body }, response) => {
        if (method === "POST" && body?.isEnabled === false) refuse(response);
      },
    ),
  () =>
    seed("the default of ipVersion is ANY", ["default-ip-version"], (request, { body }) => {
      if (isCreate(request, network, http, dynamic) && body?.ipVersion && request.body.ipVersion === undefined)
        body.ipVersion = "ANY";
    }),
  () =>
    seed("hasPathTraceInSession is false by default", ["default-path-trace"], (request, { body }) => {
      if (isCreate(request, http) && body?.testId) body.hasPathTraceInSession = false;
    }),
  () =>
    seed("a URL is returned without normalization", ["url-as-returned"], (request, { body }) => {
      if (isCreate(request, http) && body?.url) body.url = request.body.url;
    }),
  () =>
    seed("HTTP server tests use HTTP version 1", ["members-of-http-tests"], (request, { body }) => {
      if (isCreate(request, http) && body?.httpVersion) body.httpVersion = 1;
    }),
  () =>
    seed("TLS 1.2 has another name in responses", ["ssl-versions"], (request, { body }) => {
      if (isCreate(request, http) && body?.sslVersionId === "6") body.sslVersion = "TLS 1.2";
    }),
  () =>
    seed("a test can refer to labels that do not exist", ["unknown-label-of-a-test"], (request, response) => {
      if (isCreate(request, network) && request.body?.endpointAgentLabels?.[0] === "1")
        accept(response, { ...request.body, testId: "4711" });
    }),
  () =>
    seed("a test with an unknown agent returns status 400", ["unknown-agents-and-tags"], (request, response) => {
      if (isCreate(request, network) && request.body?.agentSelectorType === "specific-agents") refuse(response);
    }),
  () => {
    const names = new Set<string>();
    return seed("names of agent-to-server tests are unique", ["names-of-tests"], (request, response) => {
      if (!isCreate(request, network) || response.status !== 201) return;
      if (names.has(request.body.testName)) refuse(response, 409);
      names.add(request.body.testName);
    });
  },
  () =>
    seed("lists begin with the newest label", ["order-of-lists"], ({ method, path }, { body }) => {
      if (method === "GET" && path === labels) body.labels?.reverse();
    }),
  () =>
    seed("tests contain label names in place of label ids", ["labels-of-a-test"], (request, { body }) => {
      if (isCreate(request, network, http, dynamic) && body?.labels) body.labels = [{ id: "1", name: "All" }];
    }),
  () => {
    const instant = new Set<string>();
    return seed("deleting an instant test returns status 405", ["instant-tests"], (request, response) => {
      if (isCreate(request, `${network}/instant`)) instant.add(`${network}/${response.body.testId}`);
      if (request.method === "DELETE" && instant.has(request.path)) refuse(response, 405);
    });
  },
  () =>
    seed("running a scheduled test returns status 404", ["run-of-a-test"], ({ path }, response) => {
      if (path.endsWith("/run")) refuse(response, 404);
    }),
  () =>
    seed("a results request without a range covers a week", ["results-without-a-range"], ({ path, query }, { body }) => {
      if (path === results && !query.has("window") && body?.startDate) {
        body.startDate = new Date(Date.parse(body.endDate) - 7 * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
      }
    }),
  () =>
    seed("a window takes precedence over dates", ["contradictory-ranges"], ({ path, query }, response) => {
      if (path === results && query.has("window") && query.has("startDate")) accept(response, { results: [] }, 200);
    }),
  () =>
    seed("an unknown path returns an empty body", ["unknown-path"], ({ path }, response) => {
      if (path.endsWith("/no-such-path")) response.body = undefined;
    }),
  () =>
    seed("a compressed request body returns an error with an empty body", ["compressed-body"], ({ headers }, response) => {
      if (headers["content-encoding"] === "gzip") response.body = undefined;
    }),
  () =>
    seed("status 405 has an HTML body", ["refused-methods-and-media-types"], ({ method }, { headers }) => {
      if (method === "PUT") headers["content-type"] = "text/html";
    }),
  () =>
    seed("a large request body returns status 400", ["body-size-and-nesting"], (_request, response) => {
      if (response.status === 413) response.status = 400;
    }),
  () =>
    seed("the last value of a repeated parameter takes effect", ["repeated-parameter"], ({ query }, response) => {
      if (query.getAll("max").length > 1) accept(response, { labels: [] }, 200);
    }),
  () =>
    seed("connection strings are longer", ["connection-string"], (_request, { body }) => {
      if (body?.connectionString) body.connectionString += "12345678";
    }),
  () =>
    seed("totalAgents counts the agents of one page", ["agent-pages"], ({ method, path }, { body }) => {
      if (method === "GET" && path === agents && body?.agents) body.totalAgents = body.agents.length;
    }),
  () =>
    seed("agents lack targetVersion", ["target-version"], ({ method, path }, { body }) => {
      if (method === "GET" && path === agents) for (const agent of body?.agents ?? []) delete agent.targetVersion;
    }),
  () =>
    seed("the log of an unknown agent is an empty list", ["agent-log"], ({ path }, response) => {
      if (path.endsWith("/logs") && response.status === 404) accept(response, { logs: [] }, 200);
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
    seed("labels are blue by default", ["limit-default-color"], (request, { body }) => {
      if (isCreate(request, labels) && body?.color && request.body.color === undefined) body.color = "#0000ff";
    }),
  () =>
    seed(
      "alert rules for endpoint tests are not listed",
      ["endpoint-rules-in-the-list", "rule-of-a-label"],
      ({ method, path }, { body }) => {
        if (method === "GET" && path === rules && body?.alertRules) body.alertRules = [];
      },
    ),
  () => {
    let linked: string[] = [];
    const kept = new Set<string>();
    return seed(
      "an update of an alert rule without tests keeps its tests",
      ["rule-update-without-tests"],
      (request, { body }) => {
        if (isCreate(request, rules)) linked = request.body?.testIds ?? [];
        if (request.method === "PUT" && request.path.startsWith(rules)) kept.add(request.path);
        if (request.method === "GET" && kept.has(request.path)) body.testIds = linked;
      },
    );
  },
  () =>
    seed("the list of proxies has another member name", ["proxies.list"], ({ path }, response) => {
      if (path === "/v7/endpoint/proxies")
        Object.assign(response, { body: { settings: [] }, headers: { "content-type": json } });
    }),
];
