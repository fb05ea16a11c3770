import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, operations, type Client, type Operation } from "../../api";
import { documentedOperations } from "../support/kinds";
import { Bench, violations } from "../emulator/support";

/**
 * Puts a proxy between client and emulator. The proxy forwards requests unchanged and checks each response against the API's
 * openapi.json, independently of the client's schemas.
 */
async function witness(
  target: string,
): Promise<{ url: string; seen: { method: string; path: string; wrong: string[] }[]; close: () => Promise<void> }> {
  const seen: { method: string; path: string; wrong: string[] }[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url: path = "/" } = request;
    const headers = Object.entries(request.headers).filter(
      ([name]) => !["host", "connection", "content-length"].includes(name),
    );
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(target + path, { method, headers: Object.fromEntries(headers) as Record<string, string>, body });
    const text = await answer.text();
    const exchange = { status: answer.status, headers: answer.headers, text, body: text === "" ? undefined : JSON.parse(text) };
    seen.push({ method, path, wrong: violations(method, path, exchange, false) });
    const contentType = answer.headers.get("content-type");
    response.writeHead(answer.status, contentType === null ? {} : { "content-type": contentType }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address.
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

describe("the client with the emulator", () => {
  let bench: Bench;
  let proxy: Awaited<ReturnType<typeof witness>>;
  let target: Server;
  let client: Client;
  const called = new Set<string>();

  beforeAll(async () => {
    bench = await Bench.start({ transferDelayMs: 0 });
    proxy = await witness(bench.url);
    target = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
    const options = { baseUrl: proxy.url, clientId: "emulator", clientSecret: "emulator-secret" };
    const plain = createClient(options);
    // Records the operation of each call.
    client = Object.fromEntries(
      Object.entries(plain).map(([area, calls]) => [
        area,
        typeof calls === "function"
          ? calls
          : Object.fromEntries(
              Object.entries(calls).map(([name, call]) => [
                name,
                (...args: unknown[]) => {
                  called.add(`${area}.${name}`);
                  return (call as (...args: unknown[]) => unknown)(...args);
                },
              ]),
            ),
      ]),
    ) as unknown as Client;
  });
  afterAll(async () => {
    await client.close();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
    await proxy.close();
    await bench.close();
  });

  it("the emulator's responses to each operation match openapi.json", async () => {
    // A listening TCP server has an address.
    const { port } = target.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    await client.token.issue({
      body: { grant_type: "client_credentials", client_id: "emulator", client_secret: "emulator-secret" },
    });
    expect((await client.accountGroups.list()).accountGroups).toHaveLength(3);

    const { labels, agentToServerTests, httpServerTests, dynamicTests, agents } = client;
    const label = await labels.create({
      body: { name: "Office", matchType: "or", filters: [{ key: "hostname", values: ["*"] }] },
    });
    await labels.get({ path: { id: label.id }, query: { expand: ["filters"] } });
    await labels.update({ path: { id: label.id }, body: { name: "Renamed" } });
    expect((await labels.list({ query: { expand: ["filters"] } })).labels).toHaveLength(1);

    const a2s = await agentToServerTests.create({ body: { testName: "T", server: "127.0.0.1", port } });
    const http = await httpServerTests.create({ body: { testName: "H", url } });
    const dynamic = await dynamicTests.create({ body: { testName: "D", application: "webex" } });
    for (const [calls, { testId }] of [
      [agentToServerTests, a2s],
      [httpServerTests, http],
      [dynamicTests, dynamic],
    ] as const) {
      const path = { testId };
      await calls.get({ path });
      await calls.update({ path, body: { testName: "Renamed" } });
      expect((await calls.list()).tests).toHaveLength(1);
    }
    expect((await client.scheduledTests.list()).tests).toHaveLength(2);
    await client.realUserTests.list();

    const instant = await client.instantTests.agentToServer({ body: { testName: "I", server: "127.0.0.1", port } });
    const instantHttp = await client.instantTests.httpServer({ body: { testName: "I", url } });
    await client.instantTests.run({ path: { testId: a2s.testId } });
    const door = (path: string, body: object): Promise<unknown> => bench.call("POST", `/_emulator/${path}`, { body });
    await door("sessions", { testId: dynamic.testId, server: "127.0.0.1", port });
    await door("real-user-tests", {
      url,
      timing: { startTime: 0, duration: 12, responseStart: 5, loadEventEnd: 12 },
      resources: [],
    });

    /** Polls until the agents have measured results. */
    const measured = async <P extends { results: unknown[] }>(ask: () => Promise<P>): Promise<P> => {
      for (let i = 0; i < 100; i += 1) {
        const page = await ask();
        if (page.results.length > 0) return page;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error("no results came");
    };
    const path = { testId: instant.testId };
    const { networkResults, pathVisualization, httpServerResults, localNetworks, realUserResults } = client;
    const [row] = (await measured(() => networkResults.filter({ path, body: {} }))).results;
    await networkResults.filterMulti({ body: { searchFilters: { testId: [instant.testId] } } });
    await measured(() => networkResults.filterDynamic({ path: { testId: dynamic.testId }, body: {} }));
    const round = { testId: instant.testId, agentId: row?.agentId ?? "", roundId: String(row?.roundId) };
    await measured(() => pathVisualization.list({ path }));
    await pathVisualization.get({ path: round });
    const [dynamicRow] = (await measured(() => pathVisualization.listDynamic({ path: { testId: dynamic.testId } }))).results;
    await pathVisualization.getDynamic({
      path: { testId: dynamic.testId, agentId: dynamicRow?.agentId ?? "", roundId: String(dynamicRow?.roundId) },
    });
    await measured(() => httpServerResults.list({ path: { testId: instantHttp.testId } }));
    await httpServerResults.filter({ path: { testId: instantHttp.testId }, body: {} });
    await httpServerResults.filterMulti({ body: {} });
    await localNetworks.list();
    const [topology] = (await localNetworks.filterTopologies({ body: {} })).results;
    await localNetworks.getTopology({ path: { networkTopologyId: topology?.networkTopologyId ?? "" } });
    const [visit] = (await realUserResults.filter({ body: {} })).results;
    await realUserResults.filterNetworks({ body: {} });
    const [page] = (await realUserResults.filterPages({ body: {} })).results;
    await realUserResults.get({ path: { id: visit?.id ?? "" } });
    await realUserResults.getPage({ path: { id: visit?.id ?? "", pageId: page?.pageId ?? "" } });

    const { agents: fleet } = await agents.list({ query: { expand: ["clients", "vpnProfiles", "networkInterfaceProfiles"] } });
    const [, agent, other] = fleet;
    const agentId = agent?.id ?? "";
    await agents.filter({ body: { searchFilters: { id: [agentId] } } });
    await agents.get({ path: { agentId } });
    await agents.update({ path: { agentId }, body: { name: "Renamed" } });
    await agents.disable({ path: { agentId } });
    await agents.enable({ path: { agentId } });
    await agents.logs({ path: { agentId } });
    await agents.connectionString();
    await agents.transfer({ path: { agentId }, body: { toAid: "1002" } });
    await agents.transferBulk({ body: { transfers: [{ agentId: other?.id, fromAid: "1001", toAid: "1002" }] } });
    await agents.delete({ path: { agentId: fleet.at(-1)?.id ?? "" } });
    await client.proxies.list();
    await client.apiTokens.regenerate();

    await labels.delete({ path: { id: label.id } });
    for (const [calls, { testId }] of [
      [agentToServerTests, a2s],
      [httpServerTests, http],
      [dynamicTests, dynamic],
    ] as const) {
      await calls.delete({ path: { testId } });
    }
    // Operations outside the document cannot be checked.
    const all = Object.entries(operations).flatMap(([area, calls]) =>
      Object.entries<Operation>(calls).flatMap(([name, operation]) =>
        documentedOperations.includes(operation) ? [`${area}.${name}`] : [],
      ),
    );
    expect(all.filter((name) => !called.has(name))).toEqual([]);
    expect(all).toHaveLength(documentedOperations.length);
    expect(proxy.seen.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(proxy.seen.length).toBeGreaterThanOrEqual(58);
  });
});
