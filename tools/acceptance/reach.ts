import { operations } from "../../api/schemas";
import type { Access } from "./access";
import { type Ask, paths, testKinds } from "./ask";
import { CannotAsk } from "./row";
import type { Body } from "./session";

const day = { query: { window: "7d" } } as const;

/** Requests for operations that no other check calls. If the account lacks a requirement, only the affected requests fail. */
const reaches: Record<string, (ask: Ask) => Promise<unknown>> = {
  groups: (ask) => ask.get(operations.accountGroups.list.path, undefined, { aid: null }),
  tests: async (ask) => {
    await ask.get(operations.scheduledTests.list.path);
    await ask.get(operations.realUserTests.list.path);
    for (const kind of testKinds) {
      await ask.get(paths[kind]);
      const { testId } = await ask.plain(kind);
      await ask.get(`${paths[kind]}/${testId}`);
      await ask.patch(`${paths[kind]}/${testId}`, { testName: ask.name(), ...(kind === "agentToServer" && { port: 443 }) });
    }
  },
  instant: async (ask) => {
    const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [await ask.nobody()] };
    await ask.post(`${paths.httpServer}/instant`, { testName: ask.name(), url: "https://www.example.com", ...selection });
  },
  agents: async (ask) => {
    const [{ id }] = await ask.agents();
    await ask.get(`${paths.agents}/${id}`, { expand: ["clients", "vpnProfiles", "networkInterfaceProfiles"] });
    await ask.get(`${paths.agents}/${id}/logs`, { window: "7d" });
    await ask.search({});
    await ask.get(operations.agents.connectionString.path);
    await ask.get(operations.proxies.list.path);
  },
  "own agent": async (ask) => {
    const path = ask.ownAgent();
    const { body: agent } = await ask.get(path);
    await ask.patch(path, { name: agent.name });
    // The second request restores the agent's original status.
    const [first, last] = agent.status === "enabled" ? ["disable", "enable"] : ["enable", "disable"];
    await ask.post(`${path}/${first}`);
    await ask.post(`${path}/${last}`);
  },
  "network results": async (ask) => {
    const [{ testId, agentId, roundId }] = await ask.results(paths.networkResults);
    const path = `/v7/endpoint/test-results/scheduled-tests/${testId}`;
    await ask.post(`${path}/network/filter`, {}, day);
    await ask.get(`${path}/pathvis`, { window: "7d" });
    await ask.get(`${path}/pathvis/agent/${agentId}/round/${roundId}`);
  },
  "HTTP results": async (ask) => {
    const [{ testId }] = await ask.results(paths.httpResults);
    const path = `/v7/endpoint/test-results/scheduled-tests/${testId}/http-server`;
    await ask.get(path, { window: "7d", expand: "header" });
    await ask.post(`${path}/filter`, {}, day);
  },
  "dynamic results": async (ask) => {
    const { body } = await ask.get(paths.dynamic);
    const { testId } = body.tests[0] ?? (await ask.plain("dynamic"));
    const path = `/v7/endpoint/test-results/dynamic-tests/${testId}`;
    const { body: found } = await ask.post(`${path}/network/filter`, {}, day);
    await ask.get(`${path}/pathvis`, { window: "7d" });
    const [row] = found.results ?? [];
    if (row) await ask.get(`${path}/pathvis/agent/${row.agentId}/round/${row.roundId}`);
  },
  "local networks": async (ask) => {
    await ask.get(operations.localNetworks.list.path);
    const { body } = await ask.post(operations.localNetworks.filterTopologies.path, {}, day);
    const [row] = body.results ?? [];
    if (row) await ask.get(`/v7/endpoint/test-results/local-networks/topologies/${row.networkTopologyId}`);
  },
  "real user tests": async (ask) => {
    const path = "/v7/endpoint/test-results/real-user-tests";
    const { body } = await ask.post(`${path}/filter`, {}, day);
    await ask.post(`${path}/networks/filter`, {}, day);
    const pages = await ask.post(`${path}/pages/filter`, {}, day);
    const [visit] = body.results ?? [];
    if (visit) await ask.get(`${path}/${visit.id}`);
    const [page]: Body[] = pages.body.results ?? [];
    if (page) await ask.get(`${path}/${page.id}/pages/${page.pageId}`);
  },
};

export async function reachOperations(askOf: (id: string) => Ask): Promise<void> {
  for (const [id, reach] of Object.entries(reaches)) {
    try {
      await reach(askOf(`operations: ${id}`));
    } catch (error) {
      // The check of the operation's responses reports why a response is missing or incomplete.
      if (!(error instanceof CannotAsk || error instanceof TypeError)) throw error;
    }
  }
}

const never: Record<string, string> = {
  "agents.delete": "a deleted agent cannot be brought back",
  "agents.transfer": "it would move a real agent out of the account group",
  "apiTokens.regenerate": "it would replace the API token of the user who runs the checks",
};

/** Returns the reason why no request for an operation succeeded. */
export function whyUnreached(operation: string, { agentId, readOnly, clientId }: Access): string {
  if (never[operation] !== undefined) return never[operation];
  if (operation === "token.issue" && clientId === undefined) return "the run has a token instead of a client";
  if (readOnly && !operation.startsWith("results.")) return "the run only reads (--read-only)";
  if (agentId === undefined && /^agents\.(update|enable|disable)$/.test(operation))
    return "it requires an agent that may be changed (--agent ID)";
  if (operation.startsWith("results.")) return "the account group has no such results from the last week";
  return "no request succeeded";
}
